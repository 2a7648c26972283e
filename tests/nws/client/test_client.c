/* The client against peers that answer well, in pieces, late, too much, too little, nonsense, or close.
 * Whatever they do, each question is answered once, in simulated time. */
#include "tests/support/nws/peer.h"

#include "nws/client/request_queue.h"
#include "tests/support/xorshift.h"

typedef struct outcome { /* of questions */
  uint32_t answers, replies, number;
  char why[512];
} outcome;

static void count(void *context, const gb_nws_message *reply, const char *why) {
  outcome *o = context;
  o->answers++;
  o->replies += reply != NULL;
  cr_assert((reply == NULL) != (why == NULL));
  if (reply != NULL)
    o->number = reply->number;
  else
    (void)snprintf(o->why, sizeof o->why, "%s", why);
}

/* The dialogues of the protocol's section 11, as captured. */
static const struct dialogue {
  const char *host, *request, *reply;
} dialogues[] = {
    {"ns:8090", "03_ns_search_req", "04_ns_searched_rep"},
    {"ns:8090", "03_ns_search_req", "04b_ns_searched_empty_rep"},
    {"ns:8090", "01_ns_register_req", "02_ns_registered_rep"},
    {"ns:8090", "11_ns_register_sensor_req", "02_ns_registered_rep"},
    {"m:8050", "07_fetch_req", "08_state_fetched_rep"},
    {"m:8050", "07_fetch_req", "08a_state_fetched_newest_first_rep"},
    {"m:8050", "07_fetch_req", "09_memory_failed_rep"},
    {"m:8050", "05_store_req_sensor", "06_state_stored_rep"},
    {"m:8050", "12_store_req_bw_sensor", "06_state_stored_rep"},
    {"m:8050", "10_host_test_req", "10_host_test_result_rep"},
    {"f:8070", "15_fore_series_req", "16_fore_forecast_rep"},
    {"m:8050", "18_autofetch_begin_req", "19_autofetch_ack_rep"},
};

enum { DIALOGUES = sizeof dialogues / sizeof *dialogues };

/* A peer that gives the same bytes to every request. */
static void same(peer *p, const gb_nws_address *to, const gb_nws_message *request, gb_bytes *out) {
  const gb_bytes *reply = p->context;
  (void)to, (void)request;
  gb_put(out, reply->data, reply->size);
}

static void ask_times(gb_client *c, const struct dialogue *d, uint32_t times, outcome *o) {
  gb_bytes request = vector(d->request);
  gb_nws_message m = decoded(&request);
  gb_nws_address to = address(d->host);
  if (m.number == GB_NWS_FETCH_STATE)
    m.state.record_count = 3; /* the captured one asks for 2, and 08a answers one for 3 */
  for (uint32_t i = 0; i < times; i++)
    cr_assert(gb_client_ask(c, &to, &m, count, o));
  gb_bytes_release(&request);
}

/* `times` questions of a dialogue; the peer is released. */
static outcome converse(const struct dialogue *d, uint32_t times, peer *p) {
  gb_client c;
  outcome o = {0};
  gb_client_init(&c, 5, NULL, NULL);
  ask_times(&c, d, times, &o);
  peer_run(p, &c);
  cr_assert_eq(o.answers, times, "%s: %u answers", d->request, o.answers);
  cr_assert_null(c.first);
  gb_client_forget(&c);
  peer_release(p);
  return o;
}

/* The same with a peer that gives this reply to each request, and closes behind each when it `closes`. */
static outcome converse_by_rote(const struct dialogue *d, const char *reply, uint32_t times, bool closes,
                                peer *p) {
  gb_bytes bytes = vector(reply);
  *p = new_peer(same);
  p->context = &bytes;
  if (closes)
    p->close_after = bytes.size;
  outcome o = converse(d, times, p);
  gb_bytes_release(&bytes);
  return o;
}

Test(nws_client, captured_dialogues_in_pieces_of_every_size) {
  for (size_t i = 0; i < DIALOGUES; i++)
    for (size_t chunk = 1; chunk < 400; chunk += 1 + chunk / 8) {
      gb_bytes reply = vector(dialogues[i].reply), request = vector(dialogues[i].request);
      peer p = new_peer(same);
      p.context = &reply;
      p.chunk = chunk;
      outcome o = converse(&dialogues[i], 3, &p);
      cr_assert_eq(o.replies, 3, "%s in %zu: %s", dialogues[i].request, chunk, o.why);
      cr_assert_eq(o.number, decoded(&reply).number);
      gb_bytes_release(&reply);
      gb_bytes_release(&request);
    }
}

Test(nws_client, closing_at_every_byte) {
  for (size_t i = 0; i < DIALOGUES; i++) {
    gb_bytes reply = vector(dialogues[i].reply);
    for (size_t end = 0; end <= 3 * reply.size; end++) {
      peer p = new_peer(same);
      p.context = &reply;
      p.close_after = end;
      outcome o = converse(&dialogues[i], 3, &p);
      cr_assert_eq(o.replies, end >= reply.size ? 3 : 0, "%s, %zu bytes: %u", dialogues[i].reply, end,
                   o.replies);
      cr_assert_leq(p.connections, 4, "%s, %zu bytes", dialogues[i].reply, end);
      cr_assert(o.replies == 3 || strstr(o.why, ": closed") != NULL, "%s", o.why);
    }
    gb_bytes_release(&reply);
  }
}

Test(nws_client, damaged_answers_end_every_question) {
  uint64_t seed = 11;
  for (uint32_t round = 0; round < 10000; round++) {
    const struct dialogue *d = &dialogues[xorshift(&seed, DIALOGUES)];
    gb_bytes reply = vector(d->reply);
    uint32_t damages = 1 + xorshift(&seed, 4);
    for (uint32_t i = 0; i < damages; i++)
      reply.data[xorshift(&seed, xorshift(&seed, 2) ? 12 : (uint32_t)reply.size)] =
          (unsigned char)xorshift(&seed, 256);
    if (xorshift(&seed, 4) == 0)
      reply.size = xorshift(&seed, (uint32_t)reply.size);
    peer p = new_peer(same);
    p.context = &reply;
    p.chunk = 1 + xorshift(&seed, 64);
    (void)converse(d, 1 + xorshift(&seed, 20), &p);
    gb_bytes_release(&reply);
  }
}

static void noise(peer *p, const gb_nws_address *to, const gb_nws_message *request, gb_bytes *out) {
  uint64_t *seed = p->context;
  (void)to, (void)request;
  for (uint32_t size = xorshift(seed, 3000); size > 0; size--)
    gb_put(out, &(unsigned char){(unsigned char)xorshift(seed, xorshift(seed, 3) ? 256 : 2)}, 1);
}

Test(nws_client, noise) {
  uint64_t seed = 12;
  for (uint32_t round = 0; round < 2000; round++) {
    peer p = new_peer(noise);
    p.context = &seed;
    p.chunk = 1 + xorshift(&seed, 4000);
    outcome o = converse(&dialogues[xorshift(&seed, DIALOGUES)], 5, &p);
    cr_assert_eq(o.replies, 0);
  }
}

static void nothing(peer *p, const gb_nws_address *to, const gb_nws_message *request, gb_bytes *out) {
  (void)p, (void)to, (void)request, (void)out;
}

Test(nws_client, a_silent_daemon_fails_all_its_questions_at_once_and_no_others) {
  gb_bytes reply = vector("06_state_stored_rep");
  gb_client c;
  outcome silent = {0}, other = {0};
  peer p = new_peer(nothing);
  gb_client_init(&c, 5, NULL, NULL);
  ask_times(&c, &(struct dialogue){"quiet:8050", "05_store_req_sensor", NULL}, 40, &silent);
  ask_times(&c, &(struct dialogue){"other:8050", "05_store_req_sensor", NULL}, 1, &other);
  while (silent.answers == 0)
    cr_assert(peer_step(&p, &c));
  cr_assert_float_eq(p.now, 105, 1e-9);
  cr_assert_eq(silent.answers, 40);
  cr_assert_str_eq(silent.why, "quiet:8050: no answer within 5 s");
  cr_assert_eq(p.pending_most, 16);
  p.reply = same;
  p.context = &reply;
  peer_run(&p, &c);
  cr_assert_eq(other.replies, 1);
  gb_client_forget(&c);
  peer_release(&p);
  gb_bytes_release(&reply);
}

Test(nws_client, a_daemon_that_cannot_be_reached) {
  peer p = new_peer(nothing);
  p.refused = 8050;
  outcome o = converse(&dialogues[4], 100, &p);
  cr_assert_eq(o.replies, 0);
  cr_assert_eq(p.connections, 1);
  cr_assert_str_eq(o.why, "m:8050: refused");
}

/* Whoever serves the client now and then may learn the address long after it was wanted. */
Test(nws_client, patience_begins_anew_when_the_address_is_known) {
  gb_client c;
  outcome o = {0};
  gb_client_init(&c, 5, NULL, NULL);
  ask_times(&c, &dialogues[4], 1, &o);
  cr_assert_not_null(gb_client_wants(&c, 0));
  cr_assert_eq(gb_client_due(&c), 5);
  gb_client_dialled(&c, 30);
  gb_client_time(&c, 30);
  gb_client_time(&c, 34.9);
  cr_assert_eq(o.answers, 0);
  gb_client_time(&c, 35);
  cr_assert_str_eq(o.why, "m:8050: no connection within 5 s");
  gb_client_forget(&c);
}

/* Slower than the patience for all of it, but never silent for so long. */
Test(nws_client, slow_is_not_silent) {
  gb_bytes reply = vector("08_state_fetched_rep");
  gb_client c;
  outcome o = {0};
  gb_client_init(&c, 5, NULL, NULL);
  ask_times(&c, &dialogues[4], 1, &o);
  cr_assert_not_null(gb_client_wants(&c, 0));
  gb_client_opened(&c, 1);
  for (size_t i = 0; i < reply.size; i++) {
    double now = 1 + 4 * (double)(i + 1);
    gb_client_time(&c, now);
    gb_client_came(&c, reply.data + i, 1, now);
  }
  cr_assert_eq(o.replies, 1);
  cr_assert_null(gb_client_wants(&c, 1e4));
  gb_client_forget(&c);
  gb_bytes_release(&reply);
}

/* Says that the answer is as long as can be, and goes on for ever. */
static void endless(peer *p, const gb_nws_address *to, const gb_nws_message *request, gb_bytes *out) {
  uint32_t size = *(uint32_t *)p->context;
  (void)to;
  gb_put_u32(out, GB_NWS_VERSION);
  gb_put_u32(out, request->number + 1);
  gb_put_u32(out, size);
  for (uint32_t i = 0; i < 9u << 20; i += 4)
    gb_put_u32(out, 0x61626364);
}

Test(nws_client, memory_is_bounded_whatever_the_header_says) {
  uint32_t sizes[] = {0,        1,        152,       GB_CLIENT_MESSAGE_MOST, GB_CLIENT_SEARCHED_MOST - 12,
                      5u << 20, 1u << 31, UINT32_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t d = 0; d < DIALOGUES; d += 4) { /* a search, a fetch, a store */
      peer p = new_peer(endless);
      p.context = &sizes[i];
      p.chunk = 16384;
      (void)converse(&dialogues[d], 1, &p);
      cr_assert_leq(p.held_most, 2 * GB_CLIENT_SEARCHED_MOST, "%zu", p.held_most);
    }
}

Test(nws_client, a_daemon_that_closes_after_each_answer) {
  peer p;
  outcome o = converse_by_rote(&dialogues[7], "06_state_stored_rep", 50, true, &p);
  cr_assert_eq(o.replies, 50);
  cr_assert_eq(p.connections, 50);
}

Test(nws_client, a_forecaster_gets_a_connection_for_each_question) {
  peer p;
  outcome o = converse_by_rote(&dialogues[10], "16_fore_forecast_rep", 4, false, &p);
  cr_assert_eq(o.replies, 4);
  cr_assert_eq(p.connections, 4);
  cr_assert_eq(p.pending_most, 1);
}

Test(nws_client, an_answer_about_another_series_is_none) {
  peer p;
  outcome o = converse_by_rote(&dialogues[4], "09b_state_fetched_empty_rep", 2, false, &p);
  cr_assert_eq(o.replies, 0);
  cr_assert(strstr(o.why, "answers nothing that was asked") != NULL, "%s", o.why);
}

/* Reading a megabyte of them would take a job's rank 0 far longer than it means to wait. */
Test(nws_client, more_records_than_were_asked_for_are_no_answer) {
  gb_bytes reply = vector("08a_state_fetched_newest_first_rep"), request = vector("07_fetch_req");
  gb_nws_message m = decoded(&request);
  gb_nws_address to = address("m:8050");
  for (uint32_t wanted = 2; wanted <= 4; wanted++) {
    gb_client c;
    outcome o = {0};
    gb_client_init(&c, 5, NULL, NULL);
    m.state.record_count = wanted;
    cr_assert(gb_client_ask(&c, &to, &m, count, &o));
    cr_assert_not_null(gb_client_wants(&c, 0));
    gb_client_opened(&c, 1);
    gb_client_came(&c, reply.data, reply.size, 1);
    cr_assert_eq(o.replies, wanted >= 3, "%u records were asked for, and 3 came", (unsigned)wanted);
    gb_client_forget(&c);
  }
  gb_bytes_release(&request);
  gb_bytes_release(&reply);
}

/* A name server that skips the object behind each that it deletes: 6.2 of the protocol. */
static void skipping(peer *p, const gb_nws_address *to, const gb_nws_message *request, gb_bytes *out) {
  uint32_t *objects = p->context;
  gb_nws_message m = {.number = request->number + 1};
  (void)to;
  cr_assert_str_eq(request->text.at, "(name=x)");
  if (request->number == GB_NWS_NS_UNREGISTER)
    *objects -= (*objects + 1) / 2;
  else
    m.text = gb_view_of(*objects > 0 ? "name:x\t\t" : "");
  gb_nws_encode(out, &m);
}

Test(nws_client, unregistering_goes_on_until_nothing_is_found) {
  uint32_t objects = 20;
  gb_client c;
  outcome o = {0};
  peer p = new_peer(skipping);
  p.context = &objects;
  gb_client_init(&c, 5, NULL, NULL);
  gb_unregister u = {&c, address("ns:8090"), "(name=x)", count, &o, 0};
  cr_assert(gb_unregister_begin(&u));
  peer_run(&p, &c);
  cr_assert_eq(objects, 0);
  cr_assert_eq(o.answers, 1);
  cr_assert_eq(o.number, GB_NWS_NS_SEARCHED);
  objects = UINT32_MAX; /* 32 rounds */
  cr_assert(gb_unregister_begin(&u));
  peer_run(&p, &c);
  cr_assert_eq(o.answers, 2);
  gb_client_forget(&c);
  peer_release(&p);
}
