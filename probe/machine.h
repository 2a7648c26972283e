/* What a probe needs of the machine that it runs on: a watchdog, waiting, and a setting of TCP. A simulated
 * job has no threads and no network of its own: there the watchdog does nothing (the simulator finds
 * deadlocks itself), and MPI's own functions wait. */
#ifndef GB_PROBE_MACHINE_H
#define GB_PROBE_MACHINE_H

#include <mpi.h>
#include <stdbool.h>

/* Ends the process with a message when a peer does not answer in time. It is a thread. */
typedef struct gb_watchdog gb_watchdog;

/* NULL: there is no thread to be had. The functions below take NULL, and then nothing is watched. */
gb_watchdog *gb_watchdog_start(void);
void gb_watchdog_stop(gb_watchdog *watch);

/* gb_watchdog_expect or gb_watchdog_rest has to be called again within `seconds`, at most an hour. Otherwise
 * the text is printed on stderr, and the process ends with status 1. The launcher then ends the others. */
__attribute__((format(printf, 3, 4))) void gb_watchdog_expect(gb_watchdog *watch, double seconds,
                                                              const char *format, ...);
void gb_watchdog_rest(gb_watchdog *watch);

/* Waits for any message, which *status describes, and does not receive it. Leaves the processor to others
 * meanwhile: MPI's own wait spins, and would slow down a rank that is being measured on the same machine. An
 * MPI error code. */
int gb_machine_await(MPI_Comm comm, MPI_Status *status);

/* Waits in the same way until one of the requests is complete: request[*at]. */
int gb_machine_await_any(int count, MPI_Request request[], int *at);

/* Whether TCP on this machine goes back to slow start after a pause. */
bool gb_machine_starts_slowly(void);

#endif
