/* A clock that all ranks share, and calls that all begin at one moment on it: what they leave a barrier at is
 * up to a latency apart between sites, and would be part of every time. Rank 0's MPI_Wtime() is the clock; a
 * rank's distance from it is taken from the quickest of some round trips (Cristian, Distributed Computing 3,
 * 1989), which is wrong by half the difference of its two directions at most.
 *
 *     rank 0   --- asked --------- time --->      distance = time - (asked + heard) / 2 */
#ifndef GB_BENCH_MOMENT_H
#define GB_BENCH_MOMENT_H

#include "bench/calls.h"
#include <mpi.h>
#include <time.h>

enum { MOMENT_TAG = 77, MOMENT_TRIPS = 10, MOMENT_DOUBLINGS = 4 };

typedef struct shared_clock {
  double distance; /* s: of rank 0's MPI_Wtime() from this rank's */
  double lead;     /* s: from agreeing on a moment to that moment; the same on all ranks */
  double moment;   /* that the last calls began at */
  int doublings;   /* of the lead, so far */
} shared_clock;

static inline void nap(double seconds) {
  if (seconds > 0)
    (void)nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)},
                    NULL);
}

static inline double now_on(const shared_clock *clock) {
  return MPI_Wtime() + clock->distance;
}

/* The quickest of some round trips of rank `other` to rank 0 in seconds; the distance there. */
static inline double measure_distance(int rank, int other, double *distance) {
  double least = 1e9, time = 0;
  for (int i = 0; i < MOMENT_TRIPS; i++) {
    double asked = MPI_Wtime();
    if (rank == other) {
      MPI_Sendrecv(&asked, 1, MPI_DOUBLE, 0, MOMENT_TAG, &time, 1, MPI_DOUBLE, 0, MOMENT_TAG, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      double heard = MPI_Wtime();
      if (heard - asked < least) {
        least = heard - asked;
        *distance = time - (asked + heard) / 2;
      }
    } else {
      MPI_Recv(&time, 1, MPI_DOUBLE, other, MOMENT_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      time = MPI_Wtime();
      MPI_Send(&time, 1, MPI_DOUBLE, other, MOMENT_TAG, MPI_COMM_WORLD);
    }
  }
  return rank == other ? least : 0;
}

static inline shared_clock make_clock(int rank, int ranks) {
  shared_clock clock = {0};
  double trip = 0;
  for (int other = 1; other < ranks; other++)
    if (rank == 0 || rank == other)
      trip = measure_distance(rank, other, &clock.distance);
  MPI_Allreduce(&trip, &clock.lead, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  clock.lead += 1e-4;
  return clock;
}

/* Returns at the moment that all ranks agree upon, or later on a rank that heard of it too late. */
static inline void await_moment(shared_clock *clock) {
  double mine = now_on(clock);
  MPI_Allreduce(&mine, &clock->moment, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  clock->moment += clock->lead;
  nap(clock->moment - now_on(clock));
}

/* The latest of all ranks' ends, in seconds since the moment; the same on all ranks. Negative when one began
 * too late for that to say anything: the next moment is twice as far ahead. Where that has not helped there
 * are more ranks than processors, and beginning late is part of what they do. */
static inline double seconds_since(shared_clock *clock, double begun) {
  const double tolerated = 0.05; /* of the lead: waking takes a moment, too */
  double mine[2] = {now_on(clock) - clock->moment, begun - clock->moment}, most[2];
  MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (most[1] <= tolerated * clock->lead || clock->doublings == MOMENT_DOUBLINGS)
    return most[0];
  clock->lead *= 2;
  clock->doublings++;
  return -1;
}

/* One call in seconds, from the moment at which all ranks began until the last was done; the same on all
 * ranks. Repeated until all began in time. Adds calls that failed or left wrong data on this rank to
 * `wrong`. */
static inline double call_together(bench_call *c, bool by_gbcast, shared_clock *clock, long *wrong) {
  double seconds = -1;
  while (seconds < 0) {
    prepare(c);
    await_moment(clock);
    double begun = now_on(clock);
    int rc = call(c, by_gbcast);
    seconds = seconds_since(clock, begun);
    *wrong += rc != MPI_SUCCESS || !arrived(c);
  }
  return seconds;
}

#endif
