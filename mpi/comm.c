/* All that the library knows about a communicator. It hangs off the communicator and is freed with it.
 *
 * Everything is found through one attribute: on MPI_COMM_SELF it is a list of what is alive, which
 * MPI_Finalize deletes first; on any other communicator it is that communicator's gb_comm. */
#include "mpi/comm.h"
#include "mpi/duplicate.h"
#include "mpi/error.h"
#include "mpi/library.h"
#include "mpi/registry.h"
#include "mpi/setup.h"
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* An attribute can only be found by the number of its keyval, and MPI offers no place to look that number up:
 * it has to be known beforehand. It is a constant from the first call to MPI_Finalize. When simulated ranks
 * share it, they also share the simulator's keyvals, so that it stays right. */
static _Atomic int shared_keyval = MPI_KEYVAL_INVALID;

/* After MPI_Finalize has closed all communicators: callbacks of the program's own attributes may still
 * broadcast. */
enum { ENDED = MPI_KEYVAL_INVALID - 1 };

static void discard(gb_comm *c) {
  gb_registry_remove(c);
  gb_setup_free(c);
}

#ifdef SMPI_H /* where attributes can no longer be deleted at that point, nor are they looked at again */
enum { in_simulator = 1 };
#else
enum { in_simulator = 0 };
#endif

/* At MPI_Finalize: all that the user did not free, in the same order on every rank. */
static int close_registry(gb_registry *list, int keyval) {
  int rc = MPI_SUCCESS;
  while (list->first != NULL) {
    gb_comm *c = list->first;
    if (in_simulator || gb_registry_slot(list, c->user) != NULL) {
      discard(c);
      continue;
    }
    int one = MPI_Comm_delete_attr(c->user, keyval); /* comes back to on_delete */
    if (one != MPI_SUCCESS)
      rc = one;
    if (list->first == c) /* it did not: there is no communicator to free it with any more */
      gb_registry_remove(c);
  }
  if (list->local != MPI_COMM_NULL)
    (void)MPI_Comm_free(&list->local);
  free(list);
  int mine = keyval;
  if (atomic_compare_exchange_strong(&shared_keyval, &mine, in_simulator ? MPI_KEYVAL_INVALID : ENDED))
    (void)MPI_Comm_free_keyval(&keyval);
  return rc;
}

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)extra;
  if (comm == MPI_COMM_SELF)
    return close_registry(value, keyval);
  discard(value);
  return MPI_SUCCESS;
}

static void *attribute(MPI_Comm comm) {
  int keyval = atomic_load_explicit(&shared_keyval, memory_order_acquire), found;
  void *value;
  if (keyval == MPI_KEYVAL_INVALID || keyval == ENDED ||
      MPI_Comm_get_attr(comm, keyval, (void *)&value, &found) != MPI_SUCCESS)
    return NULL;
  return found ? value : NULL;
}

gb_comm *gb_comm_known(MPI_Comm comm) {
  if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF)
    return attribute(comm);
  gb_registry *list = attribute(MPI_COMM_SELF);
  return list != NULL ? *gb_registry_slot(list, comm) : NULL;
}

static int make_registry(int keyval) {
  gb_registry *list = calloc(1, sizeof *list);
  if (list == NULL)
    return MPI_ERR_NO_MEM;
  atomic_flag_clear(&list->busy);
  int rc = MPI_Comm_dup(MPI_COMM_SELF, &list->local);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_set_errhandler(list->local, MPI_ERRORS_RETURN);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_set_attr(MPI_COMM_SELF, keyval, list);
  if (rc != MPI_SUCCESS)
    free(list);
  return rc;
}

/* The registry is there before others see the keyval: of two threads that made it later, the second would
 * delete the first one's. */
static int keyval_of(int *keyval) {
  *keyval = atomic_load_explicit(&shared_keyval, memory_order_acquire);
  if (*keyval != MPI_KEYVAL_INVALID)
    return MPI_SUCCESS;
  int made, rc = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &made, NULL);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = make_registry(made);
  *keyval = MPI_KEYVAL_INVALID;
  if (rc == MPI_SUCCESS && atomic_compare_exchange_strong(&shared_keyval, keyval, made)) {
    *keyval = made;
    return MPI_SUCCESS;
  }
  if (rc == MPI_SUCCESS) /* another thread was first */
    rc = MPI_Comm_delete_attr(MPI_COMM_SELF, made);
  (void)MPI_Comm_free_keyval(&made);
  return rc;
}

/* Made with the keyval, but where another simulated rank has made that. */
static int registry_of(int keyval, gb_registry **out) {
  *out = attribute(MPI_COMM_SELF);
  int rc = *out == NULL ? make_registry(keyval) : MPI_SUCCESS;
  if (rc == MPI_SUCCESS && *out == NULL)
    *out = attribute(MPI_COMM_SELF);
  return rc;
}

static int registry_here(int *keyval, gb_registry **list) {
  int rc = keyval_of(keyval);
  return rc == MPI_SUCCESS ? registry_of(*keyval, list) : rc;
}

int gb_comm_prepare(void) {
  int keyval;
  gb_registry *list;
  return registry_here(&keyval, &list);
}

/* Whether all ranks of `comm` are in this one's MPI_COMM_WORLD. */
static int are_of_one_world(MPI_Comm comm, bool *one) {
  MPI_Group here, world, both;
  int size = 0, common = 0, rc = MPI_Comm_group(comm, &here);
  if (rc != MPI_SUCCESS)
    return rc;
  if ((rc = MPI_Comm_group(MPI_COMM_WORLD, &world)) == MPI_SUCCESS) {
    if ((rc = MPI_Group_intersection(here, world, &both)) == MPI_SUCCESS) {
      (void)MPI_Group_size(here, &size);
      (void)MPI_Group_size(both, &common);
      (void)MPI_Group_free(&both);
    }
    (void)MPI_Group_free(&world);
  }
  (void)MPI_Group_free(&here);
  *one = common == size;
  return rc;
}

/* The preloaded library may be active in one world and not in another, so that it leaves what has ranks of
 * several to MPI. Each of them sees that by itself. */
static int look_at_worlds(gb_comm *c) {
  bool one = true;
  int rc = c->overrides.preload != NULL ? are_of_one_world(c->user, &one) : MPI_SUCCESS;
  if (rc != MPI_SUCCESS || one)
    return rc;
  c->left = GB_LEFT_WORLDS;
  c->set_up = true;
  if (c->rank == 0)
    gb_comm_tell_left(c);
  return MPI_SUCCESS;
}

/* Hangs a new one off `comm`. */
static int create(MPI_Comm comm, gb_preload *preload, gb_comm **out) {
  int keyval;
  gb_registry *list;
  gb_comm *c = NULL;
  int rc = registry_here(&keyval, &list);
  if (rc == MPI_SUCCESS)
    rc = gb_setup_new(comm, preload, gb_registry_number(list), &c);
  if (rc == MPI_SUCCESS)
    rc = look_at_worlds(c);
  if (rc != MPI_SUCCESS) {
    gb_setup_free(c);
    return rc;
  }
  gb_comm **slot = gb_registry_slot(list, comm);
  if (slot != NULL) {
    *slot = c;
  } else if ((rc = MPI_Comm_set_attr(comm, keyval, c)) != MPI_SUCCESS) {
    gb_setup_free(c);
    return rc;
  }
  gb_registry_add(list, c);
  *out = c;
  return MPI_SUCCESS;
}

/* Handles are looked at only once it is known that they are of this MPI library. */
static bool is_possible(void) {
  return atomic_load_explicit(&shared_keyval, memory_order_acquire) != ENDED && gb_library_is_ours() &&
         gb_library_has_world();
}

/* What is known about `comm`, or NULL when it is MPI's; one rank's is unless `alone`. */
static int obtain(MPI_Comm comm, bool alone, gb_preload *preload, gb_comm **out) {
  *out = gb_comm_known(comm);
  if (*out != NULL || !is_possible())
    return MPI_SUCCESS;
  int inter, size, rc;
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

int gb_comm_find(MPI_Comm comm, gb_preload *preload, gb_comm **out) {
  const int rc = obtain(comm, false, preload, out);
  if (*out != NULL && (*out)->size == 1)
    *out = NULL;
  if (preload != NULL) /* MPI itself will say what is wrong */
    return MPI_SUCCESS;
  return rc == MPI_ERR_COMM ? gb_raise(MPI_COMM_WORLD, rc) : rc;
}

int gb_comm_any(MPI_Comm comm, gb_comm **out) {
  int rc = obtain(comm, true, NULL, out);
  if (rc == MPI_SUCCESS && *out != NULL)
    rc = gb_raise(comm, gb_comm_enter(*out));
  else if (rc == MPI_ERR_COMM)
    rc = gb_raise(MPI_COMM_WORLD, rc);
  return rc;
}

int gb_comm_enter(gb_comm *c) {
  if (c->set_up)
    return c->poison;
  int rc = gb_setup_make(c);
  if (rc != MPI_SUCCESS) { /* the next call tries again, from the environment alone */
    gb_setup_reset(c);
    if (c->overrides.preload == NULL)
      return rc;
    c->left = GB_LEFT_REFUSED;
  }
  c->set_up = true;
  gb_registry_sort(c);
  return MPI_SUCCESS;
}

/* MPI's own collectives count in int. */
bool gb_comm_planned(gb_comm *c, const gb_role *role, size_t bytes) {
  const bool own = role->native && bytes <= INT_MAX;
  return !own && (c->dup != MPI_COMM_NULL || gb_duplicate_make(c));
}

MPI_Comm gb_comm_local(const gb_comm *c) {
  return c->registry->local;
}

int gb_comm_renew(MPI_Comm comm, gb_overrides *overrides) {
  gb_comm *c;
  int rc = obtain(comm, true, NULL, &c);
  if (rc != MPI_SUCCESS || c == NULL) {
    gb_overrides_release(overrides);
    return rc;
  }
  gb_setup_reset(c);
  c->overrides = *overrides; /* moved */
  *overrides = (gb_overrides){0};
  return gb_raise(comm, gb_comm_enter(c));
}

int gb_comm_rank_of(const gb_comm *c, uint32_t host, uint32_t k) {
  return (int)c->host_rank[c->host_first[host] + k];
}

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
