/* Hosts files have words that mpiexec does not know: --format=hostfile leaves them out. */
#include "hostfile.h"

static void print_host(const gb_host *host, FILE *out) {
  fprintf(out, "%s%s%s\n", host->user != NULL ? host->user : "", host->user != NULL ? "@" : "", host->name);
}

static void print_slots(const gbcast_platform *platform, FILE *out) {
  for (uint32_t run = 0; run < platform->run_count; run++) {
    const uint32_t host = platform->run[run].host;
    const uint32_t slots = gb_takes_ranks(platform, host) ? gb_slot_run_length(platform, run) : 0;
    for (uint32_t i = 0; i < slots && !ferror(out); i++) {
      print_host(&platform->host[host], out);
    }
  }
}

void print_hostfile(const gbcast_platform *platform, const gb_job_places *places, FILE *out) {
  uint64_t ranks = 0;
  if (places->rank_host == NULL) {
    print_slots(platform, out);
    return;
  }
  for (uint32_t h = 0; h < platform->host_count; h++) {
    ranks += places->ranks[h];
  }
  for (uint64_t r = 0; r < ranks && !ferror(out); r++) {
    print_host(&platform->host[places->rank_host[r]], out);
  }
}
