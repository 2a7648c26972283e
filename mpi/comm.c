/* All that the library knows about a communicator. It hangs off the communicator and is freed with it.
 *
 * Everything is found through one attribute: on MPI_COMM_SELF it is a list of what is alive, which
 * MPI_Finalize deletes first; on any other communicator it is that communicator's gb_comm. */
#include "mpi/comm.h"
#include "mpi/error.h"
#include "mpi/registry.h"
#include "mpi/setup.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The one static variable of the library. An attribute can only be found by the number of its keyval, and MPI
 * offers no place to look that number up: it has to be known beforehand. It is a constant from the first call
 * to MPI_Finalize. When simulated ranks share it, they also share the simulator's keyvals, so that it stays
 * right. */
static _Atomic int shared_keyval = MPI_KEYVAL_INVALID;

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
  free(list);
  int mine = keyval;
  if (atomic_compare_exchange_strong(&shared_keyval, &mine, MPI_KEYVAL_INVALID))
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
  if (keyval == MPI_KEYVAL_INVALID || MPI_Comm_get_attr(comm, keyval, (void *)&value, &found) != MPI_SUCCESS)
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
  int rc = MPI_Comm_set_attr(MPI_COMM_SELF, keyval, list);
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

/* Sets `comm` up and hangs the result off it. Takes the overrides over. */
static int create(MPI_Comm comm, gb_overrides *overrides, gb_comm **out) {
  int keyval;
  gb_registry *list;
  gb_comm *c = NULL;
  const bool lenient = overrides->told != NULL;
  int rc = keyval_of(&keyval);
  if (rc == MPI_SUCCESS)
    rc = registry_of(keyval, &list);
  if (rc == MPI_SUCCESS)
    rc = gb_setup_make(comm, overrides, gb_registry_number(list), &c);
  else
    gb_overrides_release(overrides);
  if (rc != MPI_SUCCESS)
    return lenient ? rc : gb_raise(comm, rc);
  gb_comm **slot = gb_registry_slot(list, comm);
  if (slot != NULL) {
    *slot = c;
  } else if ((rc = MPI_Comm_set_attr(comm, keyval, c)) != MPI_SUCCESS) {
    gb_setup_free(c);
    return lenient ? rc : gb_raise(comm, rc);
  }
  gb_registry_add(list, c);
  *out = c;
  return MPI_SUCCESS;
}

/* What is known about `comm`, or NULL for an inter-communicator, and for one rank unless `alone`. */
static int obtain(MPI_Comm comm, bool alone, gb_overrides overrides, gb_comm **out) {
  *out = gb_comm_known(comm);
  if (*out != NULL)
    return MPI_SUCCESS;
  int inter, size, rc;
  if ((rc = MPI_Comm_test_inter(comm, &inter)) != MPI_SUCCESS ||
      (rc = MPI_Comm_size(comm, &size)) != MPI_SUCCESS)
    return rc;
  if (inter || (size == 1 && !alone))
    return MPI_SUCCESS;
  return create(comm, &overrides, out);
}

void gb_comm_lenient(MPI_Comm comm, atomic_bool *told, gb_comm **out) {
  *out = NULL;
  if (comm != MPI_COMM_NULL && obtain(comm, false, (gb_overrides){.told = told}, out) != MPI_SUCCESS)
    *out = NULL;
}

static int obtain_or_raise(MPI_Comm comm, bool alone, gb_comm **out) {
  *out = NULL;
  return comm == MPI_COMM_NULL ? gb_raise(MPI_COMM_WORLD, MPI_ERR_COMM)
                               : obtain(comm, alone, (gb_overrides){0}, out);
}

int gb_comm_of(MPI_Comm comm, gb_comm **out) {
  int rc = obtain_or_raise(comm, false, out);
  if (*out != NULL && ((*out)->disabled || (*out)->size == 1))
    *out = NULL;
  return rc;
}

int gb_comm_any(MPI_Comm comm, gb_comm **out) {
  return obtain_or_raise(comm, true, out);
}

int gb_comm_renew(MPI_Comm comm, gb_overrides *overrides, gb_comm **out) {
  gb_comm *old = gb_comm_known(comm);
  if (old != NULL && gb_registry_slot(old->registry, comm) != NULL) {
    discard(old);
  } else if (old != NULL) {
    int rc = MPI_Comm_delete_attr(comm, atomic_load(&shared_keyval));
    if (rc != MPI_SUCCESS) {
      gb_overrides_release(overrides);
      return rc; /* the handler has seen it */
    }
  }
  return create(comm, overrides, out);
}

int gb_comm_rank_of(const gb_comm *c, uint32_t host, uint32_t k) {
  return (int)c->host_rank[c->host_first[host] + k];
}

void gb_comm_complain(const gb_comm *c, const char *why) {
  atomic_bool *told = c->overrides.told;
  if (told == NULL)
    fprintf(stderr, "gbcast: %s\n", why);
  else if (!atomic_exchange(told, true))
    fprintf(stderr, "gbcast: %s; the calls are passed on to MPI\n", why);
}
