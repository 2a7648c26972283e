#include "nws/client/request.h"

#include "nws/client/request_queue.h"

#include <stdlib.h>

/* Section 4 of the protocol: a request, its reply, and the refusal that may come instead. */
static const struct exchange {
  uint32_t request, reply, refusal;
} exchanges[] = {
    {GB_NWS_STORE_STATE, GB_NWS_STATE_STORED, GB_NWS_MEMORY_FAILED},
    {GB_NWS_FETCH_STATE, GB_NWS_STATE_FETCHED, GB_NWS_MEMORY_FAILED},
    {GB_NWS_AUTOFETCH_BEGIN, GB_NWS_AUTOFETCH_ACK, GB_NWS_MEMORY_FAILED},
    {GB_NWS_MEMORY_CLEAN, GB_NWS_MEMORY_CLEANED, GB_NWS_MEMORY_FAILED},
    {GB_NWS_HOST_TEST, GB_NWS_HOST_TEST_RESULT, GB_NWS_HOST_FAILED},
    {GB_NWS_FORE_SERIES, GB_NWS_FORE_FORECAST, GB_NWS_FORE_FAIL},
    {GB_NWS_METHODS_ASK, GB_NWS_METHODS_TELL, GB_NWS_FORE_FAIL},
    {GB_NWS_NS_REGISTER, GB_NWS_NS_REGISTERED, GB_NWS_NS_FAILED},
    {GB_NWS_NS_SEARCH, GB_NWS_NS_SEARCHED, GB_NWS_NS_FAILED},
    {GB_NWS_NS_UNREGISTER, GB_NWS_NS_UNREGISTERED, GB_NWS_NS_FAILED},
};

static const struct exchange *find(uint32_t request) {
  for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++)
    if (exchanges[i].request == request)
      return &exchanges[i];
  return NULL;
}

gb_client_request *gb_client_request_new(const gb_nws_address *to, const gb_nws_message *request) {
  gb_client_request *q = find(request->number) != NULL ? calloc(1, sizeof *q) : NULL;
  if (q == NULL)
    return NULL;
  q->to = *to;
  q->number = request->number;
  if (request->number == GB_NWS_FETCH_STATE) {
    memcpy(q->series, request->state.id, sizeof q->series);
    q->records = request->state.record_count;
  }
  gb_nws_encode(&q->bytes, request);
  if (!q->bytes.failed)
    return q;
  gb_client_request_free(q);
  return NULL;
}

void gb_client_request_free(gb_client_request *q) {
  gb_bytes_release(&q->bytes);
  free(q);
}

bool gb_client_request_alone(const gb_client_request *q) {
  return q->number == GB_NWS_FORE_SERIES;
}

bool gb_client_request_fits(const gb_client_request *q, const gb_nws_message *reply) {
  const struct exchange *e = find(q->number);
  if (reply->number != e->reply)
    return reply->number == e->refusal;
  return q->number != GB_NWS_FETCH_STATE ||
         (strcmp(reply->state.id, q->series) == 0 && reply->state.record_count <= q->records);
}

size_t gb_client_request_most(const gb_client_request *q) {
  return q->number == GB_NWS_NS_SEARCH ? GB_CLIENT_SEARCHED_MOST : GB_CLIENT_MESSAGE_MOST;
}

/* ---- Unregistering objects ---- */

enum { ROUNDS_MOST = 1000 }; /* somebody may register as fast as this unregisters */

static void replied(void *context, const gb_nws_message *reply, const char *why);

static bool ask(gb_unregister *u, uint32_t number) {
  gb_nws_message m = {.number = number, .text = gb_view_of(u->filter)};
  return gb_client_ask(u->client, &u->name_server, &m, replied, u);
}

static void replied(void *context, const gb_nws_message *reply, const char *why) {
  gb_unregister *u = context;
  bool found = reply != NULL && reply->number == GB_NWS_NS_SEARCHED && reply->text.length > 0;
  bool unregistered = reply != NULL && reply->number == GB_NWS_NS_UNREGISTERED;
  if (found && ++u->rounds == ROUNDS_MOST) {
    u->answer(u->context, NULL, "the name server lists what was unregistered, again and again");
    return;
  }
  if (!found && !unregistered)
    u->answer(u->context, reply, why);
  else if (!ask(u, found ? GB_NWS_NS_UNREGISTER : GB_NWS_NS_SEARCH))
    u->answer(u->context, NULL, "out of memory");
}

bool gb_unregister_begin(gb_unregister *u) {
  u->rounds = 0;
  return ask(u, GB_NWS_NS_UNREGISTER);
}
