/* The block that rank 0 sends comes back as it was; whatever is damaged is refused, and nothing is read that
 * is not there. */
#include "mpi/comm/inputs.h"
#include "platform/text/text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char platform_text[] = "cluster a\na0\ncluster b\nb0\nlink a b latency=10ms bandwidth=100Mbit/s\n";
static uint32_t hosts[] = {0, 1, 1};

static gb_reading reading(double value) {
  return (gb_reading){.value = value, .error = -1, .age = 5, .state = GB_READING_USED, .pairs = 1};
}

/* Everything but the inter and sync algorithms is said. */
static gb_inputs example(gb_finding finding[2]) {
  static char intra[] = "binomial", source[] = "file:live";
  for (uint32_t i = 0; i < 2; i++)
    finding[i] =
        (gb_finding){.from = i, .to = 1 - i, .latency = reading(0.02), .bandwidth = reading(2e6 + i)};
  gb_inputs in = {
      .close_order = 7,
      .settings = {.refresh = 60, .verbose = 2, .segment = 4096, .lanes = 2, .intra = intra, .hosts = intra}};
  in.platform = platform_text;
  in.platform_length = strlen(platform_text);
  in.rank_host = hosts;
  in.rank_count = 3;
  in.weather = (gb_weather){.source = source, .finding = finding, .count = 2, .max_age = 600};
  strcpy(in.weather.first[GB_IGNORED_UNKNOWN], "x y");
  return in;
}

typedef struct block {
  char *bytes;
  size_t length;
} block;

static block encode(const gb_inputs *in) {
  block b;
  cr_assert_eq(gb_inputs_encode(in, &b.bytes, &b.length), GBCAST_OK);
  return b;
}

/* Of a copy that ends where it ends: a sanitizer sees what is read behind it. */
static bool decodes(const char *bytes, size_t length, bool seal) {
  gb_inputs out;
  char *copy = malloc(length);
  cr_assert(copy != NULL || length == 0);
  if (length > 0)
    memcpy(copy, bytes, length);
  if (seal && length >= sizeof(uint64_t))
    gb_inputs_seal(copy, length);
  bool decoded = gb_inputs_decode(copy, length, &out);
  if (decoded)
    gb_inputs_release(&out);
  free(copy);
  return decoded;
}

Test(inputs, come_back) {
  gb_finding finding[2];
  gb_inputs in = example(finding), out;
  block b = encode(&in);
  cr_assert(gb_inputs_decode(b.bytes, b.length, &out));
  const gb_settings *s = &out.settings;
  cr_expect(out.close_order == 7 && s->refresh == 60 && s->verbose == 2 && s->segment == 4096 &&
            s->lanes == 2);
  cr_expect(s->inter == NULL && s->sync == NULL && strcmp(s->intra, "binomial") == 0);
  cr_expect(s->hosts == NULL, "paths are of rank 0 alone");
  cr_expect(out.rank_count == 3 && memcmp(out.rank_host, hosts, sizeof hosts) == 0);
  cr_expect_str_eq(out.platform, platform_text);
  cr_expect_str_eq(out.weather.source, "file:live");
  cr_expect_str_eq(out.weather.first[GB_IGNORED_UNKNOWN], "x y");
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gb_inputs_platform(&out, &p, &err), GBCAST_OK, "%s", err.message);
  cr_expect_eq(gb_platform_link(p, 1, 0)->bandwidth, 2e6 + 1);
  gbcast_platform_free(p);
  gb_inputs_release(&out);
  free(b.bytes);
}

Test(inputs, damaged) {
  gb_finding finding[2];
  gb_inputs in = example(finding);
  block b = encode(&in);
  for (size_t i = 0; i < b.length; i++) {
    b.bytes[i] ^= 0x10;
    cr_expect_not(decodes(b.bytes, b.length, false), "byte %zu", i);
    b.bytes[i] ^= 0x10;
  }
  cr_expect(decodes(b.bytes, b.length, false));
  for (size_t length = 0; length < b.length; length++)
    cr_expect_not(decodes(b.bytes, length, true), "%zu of %zu bytes", length, b.length);
  free(b.bytes);
}

/* With the right hash: lengths that are too long, or make a sum that begins at 0 again. */
Test(inputs, lying) {
  gb_finding finding[2];
  gb_inputs in = example(finding);
  block b = encode(&in);
  for (size_t i = sizeof(uint64_t); i + sizeof(uint64_t) <= b.length; i += sizeof(uint32_t))
    for (int much = 0; much < 3; much++) {
      static const uint64_t values[] = {UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 62};
      char saved[sizeof(uint64_t)];
      memcpy(saved, b.bytes + i, sizeof saved);
      memcpy(b.bytes + i, &values[much], sizeof saved);
      (void)decodes(b.bytes, b.length, true); /* whatever it is, nothing beside the block is touched */
      memcpy(b.bytes + i, saved, sizeof saved);
    }
  cr_expect(decodes(b.bytes, b.length, true));
  free(b.bytes);
}

static int lay(gb_inputs *in, gbcast_error *err) {
  gb_inputs out;
  gbcast_platform *p = NULL;
  block b = encode(in);
  cr_assert(gb_inputs_decode(b.bytes, b.length, &out));
  int status = gb_inputs_platform(&out, &p, err);
  cr_expect_eq(p == NULL, status != GBCAST_OK);
  gbcast_platform_free(p);
  gb_inputs_release(&out);
  free(b.bytes);
  return status;
}

/* What no rank 0 has found. */
Test(inputs, weather_of_nobody) {
  gb_finding finding[2], good[2];
  gb_inputs in = example(good);
  gbcast_error err = {""};
  cr_assert_eq(lay(&in, &err), GBCAST_OK, "%s", err.message);
  const struct {
    const char *what;
    gb_finding finding;
  } bad[] = {
      {"no such state", {.from = 1, .latency = {.value = 1, .state = GB_READING_ABSURD + 1}}},
      {"no such cluster", {.from = 2}},
      {"no link", {.from = 1, .to = 1}},
      {"a latency below zero", {.from = 1, .latency = {.value = -1, .state = GB_READING_USED}}},
      {"no number", {.from = 1, .bandwidth = {.value = NAN, .state = GB_READING_USED}}},
      {"beyond what can be planned",
       {.from = 1, .bandwidth = {.value = 2 * GB_MOST_RATE, .state = GB_READING_USED}}},
      {"an age of no number", {.from = 1, .latency = {.age = NAN}}},
      {"the same link again", {.from = 0, .to = 1}},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    in = example(finding);
    finding[1] = bad[i].finding;
    cr_expect_eq(lay(&in, &err), GBCAST_EUSAGE, "%s", bad[i].what);
  }
  in = example(finding);
  memset(in.weather.first[GB_IGNORED_INSIDE], 'x', sizeof in.weather.first[0]);
  block b = encode(&in);
  cr_expect_not(decodes(b.bytes, b.length, false), "a name without an end");
  free(b.bytes);
}
