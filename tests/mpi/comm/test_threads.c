/* MPI_THREAD_MULTIPLE: threads that call at once, each on communicators of its own, which are set up, used,
 * set up anew and freed. */
#include "tests/support/mpi/check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 6, BLOCK = 6000 };

typedef struct worker {
  pthread_t thread;
  int number;
  MPI_Comm comm;
} worker;

static void broadcasts(const worker *w, uint64_t key) {
  unsigned char *buffer = allocate(20 * BLOCK);
  for (int root = 0; root < size_of(w->comm); root++)
    for (size_t n = 1; n <= 20 * BLOCK; n *= 20) {
      memset(buffer, 0, n);
      if (rank_in(w->comm) == root)
        fill(buffer, n, key + n);
      MUST(gbcast(buffer, n, root, w->comm));
      CHECK(differs(buffer, n, key + n) == n, "thread %d: %zu bytes from root %d", w->number, n, root);
    }
  free(buffer);
}

/* A block of rank a's for rank b has the key a * size + b, and more for each thread and round. */
static void blocks(const worker *w, uint64_t key) {
  const int size = size_of(w->comm), rank = rank_in(w->comm), root = w->number % size;
  unsigned char *out = allocate((size_t)size * BLOCK), *in = allocate((size_t)size * BLOCK);
  for (int to = 0; to < size; to++)
    fill(out + (size_t)to * BLOCK, BLOCK, key + (uint64_t)(rank * size + to));
  MUST(gbcast_scatter(out, BLOCK, MPI_BYTE, in, BLOCK, MPI_BYTE, root, w->comm));
  CHECK(differs(in, BLOCK, key + (uint64_t)(root * size + rank)) == BLOCK, "thread %d: scatter", w->number);
  MUST(gbcast_alltoall(out, BLOCK, MPI_BYTE, in, BLOCK, MPI_BYTE, w->comm));
  for (int from = 0; from < size; from++)
    CHECK(differs(in + (size_t)from * BLOCK, BLOCK, key + (uint64_t)(from * size + rank)) == BLOCK,
          "thread %d: all-to-all, block of rank %d", w->number, from);
  free(out);
  free(in);
}

static void *work(void *argument) {
  static const char *const hosts[] = {"grid.txt", "grid-mixed.txt", "grid-flat.txt", "grid-node.txt"};
  static const setting looking = {"gbcast_refresh", "0.001"};
  worker *w = argument;
  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t key = (uint64_t)(1000 * (THREADS * round + w->number));
    if (round % 2 == 1)
      MUST(set_up_with(w->comm, hosts[(w->number + round / 2) % 4], &looking, 1));
    else if (round > 0)
      MUST(gbcast_refresh(w->comm));
    broadcasts(w, key);
    blocks(w, key);
    char *text;
    MUST(gbcast_explain(w->comm, BLOCK, 0, &text));
    free(text);
  }
  MUST(MPI_Comm_free(&w->comm));
  return NULL;
}

int main(int argc, char **argv) {
  static worker all[THREADS];
  init_with_threads(&argc, &argv);
  for (int t = 0; t < THREADS; t++) {
    all[t].number = t;
    MUST(t % 2 == 0 ? MPI_Comm_dup(MPI_COMM_WORLD, &all[t].comm)
                    : MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_in(MPI_COMM_WORLD), &all[t].comm));
  }
  for (int t = 0; t < THREADS; t++)
    CHECK(pthread_create(&all[t].thread, NULL, work, &all[t]) == 0, "no thread");
  for (int t = 0; t < THREADS; t++)
    CHECK(pthread_join(all[t].thread, NULL) == 0, "a thread is lost");
  MUST(MPI_Finalize());
  return 0;
}
