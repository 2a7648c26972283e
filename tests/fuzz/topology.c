/* Slurm's topology.conf, which a hosts file names for some of its hosts: as in hosts.c. */
#include "planned.h"

static const char hosts[] = "cluster a\ntopology slurm=t\nn[0-3].a\nm0:2\ncluster b latency=1ms\nb[0-1]\n"
                            "link a b latency=10ms bandwidth=100Mbit/s\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beside.text = (const char *)data;
  beside.length = size;
  check_hosts(hosts, strlen(hosts), data, size);
  return 0;
}
