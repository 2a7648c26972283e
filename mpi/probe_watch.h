/* A peer that does not answer must not be waited for without a word: a thread that ends the process when what
 * is awaited does not come. In the simulator, which finds deadlocks itself, all of this does nothing. */
#ifndef GB_MPI_PROBE_WATCH_H
#define GB_MPI_PROBE_WATCH_H

typedef struct gb_watch gb_watch;

/* NULL when there is no thread to be had: then nothing is watched. */
gb_watch *gb_watch_start(void);
void gb_watch_stop(gb_watch *watch);

/* Within `seconds` gb_watch_expect or gb_watch_rest is called again, or the text is printed to stderr and the
 * process ends with status 1, upon which the MPI launcher ends the others. */
__attribute__((format(printf, 3, 4))) void gb_watch_expect(gb_watch *watch, double seconds,
                                                           const char *format, ...);
void gb_watch_rest(gb_watch *watch);

/* Lets other processes have the processor for a while that grows with `turn`. */
void gb_watch_nap(unsigned turn);

#endif
