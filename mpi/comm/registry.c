/* The list of a process's communicators. */
#include "mpi/comm/registry.h"

gb_comm **gb_registry_entry(gb_comm_registry *list, MPI_Comm comm) {
  return comm == MPI_COMM_WORLD ? &list->world : comm == MPI_COMM_SELF ? &list->self : NULL;
}

static void lock(gb_comm_registry *list) { /* held for a few instructions */
  while (atomic_flag_test_and_set_explicit(&list->busy, memory_order_acquire))
    ;
}

static void unlock(gb_comm_registry *list) {
  atomic_flag_clear_explicit(&list->busy, memory_order_release);
}

static void insert(gb_comm_registry *list, gb_comm *c) {
  c->previous = list->last;
  while (c->previous != NULL && c->previous->close_order > c->close_order)
    c->previous = c->previous->previous;
  c->next = c->previous != NULL ? c->previous->next : list->first;
  if (c->previous != NULL)
    c->previous->next = c;
  else
    list->first = c;
  if (c->next != NULL)
    c->next->previous = c;
  else
    list->last = c;
}

static void take_out(gb_comm_registry *list, gb_comm *c) {
  if (c->previous != NULL)
    c->previous->next = c->next;
  else
    list->first = c->next;
  if (c->next != NULL)
    c->next->previous = c->previous;
  else
    list->last = c->previous;
}

void gb_registry_add(gb_comm_registry *list, gb_comm *c) {
  lock(list);
  c->registry = list;
  c->wire.local = list->local;
  insert(list, c);
  unlock(list);
}

void gb_registry_move(gb_comm *c, uint64_t close_order) {
  gb_comm_registry *list = c->registry;
  lock(list);
  take_out(list, c);
  c->close_order = close_order;
  insert(list, c);
  unlock(list);
}

void gb_registry_remove(gb_comm *c) {
  gb_comm_registry *list = c->registry;
  lock(list);
  take_out(list, c);
  gb_comm **entry = gb_registry_entry(list, c->user);
  if (entry != NULL)
    *entry = NULL;
  unlock(list);
}

bool gb_registry_reserve(gb_comm_registry *list) {
  lock(list);
  const bool room = list->duplicates < GB_DUPLICATES_MOST;
  list->duplicates += room;
  unlock(list);
  return room;
}

void gb_registry_give_back(gb_comm_registry *list) {
  lock(list);
  list->duplicates--;
  unlock(list);
}
