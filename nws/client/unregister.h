/* Unregisters objects from a name server. */
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

/* Unregisters what the filter finds, until a search finds nothing: a name server may skip the object behind
 * one that it deletes. The caller sets all of *u but `rounds`, and keeps it until the answer. False: out of
 * memory. */
bool gb_unregister_begin(gb_unregister *u);

#endif
