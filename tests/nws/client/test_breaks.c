/* Connections that break, one after another: which questions end, and when the count begins anew. */
#include "tests/support/nws/peer.h"

#include "nws/client/request_queue.h"

typedef struct outcome { /* of the questions to one daemon */
  uint32_t replies, failures;
} outcome;

static void count(void *context, const gb_nws_message *reply, const char *why) {
  outcome *o = context;
  o->replies += reply != NULL;
  o->failures += why != NULL;
}

static void store(gb_client *c, const char *daemon, uint32_t times, outcome *o) {
  gb_bytes request = vector("05_store_req_sensor");
  const gb_nws_message m = decoded(&request);
  const gb_nws_address to = address(daemon);
  for (uint32_t i = 0; i < times; i++)
    cr_assert(gb_client_ask(c, &to, &m, count, o));
  gb_bytes_release(&request);
}

static void stored(peer *p, const gb_nws_address *to, const gb_nws_message *request, gb_bytes *out) {
  const gb_bytes *reply = p->context;
  (void)to, (void)request;
  gb_put(out, reply->data, reply->size);
}

/* Each letter is a connection: x breaks before an answer, a answers once and closes, and . answers all.
 * Returns how many there were. */
static uint32_t connect_as(const char *script, gb_client *c) {
  gb_bytes reply = vector("06_state_stored_rep");
  peer p = new_peer(stored);
  p.context = &reply;
  for (uint32_t before = 0; peer_step(&p, c); before = p.connections) {
    cr_assert_leq(p.connections, strlen(script), "more connections than '%s'", script);
    if (p.connections == before)
      continue;
    const char letter = script[p.connections - 1];
    p.close_after = letter == 'x' ? 0 : letter == 'a' ? reply.size : SIZE_MAX;
  }
  cr_assert_null(c->first);
  gb_client_forget(c);
  gb_bytes_release(&reply);
  peer_release(&p);
  return p.connections;
}

/* 20 questions to one daemon. */
static outcome twenty(const char *script) {
  gb_client c;
  outcome o = {0};
  gb_client_init(&c, 5, NULL, NULL);
  store(&c, "m:8050", 20, &o);
  cr_assert_eq(connect_as(script, &c), strlen(script), "fewer connections than '%s'", script);
  cr_assert_eq(o.replies + o.failures, 20);
  return o;
}

Test(nws_breaks, three_in_a_row_fail_all_that_waits) {
  cr_assert_eq(twenty("x.").failures, 1);
  cr_assert_eq(twenty("xx.").failures, 2);
  cr_assert_eq(twenty("xxx").failures, 20);
}

Test(nws_breaks, an_answer_ends_the_row) {
  cr_assert_eq(twenty("xxaxx.").failures, 4);
  cr_assert_eq(twenty("axxaaxxaxxa.").failures, 6);
  const outcome o = twenty("xxaxxx");
  cr_assert_eq(o.replies, 1);
}

/* What one daemon does is no reason to give up another. */
Test(nws_breaks, a_row_is_one_daemons) {
  gb_client c;
  outcome bad = {0}, good = {0};
  gb_client_init(&c, 5, NULL, NULL);
  store(&c, "bad:8050", 2, &bad);
  store(&c, "good:8050", 20, &good);
  cr_assert_eq(connect_as("xxxx.", &c), 5);
  cr_assert_eq(bad.failures, 2);
  cr_assert_eq(good.failures, 2);
  cr_assert_eq(good.replies, 18);
}

static void pushed(void *context, const gb_nws_message *message, const char *why) {
  count(context, message, why);
}

static void open_with(gb_client *c, double now) {
  cr_assert_not_null(gb_client_wants(c, now));
  gb_client_opened(c, now);
}

static void came(gb_client *c, const char *name, size_t most, double now) {
  gb_bytes bytes = vector(name);
  gb_client_came(c, bytes.data, least(bytes.size, most), now);
  gb_bytes_release(&bytes);
}

/* A client that a memory may send to unasked. */
static void subscribe(gb_client *c, outcome *pushes) {
  gb_bytes request = vector("18_autofetch_begin_req");
  const gb_nws_message m = decoded(&request);
  const gb_nws_address to = address("m:8050");
  outcome o = {0};
  gb_client_init(c, 5, pushed, pushes);
  cr_assert(gb_client_ask(c, &to, &m, count, &o));
  open_with(c, 1);
  came(c, "19_autofetch_ack_rep", SIZE_MAX, 1);
  cr_assert_eq(o.replies, 1);
  gb_bytes_release(&request);
}

/* The next connection is not subscribed to anything. */
Test(nws_breaks, a_subscription_ends_with_its_connection) {
  gb_client c;
  outcome pushes = {0}, o = {0};
  subscribe(&c, &pushes);
  came(&c, "08_state_fetched_rep", SIZE_MAX, 2);
  cr_assert_eq(pushes.replies, 1);
  gb_client_closed(&c, "gone", 3);
  cr_assert_eq(pushes.failures, 1);
  store(&c, "m:8050", 1, &o);
  open_with(&c, 4);
  came(&c, "08_state_fetched_rep", SIZE_MAX, 4);
  cr_assert_eq(pushes.replies, 1, "pushed without a subscription");
  cr_assert_eq(o.failures, 1);
  gb_client_forget(&c);
}

/* A client that keeps its connection, after one answer at 1 s. */
static void keep(gb_client *c, outcome *ends, outcome *o) {
  gb_client_init(c, 5, pushed, ends);
  c->stays = true;
  store(c, "m:8050", 1, o);
  open_with(c, 1);
  came(c, "06_state_stored_rep", SIZE_MAX, 1);
  cr_assert_eq(o->replies, 1);
}

static void ask_again(gb_client *c, outcome *o, double now) {
  store(c, "m:8050", 1, o);
  cr_assert_not_null(gb_client_wants(c, now));
  cr_assert_gt(gb_client_output(c).length, 0);
}

Test(nws_breaks, a_connection_that_stays_is_used_again) {
  gb_client c;
  outcome ends = {0}, o = {0};
  keep(&c, &ends, &o);
  cr_assert_not_null(gb_client_wants(&c, 1000));
  cr_assert_eq(gb_client_due(&c), INFINITY);
  gb_client_sent(&c, gb_client_output(&c).length);
  ask_again(&c, &o, 1000);
  cr_assert_eq(gb_client_due(&c), 1005);
  came(&c, "06_state_stored_rep", SIZE_MAX, 1001);
  cr_assert_eq(o.replies, 2);
  cr_assert_eq(c.connection, 1);
  cr_assert_eq(ends.failures, 0);
  gb_client_closed(&c, "gone", 1002);
  cr_assert_eq(ends.failures, 1);
  cr_assert_null(gb_client_wants(&c, 1003));
  gb_client_forget(&c);
}

/* By the request that fails, or else by the owner's callback, never by both. */
Test(nws_breaks, an_end_is_told_once) {
  gb_client c;
  outcome ends = {0}, o = {0};
  keep(&c, &ends, &o);
  ask_again(&c, &o, 2);
  gb_client_closed(&c, "gone", 3); /* after an answer: the request is kept */
  cr_assert(o.failures == 0 && ends.failures == 1);
  open_with(&c, 4);
  gb_client_closed(&c, "gone", 5); /* before any */
  cr_assert(o.failures == 1 && ends.failures == 1);
  cr_assert_null(gb_client_wants(&c, 6));
  gb_client_forget(&c);
}

/* On a connection that stays, a byte now and then does not put off the end of the wait. */
Test(nws_breaks, an_answer_in_drips) {
  for (int stays = 0; stays < 2; stays++) {
    gb_client c;
    outcome ends = {0}, o = {0};
    gb_bytes reply = vector("06_state_stored_rep");
    gb_client_init(&c, 5, pushed, &ends);
    c.stays = stays;
    store(&c, "m:8050", 1, &o);
    open_with(&c, 0);
    for (size_t i = 0; i < 3; i++)
      gb_client_came(&c, reply.data + i, 1, 1 + (double)i);
    cr_assert_eq(gb_client_due(&c), stays ? 5 : 8);
    gb_client_time(&c, 5);
    cr_assert_eq(o.failures, (uint32_t)stays);
    gb_bytes_release(&reply);
    gb_client_forget(&c);
  }
}

/* Half a message, and then nothing: that is silence, though nothing was asked. */
Test(nws_breaks, half_a_push_is_waited_for_as_long_as_an_answer) {
  gb_client c;
  outcome pushes = {0};
  subscribe(&c, &pushes);
  cr_assert_eq(gb_client_due(&c), INFINITY);
  came(&c, "08_state_fetched_rep", 20, 10);
  cr_assert_eq(gb_client_due(&c), 15);
  gb_client_time(&c, 15);
  cr_assert_eq(pushes.failures, 1);
  cr_assert_null(gb_client_wants(&c, 15));
  gb_client_forget(&c);
}
