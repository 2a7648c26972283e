/* Whether streams between sites go back to TCP's slow start after a pause. A stream that is measured has no
 * pauses and does not show that, so the setting of Linux is read. */
#include "probe/wire.h"

#define PACKET_BYTES 1448 /* data in an Ethernet frame of 1500 bytes with TCP's time stamps */
#define PACKETS 10        /* in an initial window: RFC 6928, and Linux */

int gb_prober_find_window(gb_prober *x) {
  int slow = gb_machine_starts_slowly(), any = 0;
  int rc = MPI_Allreduce(&slow, &any, 1, MPI_INT, MPI_MAX, x->comm);
  x->window = any ? PACKETS * PACKET_BYTES : 0;
  return rc;
}
