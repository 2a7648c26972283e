/* The progress thread. */
#include "mpi/comm/handle.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

/* Between two looks it sleeps: one that polled would take the program's processor, and MPI's locks. */
enum { NAP = 20000 }; /* ns */

struct gb_progress_thread {
  pthread_t thread;
  sem_t calls; /* posted for each call that is put in the list, and at the end */
  atomic_bool ends;
};

static void *work(void *argument) {
  gb_comm_registry *list = argument;
  struct gb_progress_thread *t = list->thread;
  const struct timespec nap = {0, NAP};
  while (!atomic_load_explicit(&t->ends, memory_order_acquire)) {
    if (atomic_load_explicit(&list->under_way, memory_order_acquire) == 0) {
      (void)sem_wait(&t->calls);
      continue;
    }
    gb_handle_progress_all(list);
    (void)nanosleep(&nap, NULL);
  }
  return NULL;
}

bool gb_progress_thread_start(gb_comm_registry *list) {
  int level = MPI_THREAD_SINGLE;
  if (list->thread != NULL)
    return true;
  if (!gb_this_machine.has_threads || MPI_Query_thread(&level) != MPI_SUCCESS || level != MPI_THREAD_MULTIPLE)
    return false;
  struct gb_progress_thread *t = calloc(1, sizeof *t);
  if (t == NULL || sem_init(&t->calls, 0, 0) != 0) {
    free(t);
    return false;
  }
  list->thread = t;
  if (pthread_create(&t->thread, NULL, work, list) == 0)
    return true;
  list->thread = NULL;
  (void)sem_destroy(&t->calls);
  free(t);
  return false;
}

void gb_progress_thread_wake(gb_comm_registry *list) {
  if (list->thread != NULL)
    (void)sem_post(&list->thread->calls);
}

void gb_progress_thread_end(gb_comm_registry *list) {
  struct gb_progress_thread *t = list->thread;
  if (t == NULL)
    return;
  atomic_store_explicit(&t->ends, true, memory_order_release);
  (void)sem_post(&t->calls);
  (void)pthread_join(t->thread, NULL);
  (void)sem_destroy(&t->calls);
  free(t);
  list->thread = NULL;
}
