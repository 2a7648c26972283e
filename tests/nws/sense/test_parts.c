/* What a sensor is made of, apart from experiments and cliques: names and objects as in the captures, the
 * boxes in between, the lane, lists of members. */
#include "nws/sense/clique.h"
#include "nws/sense/experiment.h"
#include "nws/sense/outbox.h"
#include "nws/sense/tcp_connection.h"
#include "nws/wire/object.h"
#include "tests/support/nws/vectors.h"
#include "tests/support/xorshift.h"

#include <math.h>
#include <stdlib.h>

static void same_as_vector(const gb_bytes *bytes, const char *name) {
  unsigned char vector[NWS_VECTOR_MOST];
  size_t size = nws_vector_read(name, vector);
  cr_assert_eq(bytes->size, size, "%s", name);
  cr_assert_arr_eq(bytes->data, vector, size, "%s", name);
}

/* What is due, as bytes. */
static uint32_t due(const gb_renewals *r, double now, gb_bytes *message, double *next) {
  gb_bytes text = {0};
  gb_nws_message m;
  uint32_t which = gb_renewals_due(r, now, &m, &text, next);
  if (which < r->count)
    gb_nws_encode(message, &m);
  gb_bytes_release(&text);
  return which;
}

static void put_sample(gb_bytes *message, const gb_sample *sample) {
  gb_bytes text = {0};
  gb_nws_message m;
  gb_sample_tell(sample, &m, &text);
  gb_nws_encode(message, &m);
  gb_bytes_release(&text);
}

Test(series, objects_are_those_of_a_sensor) {
  const gb_pair_series series = {.host = "vm:8061", .target = "vm:8060"};
  char name[GB_NWS_NAME_MOST + 1];
  gb_bytes object = {0}, message = {0};
  gb_renewals renewals = {0};
  double next = 0;
  cr_assert(gb_pair_series_name(&series, name));
  gb_pair_series_object(&object, &series, name, "vm:8050");
  cr_assert(gb_renewals_add(&renewals, &object));
  cr_assert_eq(due(&renewals, 0, &message, &next), 0);
  same_as_vector(&message, "11_ns_register_sensor_req");
  gb_bytes_release(&message);
  gb_renewals_release(&renewals);
}

Test(series, stores_are_those_of_a_sensor) {
  const gb_pair_series latency = {.host = "vm:8061", .target = "vm:8060"};
  const gb_pair_series bandwidth = {
      .host = "vm:8061", .target = "vm:8060", .bandwidth = true, .buffer = 32, .message = 16, .size = 64};
  static gb_outbox box;
  char name[GB_NWS_NAME_MOST + 1];
  gb_bytes message = {0};
  cr_assert(gb_pair_series_name(&latency, name));
  cr_assert(gb_outbox_put(&box, name, 1795228411, 0.06));
  put_sample(&message, gb_outbox_first(&box));
  same_as_vector(&message, "05_store_req_sensor");
  gb_bytes_clear(&message);
  box = (gb_outbox){0};
  cr_assert(gb_pair_series_name(&bandwidth, name));
  cr_assert(gb_outbox_put(&box, name, 1795228411, 5190.9703));
  put_sample(&message, gb_outbox_first(&box));
  same_as_vector(&message, "12_store_req_bw_sensor");
  gb_bytes_release(&message);
}

Test(series, the_method_is_told) {
  const gb_pair_series series = {
      .host = "a:1", .target = "b:2", .bandwidth = true, .message = 128, .size = 16384, .method = "iperf"};
  static const char expected[] =
      "name:n\tobjectclass:nwsSeries\thost:a:1\tlabel:Megabits/second\tmemory:m:3\t"
      "option:buffer,message,size,target\tresource:bandwidthTcp\tbuffer:0\t"
      "message:128\tsize:16384\ttarget:b:2\tmethod:iperf\t\t";
  gb_bytes object = {0};
  gb_pair_series_object(&object, &series, "n", "m:3");
  cr_assert_eq(object.size, sizeof expected - 1);
  cr_assert_arr_eq(object.data, expected, object.size);
  gb_bytes_release(&object);
}

Test(series, names_end_at_127_characters) {
  char host[GB_NWS_NAME_MOST + 1], name[GB_NWS_NAME_MOST + 1];
  for (size_t length = 0; length <= GB_NWS_NAME_MOST; length++) {
    memset(host, 'h', length);
    host[length] = '\0';
    bool fits = length + strlen(".latencyTcp.b:1") <= GB_NWS_NAME_MOST;
    cr_assert_eq(gb_pair_series_name(&(gb_pair_series){.host = host, .target = "b:1"}, name), fits);
  }
}

Test(outbox, keeps_the_newest_in_order) {
  static gb_outbox box;
  uint64_t seed = 5;
  uint32_t put = 0, got = 0;
  double last = 0;
  for (unsigned round = 0; round < 30000; round++) {
    if (xorshift(&seed, 3) > 0) /* more come than go; the clock is set back now and then */
      cr_assert(gb_outbox_put(&box, "s", 1e9 + xorshift(&seed, 1000), ++put));
    const gb_sample *sample = gb_outbox_first(&box);
    cr_assert_leq(box.count, GB_OUTBOX_MOST);
    cr_assert_eq(put, got + box.count + box.lost);
    if (sample == NULL || xorshift(&seed, 3) > 0)
      continue;
    cr_assert_eq(sample->measurement.value, got + box.lost + 1);
    cr_assert_gt(sample->sequence, last);
    last = sample->sequence;
    gb_outbox_acknowledged(&box, sample->sequence);
    got++;
  }
  cr_assert_gt(box.lost, 0);
  cr_assert_not(gb_outbox_put(&box, "s", 1e9, 1e300));
  cr_assert_not(gb_outbox_put(&box, "s", 1e9, (double)NAN));
}

/* While a sample is on its way to a memory, so many come that it is dropped to make room. */
Test(outbox, what_is_acknowledged_late_is_not_lost) {
  static gb_outbox box;
  for (uint32_t i = 0; i < GB_OUTBOX_MOST; i++)
    cr_assert(gb_outbox_put(&box, "s", 1e9 + i, i));
  const double sent = gb_outbox_first(&box)->sequence;
  cr_assert(gb_outbox_put(&box, "s", 2e9, 0) && box.lost == 1);
  gb_outbox_acknowledged(&box, sent);
  cr_assert_eq(box.lost, 0);
  cr_assert_eq(box.count, GB_OUTBOX_MOST);
  cr_assert_eq(gb_outbox_first(&box)->measurement.value, 1);
  gb_outbox_acknowledged(&box, gb_outbox_first(&box)->sequence);
  cr_assert_eq(gb_outbox_first(&box)->measurement.value, 2);
  cr_assert_eq(box.count, GB_OUTBOX_MOST - 1);
}

Test(renewals, come_back_in_time) {
  gb_renewals r = {0};
  gb_bytes message = {0};
  double next = 0;
  for (unsigned i = 0; i < 40; i++)
    for (unsigned twice = 0; twice < 2; twice++) {
      gb_bytes object = {0};
      gb_put_u32(&object, i);
      cr_assert(gb_renewals_add(&r, &object));
      cr_assert_null(object.data);
    }
  cr_assert_eq(r.count, 40);
  cr_assert_not(gb_renewals_complete(&r));
  for (uint32_t i = 0; i < 40; i++) {
    cr_assert_eq(due(&r, 10 + i, &message, &next), i);
    gb_renewals_done(&r, i, false, 10 + i);
  }
  cr_assert(gb_renewals_complete(&r));
  gb_bytes_clear(&message);
  cr_assert_eq(due(&r, 909, &message, &next), 40);
  cr_assert_eq(next, 910);
  cr_assert_eq(message.size, 0);
  cr_assert_eq(due(&r, 910, &message, &next), 0);
  cr_assert_eq(message.data[message.size - 1], 1800 & 0xff);
  cr_assert_eq(message.data[message.size - 2], 1800 >> 8);
  gb_renewals_done(&r, 0, false, 910);
  gb_renewals_forgotten(&r);
  cr_assert_eq(due(&r, 911, &message, &next), 0);
  gb_bytes_release(&message);
  gb_renewals_release(&r);
}

static void add_object(gb_renewals *r, const char *name, const char *host) {
  gb_bytes object = {0};
  gb_object_add_strings(&object, "name", name, "objectclass", "nwsActivity", "host", host, NULL);
  gb_object_end(&object);
  cr_assert(gb_renewals_add(r, &object));
}

/* What is due first is sent and answered. */
static gb_nws_message renew(gb_renewals *r, gb_bytes *message) {
  double next = 0;
  gb_nws_message m;
  gb_bytes_clear(message);
  uint32_t which = due(r, 0, message, &next);
  cr_assert_lt(which, r->count);
  cr_assert(gb_nws_decode(message->data, message->size, &m));
  gb_renewals_done(r, which, m.number == GB_NWS_NS_UNREGISTER, 0);
  return m;
}

Test(renewals, are_withdrawn_by_class_name_and_host) {
  gb_renewals r = {0};
  gb_bytes message = {0};
  double next = 0;
  add_object(&r, "a (wan) clique", "h:1");
  add_object(&r, "b", "h:1");
  for (unsigned i = 0; i < 2; i++)
    cr_assert_eq(renew(&r, &message).number, GB_NWS_NS_REGISTER);
  gb_renewals_withdraw(&r, "nwsSeries", "b");
  gb_renewals_withdraw(&r, "nwsActivity", "c");
  cr_assert(gb_renewals_complete(&r));
  gb_renewals_withdraw(&r, "nwsActivity", "b");
  cr_assert_not(gb_renewals_complete(&r));
  add_object(&r, "b", "h:1"); /* it is true after all */
  cr_assert_eq(renew(&r, &message).number, GB_NWS_NS_REGISTER);
  gb_renewals_withdraw(&r, "nwsActivity", "a (wan) clique");
  gb_nws_message m = renew(&r, &message);
  cr_assert_eq(m.number, GB_NWS_NS_UNREGISTER);
  cr_assert(gb_view_is(m.text, "(&(objectclass=nwsActivity)(name=a*(wan**clique)(host=h:1))"));
  cr_assert_eq(r.count, 1);
  gb_renewals_forgotten(&r);
  m = renew(&r, &message);
  cr_assert_eq(m.number, GB_NWS_NS_REGISTER);
  cr_assert_eq(due(&r, 0, &message, &next), 1);
  gb_bytes_release(&message);
  gb_renewals_release(&r);
}

/* What changes between a request and its reply is done after it; withdrawals go first. */
Test(renewals, change_while_they_are_sent) {
  gb_renewals r = {0};
  gb_bytes message = {0};
  add_object(&r, "a", "h:1");
  gb_renewals_withdraw(&r, "nwsActivity", "a");
  gb_renewals_done(&r, 0, false, 0); /* the reply to its registration */
  add_object(&r, "b", "h:1");
  cr_assert_eq(renew(&r, &message).number, GB_NWS_NS_UNREGISTER);
  cr_assert_eq(r.count, 1);
  cr_assert_eq(renew(&r, &message).number, GB_NWS_NS_REGISTER);
  gb_renewals_withdraw(&r, "nwsActivity", "b");
  add_object(&r, "c", "h:1");
  add_object(&r, "b", "h:1");
  gb_renewals_done(&r, 0, true, 0); /* the reply to its withdrawal, which is no longer wanted */
  cr_assert_eq(r.count, 2);
  for (unsigned i = 0; i < 2; i++)
    cr_assert_eq(renew(&r, &message).number, GB_NWS_NS_REGISTER);
  cr_assert(gb_renewals_complete(&r));
  gb_bytes_release(&message);
  gb_renewals_release(&r);
}

static gb_experiment_queue queue;
static int order[64], turns;

static void go(void *context) {
  order[turns++] = *(int *)context;
}

Test(queue, one_at_a_time_and_own_ones_first) {
  gb_ticket ticket[40];
  int number[40];
  for (int i = 0; i < 40; i++) {
    number[i] = i;
    ticket[i] = (gb_ticket){.go = go, .context = &number[i]};
  }
  for (int i = 0; i < 40; i++)
    cr_assert_eq(gb_experiment_queue_enter(&queue, &ticket[i], false),
                 i <= GB_EXPERIMENT_QUEUE_MOST); /* one runs */
  cr_assert(gb_experiment_queue_enter(&queue, &ticket[39], true));
  cr_assert_eq(turns, 1);
  gb_experiment_queue_leave(&queue, &ticket[5]);  /* it waited */
  gb_experiment_queue_leave(&queue, &ticket[38]); /* it never got in */
  const int expected[] = {0, 39, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    cr_assert_eq(turns, i + 1);
    cr_assert_eq(order[i], expected[i]);
    gb_experiment_queue_leave(&queue, &ticket[expected[i]]);
  }
  cr_assert_null(queue.running);
}

Test(members, are_one_list_however_they_are_told) {
  static const char *const told[] = {"b.example.org", "A.example.org:8060", "10.0.0.7:99", "c",
                                     "b.example.org:8060"};
  enum { TOLD = sizeof told / sizeof *told };
  uint64_t seed = 3;
  for (unsigned round = 0; round < 50; round++) {
    gb_members m = {0};
    const char *why = NULL;
    uint32_t start = xorshift(&seed, TOLD);
    for (uint32_t i = 0; i < TOLD; i++)
      cr_assert(gb_members_add(&m, gb_view_of(told[(start + 2 * i) % TOLD]), &why));
    cr_assert_eq(m.count, 4);
    cr_assert_str_eq(m.name[0], "10.0.0.7:99");
    cr_assert_str_eq(m.name[1], "a.example.org:8060");
    cr_assert_str_eq(m.name[2], "b.example.org:8060");
    cr_assert_str_eq(m.name[3], "c:8060");
    cr_assert_eq(gb_members_find(&m, "c:8060"), 3);
    cr_assert_eq(gb_members_find(&m, "d:8060"), 4);
    cr_assert_not(gb_members_add(&m, gb_view_of("x:0"), &why));
    cr_assert_not(gb_members_add(&m, gb_view_of(""), &why));
  }
  gb_members many = {0};
  const char *why = NULL;
  for (unsigned i = 0; i < 120; i++) {
    char name[32];
    snprintf(name, sizeof name, "h%u", i);
    cr_assert_eq(gb_members_add(&many, gb_view_of(name), &why), i < GB_CLIQUE_MOST);
  }
}

typedef struct taken {
  gb_message_codec codec;
  unsigned count;
  size_t bytes;
} taken;

static const uint32_t numbers[] = {GB_NWS_METHODS_TELL, GB_NWS_NS_SEARCH, GB_NWS_NS_SEARCHED}; /* of texts */

static void came(void *context, const gb_nws_message *message) {
  taken *t = context;
  cr_assert_eq(message->number, numbers[t->count % 3]);
  t->count++;
  t->bytes += GB_NWS_HEADER_BYTES + message->text.length;
}

/* Messages of any size, however the stream is cut. */
Test(codec, finds_the_messages_in_a_stream) {
  uint64_t seed = 11;
  for (unsigned round = 0; round < 300; round++) {
    gb_bytes stream = {0};
    taken t = {0};
    unsigned count = xorshift(&seed, 20);
    gb_message_codec_start(&t.codec, 1 << 20, came, &t, INFINITY);
    for (unsigned i = 0; i < count; i++) {
      uint32_t size = xorshift(&seed, 3) == 0 ? xorshift(&seed, 5000) : 0;
      gb_put_u32(&stream, 0);
      gb_put_u32(&stream, numbers[i % 3]);
      gb_put_u32(&stream, size);
      while (size-- > 0)
        gb_put(&stream, "x", 1);
    }
    for (size_t at = 0, piece; at < stream.size; at += piece) {
      piece = 1 + xorshift(&seed, round % 2 == 0 ? 3 : 9000);
      piece = piece < stream.size - at ? piece : stream.size - at;
      t.codec.handler.calls->received(&t.codec.handler, stream.data + at, piece, 0);
    }
    cr_assert_eq(t.count, count);
    cr_assert_eq(t.bytes, stream.size);
    cr_assert_not(t.codec.handler.over);
    gb_message_codec_release(&t.codec);
    gb_bytes_release(&stream);
  }
}

Test(codec, waits_for_nothing_endless) {
  static const unsigned char endless[] = {2, 0, 0, 0, 0, 0, 0, 200, 0xff, 0xff, 0xff, 0xff};
  taken t = {0};
  gb_message_codec_start(&t.codec, 1 << 20, came, &t, INFINITY);
  t.codec.handler.calls->received(&t.codec.handler, endless, sizeof endless, 0);
  cr_assert(t.codec.handler.over);
  gb_message_codec_release(&t.codec);
}

/* The number of a message tells something even if its body is none. */
Test(codec, tells_which_message_it_could_not_read) {
  taken t = {0};
  gb_bytes stream = {0};
  gb_message_codec_start(&t.codec, 1 << 20, came, &t, INFINITY);
  gb_put_u32(&stream, GB_NWS_VERSION);
  gb_put_u32(&stream, GB_NWS_CLIQUE_TOKEN_ACK);
  gb_put_u32(&stream, 1);
  gb_put(&stream, "", 1);
  t.codec.handler.calls->received(&t.codec.handler, stream.data, stream.size, 0);
  cr_assert(t.codec.handler.over);
  cr_assert_eq(t.codec.unreadable, GB_NWS_CLIQUE_TOKEN_ACK);
  gb_message_codec_release(&t.codec);
  gb_bytes_release(&stream);
}
