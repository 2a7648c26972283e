/* What the library has to know of the machine that it runs on: real ones, or the simulator SimGrid, where a
 * look for a message costs simulated time, sleep ends in time, and links are shared instead of queued for. */
#ifndef GB_MPI_JOB_MACHINE_H
#define GB_MPI_JOB_MACHINE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* How long a rank sleeps at most without a look: what completes meanwhile waits so long, in seconds. */
#define GB_NAP_MOST 5e-4

typedef struct gb_machine_traits {
  /* Bytes of a whole message that the system takes at once and sends in the order of posting, at the pace of
   * the link, without being held back. Where messages that are posted together share the link, all of them
   * are late. */
  size_t sent_in_order;
  /* Whether a link has a queue, in which what comes too fast is lost; and the longest that it may become, in
   * s of sending. */
  bool links_have_queues;
  double queue_most;
  double slept_most;   /* s that a sender may have overslept at the beginning of a stream */
  double nap_least;    /* s: for less, the processor is only offered to others */
  double too_soon;     /* s: until then nobody looks whether a message is there */
  bool looks_are_free; /* what may be complete is looked at in passing */
  bool finds_eager;    /* MPI_Testany finds sends complete that wait for nobody */
  unsigned few;        /* so many requests are tested one by one */
  bool has_threads;    /* beside those of the program */
  bool asks_network;   /* there is a real network to ask a weather service over */
  /* MPI_Finalize deletes the attributes of communicators. */
  bool deletes_attributes;
} gb_machine_traits;

extern const gb_machine_traits gb_this_machine;

/* MPI_Waitany, which lets others have the processor when nothing completes for a while. *at is MPI_UNDEFINED
 * when it has done so, but not in the simulator, where nobody waits for a collective besides. */
int gb_machine_wait_any(unsigned count, MPI_Request *request, int *at, MPI_Status *status);

/* Lets others have the processor, when nothing was to be done. */
void gb_machine_pause(void);

/* One look, like MPI_Testany; *at is MPI_UNDEFINED where there is no request. What is complete is found so
 * without a look at the network, which takes system calls. */
int gb_machine_look(unsigned count, MPI_Request *request, int *at, int *done, MPI_Status *status);

#endif
