/* One byte of a message changes on its way, in a program that puts functions of its own in the place of
 * MPI's. */
#ifndef GB_TESTS_SUPPORT_MPI_DAMAGE_H
#define GB_TESTS_SUPPORT_MPI_DAMAGE_H

#include "tests/support/mpi/check.h"
#include "tests/support/mpi/sending.h"

typedef struct damage {
  bool armed; /* the next message of at least `least` bytes that this rank sends */
  bool done;  /* has been changed, */
  size_t least;
  char *changed; /* in a copy, which is MPI's until the message has gone */
} damage;
static damage harm;

static inline const void *harmed(const void *from, int count) {
  if (!harm.armed || harm.done || (size_t)count < harm.least)
    return from;
  harm.done = true;
  harm.changed = allocate((size_t)count);
  memcpy(harm.changed, from, (size_t)count);
  harm.changed[count / 3] ^= 0x10;
  return harm.changed;
}

/* NAME is called, which goes on to REAL. */
#define DAMAGING(name, real) SENDING(name, real, from = harmed(from, count))

#endif
