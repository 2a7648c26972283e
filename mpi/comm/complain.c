/* What rank 0 says on stderr when something cannot be done. */
#include "mpi/comm/complain.h"
#include "mpi/comm/state.h"
#include <stdatomic.h>
#include <stdio.h>

static void tell_passed_on(const gb_comm *c, const char *why) {
  gb_preload *preload = c->overrides.preload;
  if (preload == NULL || !atomic_exchange(&preload->told, true))
    fprintf(stderr, "gbcast: %s; the calls are passed on to MPI\n", why);
}

void gb_comm_complain(const gb_comm *c, const char *why) {
  if (c->overrides.preload == NULL)
    fprintf(stderr, "gbcast: %s\n", why);
  else
    tell_passed_on(c, why);
}

void gb_comm_tell_left(const gb_comm *c) {
  tell_passed_on(c, gb_left_why(c->left));
}
