/* All that the library knows about a communicator. */
#include "mpi/comm/comm.h"
#include "mpi/comm/handle.h"
#include "mpi/comm/registry.h"
#include "mpi/comm/setup.h"
#include "mpi/comm/verbose.h"
#include "mpi/comm/version.h"
#include "mpi/job/job.h"
#include <stdlib.h>

#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)

const char *gb_left_why(enum gb_passed left) {
  switch (left) {
  case GB_PASSED_DISABLED:
    return "GBCAST_DISABLE=1";
  case GB_PASSED_REFUSED:
    return "the settings or the hosts file cannot be used";
  case GB_PASSED_WORLDS:
    return "some ranks are from another MPI_COMM_WORLD than rank 0 and cannot be placed on hosts";
  case GB_PASSED_FULL:
    return "plans run on " TEXT(
        GB_DUPLICATES_MOST) " communicators of a process already, the most there may be";
  default:
    return gb_passed_why(left);
  }
}

/* The preloaded library may be active in one MPI_COMM_WORLD and not in another. So it passes calls on to MPI
 * on a communicator with ranks of several, which each rank sees by itself. */
static int look_at_worlds(gb_comm *c) {
  int *in_world = NULL, rc = MPI_SUCCESS;
  if (c->overrides.preload != NULL)
    rc = gb_comm_ranks(c->user, c->wire.size, MPI_COMM_WORLD, &in_world);
  for (int r = 0; in_world != NULL && r < c->wire.size; r++)
    if (in_world[r] == MPI_UNDEFINED)
      c->left = GB_PASSED_WORLDS;
  free(in_world);
  c->set_up = c->left != GB_PASSED_NOT;
  if (c->set_up && c->wire.rank == 0)
    gb_comm_tell_left(c);
  return rc;
}

/* Makes the gb_comm of `comm`. */
static int create(MPI_Comm comm, gb_preload *preload, gb_comm **out) {
  gb_comm_registry *list;
  gb_comm *c = NULL;
  int rc = gb_attach_registry(&list);
  if (rc == MPI_SUCCESS)
    rc = gb_setup_new(comm, preload, atomic_fetch_add(&list->made, 1), &c);
  if (rc == MPI_SUCCESS)
    rc = look_at_worlds(c);
  if (rc == MPI_SUCCESS)
    rc = gb_attach(list, comm, c);
  if (rc == MPI_SUCCESS)
    *out = c;
  else
    gb_setup_free(c);
  return rc;
}

/* Whether calls can be planned at all. Handles must not be used before this is known. */
static bool is_possible(void) {
  return !gb_attach_has_ended() && gb_library_is_ours() && gb_library_has_world();
}

gb_comm_registry *gb_comm_list(void) {
  gb_comm_registry *list;
  return is_possible() && gb_attach_registry(&list) == MPI_SUCCESS ? list : NULL;
}

/* Finds the gb_comm of `comm`, or makes it. NULL: calls are passed on to MPI, for one rank unless `alone`. */
static int obtain(MPI_Comm comm, bool alone, gb_preload *preload, gb_comm **out) {
  int inter, size, rc = MPI_SUCCESS;
  *out = NULL;
  if (comm != MPI_COMM_NULL)
    rc = gb_attach_find(comm, out);
  if (rc != MPI_SUCCESS || *out != NULL || !is_possible())
    return rc;
  if (comm == MPI_COMM_NULL)
    return MPI_ERR_COMM;
  if ((rc = MPI_Comm_test_inter(comm, &inter)) != MPI_SUCCESS ||
      (rc = MPI_Comm_size(comm, &size)) != MPI_SUCCESS)
    return rc;
  if (comm == MPI_COMM_WORLD && size == 1)
    (void)gb_library_is_alone();
  if (inter || (size == 1 && !alone))
    return MPI_SUCCESS;
  return create(comm, preload, out);
}

/* What obtain() has returned goes through the error handler. MPI has perhaps called that, too. */
static int raise(MPI_Comm comm, int code) {
  return gb_raise(comm != MPI_COMM_NULL ? comm : MPI_COMM_WORLD, gb_class_of_code(code));
}

int gb_comm_find(MPI_Comm comm, gb_preload *preload, gb_comm **out) {
  const int rc = obtain(comm, false, preload, out);
  if (*out != NULL && (*out)->wire.size == 1)
    *out = NULL;
  if (rc == MPI_SUCCESS || preload != NULL) /* which passes the call on, and MPI raises the error */
    return MPI_SUCCESS;
  return raise(comm, rc);
}

int gb_comm_any(MPI_Comm comm, gb_comm **out) {
  int rc = obtain(comm, true, NULL, out);
  if (rc == MPI_SUCCESS && *out != NULL)
    rc = gb_comm_enter(*out);
  return raise(comm, rc);
}

int gb_comm_set_up(gb_comm *c) {
  bool alike;
  const int rc = gb_setup_make(c, &alike);
  if (rc != MPI_SUCCESS) {
    gb_setup_reset(c);
    if (!alike) /* the others have set it up, or wait for this rank */
      c->wire.poison = gb_class_of_code(rc);
    else if (c->overrides.preload == NULL) /* the next call tries again, without overrides */
      return rc;
    else
      c->left = GB_PASSED_REFUSED;
  }
  c->set_up = true;
  return c->wire.poison;
}

int gb_comm_renew(MPI_Comm comm, gb_overrides *overrides) {
  gb_comm *c;
  int rc = obtain(comm, true, NULL, &c);
  if (rc != MPI_SUCCESS || c == NULL)
    return raise(comm, rc);
  gb_handle_wait_all(c->registry, c);
  rc = gb_versions_meet(c);
  gb_overrides kept = overrides != NULL ? *overrides : c->overrides; /* moved */
  *(overrides != NULL ? overrides : &c->overrides) = (gb_overrides){0};
  gb_setup_reset(c);
  c->overrides = kept;
  if (rc != MPI_SUCCESS) {
    c->wire.poison = gb_class_of_code(rc);
    c->set_up = true;
  }
  return raise(comm, gb_comm_enter(c));
}
