/* The communicators of a process that are alive. */
#include "mpi/registry.h"

gb_comm **gb_registry_slot(gb_registry *list, MPI_Comm comm) {
  return comm == MPI_COMM_WORLD ? &list->world : comm == MPI_COMM_SELF ? &list->self : NULL;
}

static void lock(gb_registry *list) { /* for a few instructions */
  while (atomic_flag_test_and_set_explicit(&list->busy, memory_order_acquire))
    ;
}

static void unlock(gb_registry *list) {
  atomic_flag_clear_explicit(&list->busy, memory_order_release);
}

void gb_registry_add(gb_registry *list, gb_comm *c) {
  lock(list);
  c->registry = list;
  c->previous = list->last;
  while (c->previous != NULL && c->previous->turn > c->turn)
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
  unlock(list);
}

void gb_registry_remove(gb_comm *c) {
  gb_registry *list = c->registry;
  lock(list);
  if (c->previous != NULL)
    c->previous->next = c->next;
  else
    list->first = c->next;
  if (c->next != NULL)
    c->next->previous = c->previous;
  else
    list->last = c->previous;
  gb_comm **slot = gb_registry_slot(list, c->user);
  if (slot != NULL)
    *slot = NULL;
  unlock(list);
}

uint32_t gb_registry_number(gb_registry *list) {
  lock(list);
  uint32_t number = list->made++;
  unlock(list);
  return number;
}
