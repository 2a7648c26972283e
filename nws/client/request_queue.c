#include "nws/client/request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 16, BREAKS_MOST = 3 };

void gb_client_init(gb_client *c, double patience, gb_nws_answer *pushed, void *context) {
  *c = (gb_client){.patience = patience,
                   .due = INFINITY,
                   .resume = -INFINITY,
                   .pushed = pushed,
                   .pushed_context = context};
  c->end = &c->first;
}

bool gb_client_ask(gb_client *c, const gb_nws_address *to, const gb_nws_message *request,
                   gb_nws_answer *answer, void *context) {
  gb_client_request *q = gb_client_request_new(to, request);
  if (q == NULL)
    return false;
  q->answer = answer;
  q->context = context;
  *c->end = q;
  c->end = &q->next;
  return true;
}

/* The request `skip` places behind the first, if it is for the current daemon. */
static gb_client_request *same_daemon(const gb_client *c, uint32_t skip) {
  gb_client_request *q = c->first;
  while (q != NULL && skip-- > 0)
    q = q->next;
  return q != NULL && gb_nws_address_same(&q->to, &c->to) ? q : NULL;
}

static void disconnect(gb_client *c) {
  c->state = GB_CLIENT_IDLE;
  c->due = INFINITY;
  c->in_flight = 0;
  gb_bytes_release(&c->out);
  gb_bytes_release(&c->in);
}

void gb_client_forget(gb_client *c) {
  for (gb_client_request *q = c->first, *next; q != NULL; q = next) {
    next = q->next;
    gb_client_request_free(q);
  }
  c->first = NULL;
  c->end = &c->first;
  c->subscribed = false;
  disconnect(c);
}

static void say(char out[512], const gb_nws_address *to, const char *why) {
  (void)snprintf(out, 512, "%s:%u: %s", to->host, (unsigned)to->port, why);
}

/* Fails the first request to the current daemon, or all. Removes them from the queue first, as their
 * callbacks may add requests. */
static void fail(gb_client *c, bool all, const char *why) {
  gb_client_request *failed = NULL, **end = &failed;
  for (gb_client_request **at = &c->first; *at != NULL && (all || failed == NULL);) {
    gb_client_request *q = *at;
    if (!gb_nws_address_same(&q->to, &c->to)) {
      at = &q->next;
      continue;
    }
    *at = q->next;
    q->next = NULL;
    *end = q;
    end = &q->next;
  }
  for (c->end = &c->first; *c->end != NULL;)
    c->end = &(*c->end)->next;
  for (gb_client_request *q = failed, *next; q != NULL; q = next) {
    char text[512];
    next = q->next;
    say(text, &q->to, why);
    q->answer(q->context, NULL, text);
    gb_client_request_free(q);
  }
}

/* The connection has ended. */
static void broken(gb_client *c, const char *why, bool hopeless) {
  bool waiting = c->in_flight > 0 || c->state == GB_CLIENT_OPENING;
  hopeless = hopeless || c->state == GB_CLIENT_OPENING;
  bool fails = waiting && (hopeless || c->answered == 0);
  bool kept = c->subscribed || (c->stays && c->state == GB_CLIENT_OPEN && !fails);
  disconnect(c);
  c->subscribed = false;
  if (fails) {
    c->broken++;
    fail(c, hopeless || c->broken >= BREAKS_MOST, why);
  }
  if (kept && c->pushed != NULL) {
    char text[512];
    say(text, &c->to, why);
    c->pushed(c->pushed_context, NULL, text);
  }
}

/* Sends further requests. On a connection that stays, pieces of an answer do not extend the time for it. */
static void refill(gb_client *c) {
  gb_client_request *q = c->now >= c->resume ? same_daemon(c, c->in_flight) : NULL;
  bool extends = !c->stays || q != NULL || isinf(c->due);
  while (q != NULL && c->in_flight < WINDOW &&
         !(gb_client_request_alone(q) && c->in_flight + c->answered > 0)) {
    gb_put(&c->out, q->bytes.data, q->bytes.size);
    c->in_flight++;
    q = gb_client_request_alone(q) ? NULL : same_daemon(c, c->in_flight);
  }
  if (c->in_flight == 0 && c->in.size == 0)
    c->due = INFINITY;
  else if (extends)
    c->due = c->now + c->patience;
  if (c->out.failed)
    broken(c, "out of memory", true);
}

/* A reply to the first request. */
static void answered(gb_client *c, const gb_nws_message *reply) {
  gb_client_request *q = c->first;
  c->first = q->next;
  if (c->first == NULL)
    c->end = &c->first;
  c->in_flight--;
  c->answered++;
  c->broken = 0;
  c->subscribed = c->subscribed || reply->number == GB_NWS_AUTOFETCH_ACK;
  q->answer(q->context, reply, NULL);
  gb_client_request_free(q);
}

/* False: an unexpected message. */
static bool take(gb_client *c, const gb_nws_message *message) {
  if (c->in_flight > 0 && gb_client_request_fits(c->first, message)) {
    answered(c, message);
    return true;
  }
  bool subscribed = c->subscribed || (c->in_flight > 0 && c->first->number == GB_NWS_AUTOFETCH_BEGIN);
  if (!subscribed || message->number != GB_NWS_STATE_FETCHED)
    return false; /* a push may overtake the acknowledgement */
  if (c->pushed != NULL)
    c->pushed(c->pushed_context, message, NULL);
  return true;
}

/* Handles the whole messages at the beginning of `in`. NULL, or why the connection must be closed. */
static const char *take_all(gb_client *c, gb_bytes *in) {
  while (in->size > 0 && c->state == GB_CLIENT_OPEN) { /* a callback may clear the queue */
    size_t length = 0, most = c->in_flight > 0 ? gb_client_request_most(c->first) : GB_CLIENT_MESSAGE_MOST;
    gb_nws_message message;
    switch (gb_nws_next(in, most, &message, &length)) {
    case GB_NWS_PART:
      return NULL;
    case GB_NWS_TOO_LONG:
      return "it sends a message that is longer than any answer to what was asked";
    case GB_NWS_INVALID:
      return "it sends what is no message of the Network Weather Service";
    case GB_NWS_WHOLE:
      if (!take(c, &message))
        return "it sends a message that answers nothing that was asked";
    }
    gb_bytes_drop_front(in, length);
  }
  return NULL;
}

void gb_client_came(gb_client *c, const void *bytes, size_t size, double now) {
  c->now = now;
  gb_bytes in = c->in; /* callbacks may release c->in */
  c->in = (gb_bytes){0};
  gb_put(&in, bytes, size);
  const char *wrong = in.failed ? "out of memory" : take_all(c, &in);
  if (wrong == NULL && c->state == GB_CLIENT_OPEN) {
    c->in = in;
    refill(c);
    return;
  }
  gb_bytes_release(&in);
  if (wrong != NULL)
    broken(c, wrong, false);
}

const gb_nws_address *gb_client_wants(gb_client *c, double now) {
  c->now = now;
  if (c->state == GB_CLIENT_OPEN && c->in_flight == 0 && c->stays && c->first != NULL)
    refill(c);
  else if (c->state == GB_CLIENT_OPEN && c->in_flight == 0 && !c->stays && !c->subscribed)
    disconnect(c); /* nothing more to do here */
  if (c->state == GB_CLIENT_IDLE && c->first != NULL && now >= c->resume) {
    bool same = gb_nws_address_same(&c->to, &c->first->to);
    c->broken = same ? c->broken : 0;
    c->to = c->first->to;
    c->state = GB_CLIENT_OPENING;
    c->connection++;
    c->answered = 0;
    c->due = now + c->patience;
  }
  return c->state != GB_CLIENT_IDLE ? &c->to : NULL;
}

void gb_client_pause(gb_client *c, double seconds) {
  c->resume = c->now + seconds;
}

double gb_client_due(const gb_client *c) {
  double idle = c->first != NULL ? c->resume : INFINITY;
  return c->state != GB_CLIENT_IDLE ? c->due : idle;
}

void gb_client_dialled(gb_client *c, double now) {
  c->now = now;
  c->due = now + c->patience;
}

void gb_client_opened(gb_client *c, double now) {
  c->now = now;
  c->state = GB_CLIENT_OPEN;
  refill(c);
}

gb_view gb_client_output(const gb_client *c) {
  return gb_bytes_view(&c->out);
}

void gb_client_sent(gb_client *c, size_t size) {
  gb_bytes_drop_front(&c->out, size);
}

void gb_client_closed(gb_client *c, const char *why, double now) {
  c->now = now;
  broken(c, why, false);
}

void gb_client_time(gb_client *c, double now) {
  char why[64];
  c->now = now;
  if (now < c->due || c->state == GB_CLIENT_IDLE)
    return;
  const char *what = c->state == GB_CLIENT_OPENING ? "connection" : "answer";
  (void)snprintf(why, sizeof why, "no %s within %.0f s", what, c->patience);
  broken(c, why, true);
}
