/* A request in a client's queue, and the replies that match it. */
#ifndef GB_NWS_CLIENT_REQUEST_H
#define GB_NWS_CLIENT_REQUEST_H

#include "nws/client/request_queue.h"

typedef struct gb_client_request {
  struct gb_client_request *next;
  gb_nws_address to;
  uint32_t number;                   /* of the request */
  char series[GB_NWS_NAME_MOST + 1]; /* of a FETCH_STATE, */
  uint32_t records;                  /* and the number that it asks for */
  gb_bytes bytes;
  gb_nws_answer *answer;
  void *context;
} gb_client_request;

/* NULL: out of memory, or no daemon answers such a request. */
gb_client_request *gb_client_request_new(const gb_nws_address *to, const gb_nws_message *request);
void gb_client_request_free(gb_client_request *q);

/* Whether the request needs its own connection: a forecaster may close the wrong one after its answer. */
bool gb_client_request_alone(const gb_client_request *q);

/* Whether the reply matches: success or refusal, about the same series, with no more records than were asked
 * for. */
bool gb_client_request_fits(const gb_client_request *q, const gb_nws_message *reply);

/* Greatest size of the reply, in bytes. */
size_t gb_client_request_most(const gb_client_request *q);

#endif
