/* Whether streams between sites start slowly, which no measurement of one of them shows that goes on without
 * a pause: Linux says so. */
#include "mpi/probe_wire.h"
#include "platform/slow_start.h"

#include <stdio.h>

#define PACKETS 10 /* of an initial window: RFC 6928, and Linux */

int gb_prober_find_window(gb_prober *x) {
  int slow = 0, any = 0;
#ifndef GB_SIMULATED
  FILE *setting = fopen("/proc/sys/net/ipv4/tcp_slow_start_after_idle", "r");
  if (setting != NULL) {
    slow = fgetc(setting) == '1';
    (void)fclose(setting);
  }
#endif
  int rc = MPI_Allreduce(&slow, &any, 1, MPI_INT, MPI_MAX, x->comm);
  x->window = any ? PACKETS * GB_PACKET_BYTES : 0;
  return rc;
}
