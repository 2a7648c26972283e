/* What a probe takes from the machine that it runs on. The simulator has no threads and no network of its
 * own: there the watchdog does nothing (the simulator finds deadlocks itself), and waiting is MPI's. */
#ifndef GB_PROBE_MACHINE_H
#define GB_PROBE_MACHINE_H

#include <mpi.h>
#include <stdbool.h>

/* Ends the process with a message when a peer does not answer: a thread that waits for a given time. */
typedef struct gb_watchdog gb_watchdog;

/* NULL when there is no thread to be had: then nothing is watched. */
gb_watchdog *gb_watchdog_start(void);
void gb_watchdog_stop(gb_watchdog *watch);

/* Within `seconds` gb_watchdog_expect or gb_watchdog_rest is called again, or the text is printed to stderr
 * and the process ends with status 1, upon which the MPI launcher ends the others. */
__attribute__((format(printf, 3, 4))) void gb_watchdog_expect(gb_watchdog *watch, double seconds,
                                                              const char *format, ...);
void gb_watchdog_rest(gb_watchdog *watch);

/* Waits for any message, and leaves the processor to others meanwhile: MPI's own wait spins, and would take
 * it from a rank that is being measured on the same machine. An MPI error code. */
int gb_machine_await(MPI_Comm comm, MPI_Status *status);

/* Waits alike until one of the requests is done: request[*at]. */
int gb_machine_await_any(int count, MPI_Request request[], int *at);

/* Whether TCP here starts anew after a pause. */
bool gb_machine_starts_slowly(void);

#endif
