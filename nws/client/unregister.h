/* Takes objects off a name server's list. */
#ifndef GB_NWS_CLIENT_UNREGISTER_H
#define GB_NWS_CLIENT_UNREGISTER_H

#include "nws/client/request_queue.h"

typedef struct gb_unregister {
  gb_client *client;
  gb_nws_address name_server;
  const char *filter;
  gb_nws_answer *answer; /* gets the last reply: NS_SEARCHED with nothing found when all went well */
  void *context;
  uint32_t rounds;
} gb_unregister;

/* Unregisters what the filter finds, again and again until a search finds nothing, as a name server may
 * skip the object behind one that it deletes. *u, set but for `rounds`, lasts until the answer. False: out of
 * memory. */
bool gb_unregister_begin(gb_unregister *u);

#endif
