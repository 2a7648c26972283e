/* One question of a client's queue, and which replies fit it. */
#ifndef GB_NWS_CLIENT_REQUEST_H
#define GB_NWS_CLIENT_REQUEST_H

#include "nws/client/request_queue.h"

typedef struct gb_question {
  struct gb_question *next;
  gb_nws_address to;
  uint32_t number;                   /* of the request */
  char series[GB_NWS_NAME_MOST + 1]; /* that a FETCH_STATE is about, */
  uint32_t records;                  /* and how many it asks for */
  gb_bytes bytes;
  gb_nws_answer *answer;
  void *context;
} gb_question;

/* NULL: out of memory, or nobody answers such a request. */
gb_question *gb_question_new(const gb_nws_address *to, const gb_nws_message *request);
void gb_question_free(gb_question *q);

/* A forecaster may close a wrong connection after its answer: such a question has one for itself. */
bool gb_question_alone(const gb_question *q);

/* Whether it is what the peer may answer: success or refusal, about the same series, with no more records
 * than were asked for. */
bool gb_question_fits(const gb_question *q, const gb_nws_message *reply);

/* Bytes that may be taken of its answer. */
size_t gb_question_most(const gb_question *q);

#endif
