/* The duplicate of a communicator that carries all messages of plans.
 *
 * It is made when a planned schedule is run for the first time. Communicators are scarce (MPICH has 2,048 for
 * a process), and most communicators of a program never need a duplicate. The preloaded library makes it from
 * its own duplicate of MPI_COMM_WORLD, which returns errors: when MPI has no communicator left, the error
 * handler of the program's communicator must not end a program that does not know of gbcast. */
#include "mpi/comm/registry.h"
#include "mpi/comm/setup.h"
#include "mpi/comm/verbose.h"
#include "mpi/job/job.h"
#include <stdlib.h>

/* Several threads may each make a duplicate at the same time. */
static int tag_of(const gb_comm *c) {
  return (int)((c->close_order ^ c->close_order >> 32) %
               32749); /* a prime below 32768, the least that MPI promises */
}

/* The ranks of `comm` as a group that is derived from the parent's. MPICH 4.0 crashes when the group is
 * derived from another communicator. */
static int group_inside(MPI_Comm parent, MPI_Comm comm, int size, MPI_Group *out) {
  MPI_Group all;
  int *at, rc = gb_comm_ranks(comm, size, parent, &at);
  if (rc == MPI_SUCCESS && (rc = MPI_Comm_group(parent, &all)) == MPI_SUCCESS) {
    rc = MPI_Group_incl(all, size, at, out);
    (void)MPI_Group_free(&all);
  }
  free(at);
  return rc;
}

/* From the program's own communicator by a split, which copies no attributes of the program's: Open MPI 4.1
 * does so in MPI_Comm_create_group(). */
static int make(gb_comm *c) {
  const gb_preload *preload = c->overrides.preload;
  MPI_Group group;
  int rc;
  if (preload == NULL || preload->parent == MPI_COMM_NULL) {
    rc = MPI_Comm_split(c->user, 0, c->wire.rank, &c->wire.comm);
  } else if ((rc = group_inside(preload->parent, c->user, c->wire.size, &group)) == MPI_SUCCESS) {
    rc = MPI_Comm_create_group(preload->parent, group, tag_of(c), &c->wire.comm);
    (void)MPI_Group_free(&group);
  }
  if (rc == MPI_SUCCESS && (rc = MPI_Comm_set_errhandler(c->wire.comm, MPI_ERRORS_RETURN)) != MPI_SUCCESS)
    (void)MPI_Comm_free(&c->wire.comm);
  return rc;
}

int gb_comm_duplicate(gb_comm *c, bool able) {
  if (c->left != GB_PASSED_NOT)
    return MPI_SUCCESS;
  const bool room = able && gb_registry_reserve(c->registry);
  bool all;
  int rc = gb_vote(c, room, &all);
  const bool tried = rc == MPI_SUCCESS && all;
  const bool made = tried && make(c) == MPI_SUCCESS;
  if (tried)
    rc = gb_vote(c, made, &all);
  if (rc != MPI_SUCCESS || all)
    return rc;
  if (made)
    (void)MPI_Comm_free(&c->wire.comm);
  if (room)
    gb_registry_give_back(c->registry);
  c->wire.comm = MPI_COMM_NULL; /* MPICH may have set it */
  c->left = GB_PASSED_FULL;
  if (c->wire.rank == 0 && tried)
    gb_comm_complain(c, "MPI has made no duplicate and may have no communicator left");
  else if (c->wire.rank == 0 && c->settings.verbose > 0)
    gb_comm_tell_left(c);
  return MPI_SUCCESS;
}

/* After a failed call there may be messages for this rank that it has not received. A communicator that MPI
 * made later in the place of this one would take them for its own; so it stays. */
void gb_comm_free_duplicate(gb_comm *c) {
  if (c->wire.comm == MPI_COMM_NULL || c->wire.poison != MPI_SUCCESS)
    return;
  (void)MPI_Comm_free(&c->wire.comm);
  gb_registry_give_back(c->registry);
}
