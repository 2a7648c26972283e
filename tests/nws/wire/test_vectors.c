/* What NWS 2.0.5 says is read, and said again to the byte. */
#include "nws/wire/message.h"
#include "nws/wire/object.h"
#include "tests/support/nws/vectors.h"

#include <stdlib.h>

static unsigned char bytes[NWS_VECTOR_MOST];

static gb_nws_message read_message(const char *name) {
  gb_nws_message m;
  cr_assert(gb_nws_decode(bytes, nws_vector_read(name, bytes), &m), "%s", name);
  return m;
}

static void is(gb_view text, const char *expected) {
  cr_expect(gb_view_is(text, expected), "'%.*s' is not '%s'", (int)text.length, text.at, expected);
}

Test(nws_vectors, both_directions) {
  for (size_t i = 0; i < NWS_VECTORS; i++) {
    const nws_vector *v = &nws_vectors[i];
    gb_bytes again = {0};
    gb_nws_message m;
    size_t size = nws_vector_read(v->name, bytes), framed = 0;
    cr_assert_eq(size, v->size, "%s has %zu bytes", v->name, size);
    cr_expect_eq(gb_nws_frame(bytes, size, size, &framed), GB_NWS_WHOLE, "%s", v->name);
    cr_expect_eq(framed, size, "%s", v->name);
    cr_assert(gb_nws_decode(bytes, size, &m), "%s", v->name);
    cr_expect_eq(m.number, v->number, "%s", v->name);
    gb_nws_encode(&again, &m);
    cr_assert(!again.failed);
    cr_assert_eq(again.size, size, "%s: %zu bytes instead of %zu", v->name, again.size, size);
    cr_expect_arr_eq(again.data, bytes, size, "%s", v->name);
    gb_bytes_release(&again);
  }
}

/* A receiver must know from any beginning that something is missing, and nothing shorter is a message. */
Test(nws_vectors, truncated_anywhere) {
  for (size_t i = 0; i < NWS_VECTORS; i++) {
    size_t size = nws_vector_read(nws_vectors[i].name, bytes);
    for (size_t have = 0; have < size; have++) {
      unsigned char *part = malloc(have + 1); /* of its own, so that a sanitizer sees each byte too far */
      cr_assert_not_null(part);
      memcpy(part + 1, bytes, have);
      size_t wanted = 0;
      gb_nws_message m;
      cr_expect_eq(gb_nws_frame(part + 1, have, size, &wanted), GB_NWS_PART);
      cr_expect(wanted > have && wanted <= size, "%zu of %zu: %zu wanted", have, size, wanted);
      cr_expect_not(gb_nws_decode(part + 1, have, &m), "%s of %zu", nws_vectors[i].name, have);
      free(part);
    }
  }
}

Test(nws_vectors, registrations) {
  gb_nws_message m = read_message("01_ns_register_req");
  cr_expect_eq(m.registration.seconds, 0);
  is(m.registration.object,
     "name:vm:8060.latencyTcp.vm:8061\tobjectclass:nwsSeries\thost:vm:8060\tlabel:Milliseconds\t"
     "memory:vm:8050\toption:target\tresource:latencyTcp\ttarget:vm:8061\t\t");
  m = read_message("11_ns_register_sensor_req");
  cr_expect_eq(m.registration.seconds, 900);
  gb_view value;
  cr_assert(gb_object_get(m.registration.object, "memory", &value));
  is(value, "vm:8050");
}

Test(nws_vectors, searches) {
  gb_nws_message m = read_message("04_ns_searched_rep"), request;
  gb_view set = m.text, object;
  cr_assert(gb_object_next(&set, &object));
  cr_expect_eq(object.length, 195);
  cr_expect_eq(set.length, 0);
  unsigned char more[NWS_VECTOR_MOST];
  cr_assert(gb_nws_decode(more, nws_vector_read("03_ns_search_req", more), &request));
  is(request.text, "(&(objectclass=nwsSeries)(name=a.example.org:8060.latencyTcp.b.example.org:8060))");
  cr_expect(gb_filter_matches(request.text, object));
  is(read_message("04b_ns_searched_empty_rep").text, "");
  is(read_message("18_autofetch_begin_req").text,
     "a.example.org:8060.latencyTcp.b.example.org:8060\tother.series");
}

Test(nws_vectors, states) {
  gb_nws_message m = read_message("05_store_req_sensor");
  cr_expect_str_eq(m.state.id, "vm:8061.latencyTcp.vm:8060");
  cr_expect_eq(m.state.record_size, 32);
  cr_expect_eq(m.state.record_count, 1);
  cr_expect_eq(m.state.sequence, 1795228411.0);
  cr_expect_eq(m.state.time_out, 315360000.0);
  is(m.state.records, " 1795228411              0.06000");
  m = read_message("07_fetch_req");
  cr_expect_eq(m.state.record_size, 0);
  cr_expect_eq(m.state.record_count, 2);
  m = read_message("09b_state_fetched_empty_rep");
  cr_expect_str_eq(m.state.id, "really.not.there");
  cr_expect_eq(m.state.records.length, 0);
}

/* The second came from a cache that gives batches oldest first. */
Test(nws_vectors, records_come_out_newest_first) {
  uint32_t count;
  gb_nws_message m = read_message("08a_state_fetched_newest_first_rep");
  gb_measurement *found = gb_records_read(&m.state, &count);
  cr_assert(found != NULL && count == 3);
  for (unsigned i = 0; i < 3; i++) {
    cr_expect_eq(found[i].time, 1795228140.0 - 10 * i);
    cr_expect_eq(found[i].value, 15.5 - 0.25 * i);
  }
  m = read_message("08_state_fetched_rep");
  free(found);
  found = gb_records_read(&m.state, &count);
  cr_assert(found != NULL && count == 2);
  cr_expect_eq(found[0].time, 1795228195.0);
  cr_expect_eq(found[0].value, 13.25);
  cr_expect_eq(found[1].value, 12.5);
  free(found);
}

Test(nws_vectors, hosts_and_experiments) {
  gb_nws_message m = read_message("10_host_test_result_rep");
  cr_expect_str_eq(m.host.name, "vm:8050");
  cr_expect_str_eq(m.host.name_server, "vm:8090");
  cr_expect_eq(m.host.type, GB_NWS_MEMORY);
  cr_expect(m.host.healthy);
  m = read_message("13_tcp_bw_req");
  cr_expect_eq(m.experiment.experiment, 65536);
  cr_expect_eq(m.experiment.buffer, 32768);
  cr_expect_eq(m.experiment.message, 16384);
  m = read_message("14_tcp_handshake_rep");
  cr_expect_eq(m.handshake.address, 0);
  cr_expect_eq(m.handshake.port, 0x8eff);
}

Test(nws_vectors, forecasts) {
  gb_nws_message m = read_message("15_fore_series_req");
  cr_expect_not(m.series.more_to_come);
  cr_expect_eq(m.series.at_most, 1);
  cr_expect_str_eq(m.series.memory, "vm:8050");
  cr_expect_str_eq(m.series.series, "a.example.org:8060.latencyTcp.b.example.org:8060");
  m = read_message("16_fore_forecast_rep");
  cr_assert_eq(m.forecast.count, 1);
  gb_nws_forecast_pair pair = gb_nws_forecast_at(&m.forecast, 0);
  cr_expect_eq(pair.time, 1795228185.0);
  cr_expect_eq(pair.measurement, 12.5);
  cr_expect_float_eq(pair.mae.forecast, 77.0 / 6, 1e-14);
  cr_expect_float_eq(pair.mae.error, 14.0 / 3, 1e-14);
  cr_expect_eq(pair.mae.method, 1);
  cr_expect_float_eq(pair.mse.forecast, 77.0 / 6, 1e-14);
  cr_expect_eq(pair.mse.error, 0.40625);
  cr_expect_eq(pair.mse.method, 1);
  cr_expect_eq(memcmp(read_message("17_methods_tell_rep").text.at, "Last Value\tRunning Mean\t", 24), 0);
}
