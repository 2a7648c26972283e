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
