/* What the machine does with messages. */
#ifndef GB_MPI_JOB_MACHINE_H
#define GB_MPI_JOB_MACHINE_H

/* Bytes of a whole message that the system takes at once and sends in the order of posting, at the pace of
 * the link, without being held back. In the simulator messages that are posted together share the link
 * instead, and all of them are late. */
#ifdef GB_SIMULATED
enum { GB_SENT_IN_ORDER = 0 };
#else
enum { GB_SENT_IN_ORDER = 8192 };
#endif

#endif
