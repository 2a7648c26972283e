/* The block of bytes that rank 0 sends and every rank plans from. What it says may be anything: a rank reads
 * it or refuses it, and what was read can be written again, laid over the platform and printed. */
#include "planned.h"

#include "mpi/comm/inputs.h"

static char platform[] = "cluster a\na[0-1]:2\ncluster b\nb[0-1]\ncluster c\nc0\n"
                         "link a b latency=10ms bandwidth=100Mbit/s\nlink b c latency=1ms bandwidth=1Gbit/s\n"
                         "plogp a b size=1k gap=1ms latency=11ms\n";

/* A block as rank 0 sends it. */
static void example(char **bytes, size_t *length) {
  uint32_t hosts[] = {0, 0, 1, 1, 2, 3, 4};
  gb_finding finding[2] = {{.from = 0, .to = 1}, {.from = 1, .to = 0}};
  for (int i = 0; i < 2; i++) {
    finding[i].latency =
        (gb_reading){.value = 0.02, .error = 0.01, .age = 5, .state = GB_READING_USED, .pairs = 1};
    finding[i].bandwidth =
        (gb_reading){.value = 2e6, .error = -1, .age = 700, .state = GB_READING_OLD, .pairs = 1};
  }
  char inter[] = "auto", intra[] = "binomial,a;auto,b", sync[] = "sender-all", source[] = "file:live";
  gb_inputs in = {.settings = {.lanes = 2, .segment = 4096, .inter = inter, .intra = intra, .sync = sync},
                  .rank_host = hosts,
                  .rank_count = 7,
                  .platform = platform,
                  .platform_length = strlen(platform)};
  in.weather = (gb_weather){.source = source,
                            .finding = finding,
                            .count = 2,
                            .max_age = 600,
                            .ignored = {1, 0, 0},
                            .first = {"x y"}};
  must(gb_inputs_encode(&in, bytes, length) == GBCAST_OK);
}

/* What has no right hash is refused at once: every input that is tried has one. The first becomes a whole
 * block. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  (void)seed;
  char *bytes = NULL;
  size_t length = 0;
  example(&bytes, &length);
  if (length <= most && size < 64) {
    memcpy(data, bytes, length);
    size = length;
  } else {
    size = LLVMFuzzerMutate(data, size, most);
    if (size >= sizeof(uint64_t))
      gb_inputs_seal((char *)data, size);
  }
  free(bytes);
  return size;
}

static void check_again(const gb_inputs *in) {
  char *bytes[2] = {NULL, NULL};
  size_t length[2] = {0, 0};
  gb_inputs again;
  must(gb_inputs_encode(in, &bytes[0], &length[0]) == GBCAST_OK);
  must(gb_inputs_decode(bytes[0], length[0], &again));
  must(gb_inputs_encode(&again, &bytes[1], &length[1]) == GBCAST_OK);
  must(length[0] == length[1] && memcmp(bytes[0], bytes[1], length[0]) == 0);
  gb_inputs_release(&again);
  free(bytes[0]);
  free(bytes[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gb_inputs in;
  gbcast_error err = {""};
  gbcast_platform *p = NULL;
  if (!gb_inputs_decode((const char *)data, size, &in))
    return 0;
  check_again(&in);
  if (gb_inputs_platform(&in, &p, &err) == GBCAST_OK) {
    gbcast_request request = {.bytes = 100000,
                              .inter = in.settings.inter,
                              .intra = in.settings.intra,
                              .segment = in.settings.segment,
                              .lanes = in.settings.lanes};
    must_hold(p);
    check_plan(p, &request, false);
    gbcast_platform_free(p);
  } else {
    must(p == NULL && err.message[0] != '\0');
  }
  gb_inputs_release(&in);
  return 0;
}
