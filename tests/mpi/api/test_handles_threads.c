/* MPI_THREAD_MULTIPLE: threads that begin and end calls on communicators of their own, and threads that wait
 * for calls of one communicator, while another begins the next ones there. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"
#include "tests/support/rounds.h"
#include <pthread.h>

enum { THREADS = 3, OWN_ROUNDS = 60, SHARED_ROUNDS = 1500, AHEAD = 6 };

static MPI_Comm open_comm(MPI_Comm base, const char *intra) {
  const setting forced[] = {{"gbcast_intra", intra},
                            {"gbcast_sync", strcmp(intra, "native") == 0 ? intra : "at-once"},
                            {"gbcast_segment", "4k"}};
  MPI_Comm comm;
  MUST(MPI_Comm_dup(base, &comm));
  MUST(set_up_with(comm, "grid-flat.txt", forced, 3));
  return comm;
}

static one_call nth(int i, MPI_Comm comm) {
  one_call x = {.call = (enum call)(i % CALLS), .bytes = (size_t)(i * 37 % 9000), .root = i % size_of(comm)};
  x.holes = i % 3 == 0;
  x.key = (uint64_t)i;
  return x;
}

static void check(one_call *x, MPI_Comm comm, const char *what) {
  CHECK(call_is_right(x, comm), "%s: %s of %zu bytes from root %d", what, call_name[x->call], x->bytes,
        x->root);
  end_call(x);
}

typedef struct worker {
  pthread_t thread;
  int number;
  MPI_Comm base; /* that no other thread uses */
} worker;

/* Calls in all forms on a communicator of its own, which is set up anew at times and freed with one under
 * way. */
static void *own(void *argument) {
  static const char *const intra[] = {"chain", "native", "binomial"};
  worker *w = argument;
  for (int i = 0; i < ROUNDS(OWN_ROUNDS); i++) {
    MPI_Comm comm = open_comm(w->base, intra[(w->number + i) % 3]);
    one_call x = nth(7 * i + w->number, comm), often = nth(5 * i, comm), last = nth(3 * i, comm);
    gbcast_handle handle[3];
    prepare_call(&x, comm);
    prepare_call(&often, comm);
    prepare_call(&last, comm);
    MUST(call_in_form(&x, comm, AT_ONCE, &handle[0]));
    MUST(call_in_form(&often, comm, PERSISTENT, &handle[1]));
    for (int start = 0; start < 3; start++) {
      often.key++;
      fill_call(&often, comm);
      MUST(gbcast_start(&handle[1]));
      if (start == 1)
        MUST(gbcast_refresh(comm));
      MUST(gbcast_wait(&handle[1]));
      CHECK(call_is_right(&often, comm), "a persistent call of thread %d", w->number);
    }
    one_call between = nth(i, comm);
    prepare_call(&between, comm);
    MUST(make_call(&between, comm));
    check(&between, comm, "between");
    MUST(call_in_form(&last, comm, AT_ONCE, &handle[2]));
    if (!outlives_communicator(x.call))
      MUST(gbcast_wait(&handle[0]));
    if (!outlives_communicator(last.call))
      MUST(gbcast_wait(&handle[2]));
    MUST(MPI_Comm_free(&comm));
    MUST(gbcast_waitall(3, handle));
    MUST(gbcast_handle_free(&handle[1]));
    check(&x, w->base, "the first");
    check(&last, w->base, "the last");
    end_call(&often);
  }
  return NULL;
}

/* A ring of calls, which one thread begins and two others wait for, each for every second one. */
static struct ring {
  pthread_mutex_t lock;
  pthread_cond_t moved;
  MPI_Comm comm;
  int begun, ended; /* calls; `ended`: so many at least, and all before */
  bool over[AHEAD];
  one_call x[AHEAD];
  gbcast_handle handle[AHEAD];
} ring = {.lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};

static void lock(void) {
  CHECK(pthread_mutex_lock(&ring.lock) == 0, "no lock");
}

static void unlock(void) {
  CHECK(pthread_cond_broadcast(&ring.moved) == 0 && pthread_mutex_unlock(&ring.lock) == 0, "no lock");
}

static void wait_until_moved(void) {
  CHECK(pthread_cond_wait(&ring.moved, &ring.lock) == 0, "no lock");
}

static void *end_every_second(void *argument) {
  const worker *w = argument;
  for (int i = w->number; i < ROUNDS(SHARED_ROUNDS); i += 2) {
    const int at = i % AHEAD;
    lock();
    while (ring.begun <= i)
      wait_until_moved();
    unlock();
    if (i % 3 == 0) {
      int done = 0;
      while (!done)
        MUST(gbcast_test(&ring.handle[at], &done));
    } else {
      MUST(gbcast_wait(&ring.handle[at]));
    }
    check(&ring.x[at], ring.comm, "of a ring");
    lock();
    ring.over[at] = true;
    while (ring.over[ring.ended % AHEAD]) {
      ring.over[ring.ended % AHEAD] = false;
      ring.ended++;
    }
    unlock();
  }
  return NULL;
}

static void begin_all(void) {
  for (int i = 0; i < ROUNDS(SHARED_ROUNDS); i++) {
    const int at = i % AHEAD;
    lock();
    while (i - ring.ended >= AHEAD)
      wait_until_moved();
    unlock();
    ring.x[at] = nth(i, ring.comm);
    prepare_call(&ring.x[at], ring.comm);
    MUST(call_in_form(&ring.x[at], ring.comm, AT_ONCE, &ring.handle[at]));
    if (i % 10 == 9) { /* a blocking call, too */
      one_call x = nth(i, ring.comm);
      prepare_call(&x, ring.comm);
      MUST(make_call(&x, ring.comm));
      check(&x, ring.comm, "beside a ring");
    }
    lock();
    ring.begun++;
    unlock();
  }
}

static void run(worker *w, int count, void *(*work)(void *), void (*meanwhile)(void)) {
  for (int t = 0; t < count; t++) {
    w[t].number = t;
    CHECK(pthread_create(&w[t].thread, NULL, work, &w[t]) == 0, "no thread");
  }
  meanwhile();
  for (int t = 0; t < count; t++)
    CHECK(pthread_join(w[t].thread, NULL) == 0, "a thread is lost");
}

static void nothing(void) {}

int main(int argc, char **argv) {
  static const char *const intra[] = {"chain", "native"};
  static worker all[THREADS];
  init_with_threads(&argc, &argv);
  for (int i = 0; i < 2; i++) {
    ring.comm = open_comm(MPI_COMM_WORLD, intra[i]);
    ring.begun = ring.ended = 0;
    run(all, 2, end_every_second, begin_all);
    MUST(MPI_Comm_free(&ring.comm));
  }
  for (int t = 0; t < THREADS; t++)
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &all[t].base));
  run(all, THREADS, own, nothing);
  for (int t = 0; t < THREADS; t++)
    MUST(MPI_Comm_free(&all[t].base));
  MUST(MPI_Finalize());
  return 0;
}
