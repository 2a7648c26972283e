/* All that the library knows about a communicator. It hangs off the communicator and is freed with it.
 *
 * Everything is found through one attribute: on MPI_COMM_SELF it is a list of what is alive, which
 * MPI_Finalize deletes first; on any other communicator it is that communicator's gb_comm. */
#include "mpi/comm.h"
#include "mpi/error.h"
#include "mpi/setup.h"
#include <stdatomic.h>
#include <stdlib.h>

struct gb_registry {
  gb_comm *first, *last;
  gb_comm *self, *world; /* also in the list */
};
typedef struct gb_registry gb_registry;

/* The one static variable of the library. An attribute can only be found by the number of its keyval, and MPI
 * offers no place to look that number up: it has to be known beforehand. It is a constant from the first call
 * to MPI_Finalize. When simulated ranks share it, they also share the simulator's keyvals, so that it stays
 * right. */
static _Atomic int shared_keyval = MPI_KEYVAL_INVALID;

/* Where a communicator that cannot be freed is kept; NULL for others. */
static gb_comm **slot_of(gb_registry *list, MPI_Comm comm) {
  return comm == MPI_COMM_WORLD ? &list->world : comm == MPI_COMM_SELF ? &list->self : NULL;
}

static void join(gb_registry *list, gb_comm *c) {
  c->registry = list;
  c->next = NULL;
  c->previous = list->last;
  if (list->last != NULL)
    list->last->next = c;
  else
    list->first = c;
  list->last = c;
}

static void leave(gb_comm *c) {
  gb_registry *list = c->registry;
  if (c->previous != NULL)
    c->previous->next = c->next;
  else
    list->first = c->next;
  if (c->next != NULL)
    c->next->previous = c->previous;
  else
    list->last = c->previous;
  gb_comm **slot = slot_of(list, c->user);
  if (slot != NULL)
    *slot = NULL;
}

static void discard(gb_comm *c) {
  leave(c);
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
    if (in_simulator || slot_of(list, c->user) != NULL) {
      discard(c);
      continue;
    }
    int one = MPI_Comm_delete_attr(c->user, keyval); /* comes back to on_delete */
    if (one != MPI_SUCCESS)
      rc = one;
    if (list->first == c) /* it did not: there is no communicator to free it with any more */
      leave(c);
  }
  free(list);
  int mine = atomic_exchange(&shared_keyval, MPI_KEYVAL_INVALID);
  if (mine != MPI_KEYVAL_INVALID)
    (void)MPI_Comm_free_keyval(&mine);
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
  return list != NULL ? *slot_of(list, comm) : NULL;
}

static int keyval_of(int *keyval) {
  *keyval = atomic_load_explicit(&shared_keyval, memory_order_acquire);
  if (*keyval != MPI_KEYVAL_INVALID)
    return MPI_SUCCESS;
  int made, rc = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &made, NULL);
  if (rc != MPI_SUCCESS)
    return rc;
  *keyval = MPI_KEYVAL_INVALID;
  if (atomic_compare_exchange_strong(&shared_keyval, keyval, made))
    *keyval = made;
  else /* another thread was first */
    rc = MPI_Comm_free_keyval(&made);
  return rc;
}

static int registry_of(int keyval, gb_registry **out) {
  *out = attribute(MPI_COMM_SELF);
  if (*out != NULL)
    return MPI_SUCCESS;
  gb_registry *list = calloc(1, sizeof *list);
  if (list == NULL)
    return MPI_ERR_NO_MEM;
  int rc = MPI_Comm_set_attr(MPI_COMM_SELF, keyval, list);
  if (rc != MPI_SUCCESS) {
    free(list);
    return rc;
  }
  *out = list;
  return MPI_SUCCESS;
}

/* Sets `comm` up and hangs the result off it. Takes the overrides over. */
static int create(MPI_Comm comm, gb_overrides *overrides, gb_comm **out) {
  int keyval;
  gb_registry *list;
  gb_comm *c = NULL;
  int rc = keyval_of(&keyval);
  if (rc == MPI_SUCCESS)
    rc = registry_of(keyval, &list);
  if (rc == MPI_SUCCESS)
    rc = gb_setup_make(comm, overrides, &c);
  else
    gb_overrides_release(overrides);
  if (rc != MPI_SUCCESS)
    return gb_raise(comm, rc);
  gb_comm **slot = slot_of(list, comm);
  if (slot != NULL) {
    *slot = c;
  } else if ((rc = MPI_Comm_set_attr(comm, keyval, c)) != MPI_SUCCESS) {
    gb_setup_free(c);
    return gb_raise(comm, rc);
  }
  join(list, c);
  *out = c;
  return MPI_SUCCESS;
}

/* What is known about `comm`, or NULL for an inter-communicator, and for one rank unless `alone`. */
static int obtain(MPI_Comm comm, bool alone, gb_comm **out) {
  if (comm == MPI_COMM_NULL)
    return gb_raise(MPI_COMM_WORLD, MPI_ERR_COMM);
  *out = gb_comm_known(comm);
  if (*out != NULL)
    return MPI_SUCCESS;
  int inter, size, rc;
  if ((rc = MPI_Comm_test_inter(comm, &inter)) != MPI_SUCCESS ||
      (rc = MPI_Comm_size(comm, &size)) != MPI_SUCCESS)
    return rc;
  if (inter || (size == 1 && !alone))
    return MPI_SUCCESS;
  gb_overrides none = {0};
  return create(comm, &none, out);
}

int gb_comm_of(MPI_Comm comm, gb_comm **out) {
  *out = NULL;
  int rc = obtain(comm, false, out);
  if (*out != NULL && ((*out)->disabled || (*out)->size == 1))
    *out = NULL;
  return rc;
}

int gb_comm_any(MPI_Comm comm, gb_comm **out) {
  *out = NULL;
  return obtain(comm, true, out);
}

int gb_comm_renew(MPI_Comm comm, gb_overrides *overrides, gb_comm **out) {
  gb_comm *old = gb_comm_known(comm);
  if (old != NULL && slot_of(old->registry, comm) != NULL) {
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
