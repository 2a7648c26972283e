/* A program that has never heard of gbcast, with two threads that use communicators of their own at once.
 * Which is set up first differs from rank to rank; MPI_Finalize finds all of them. Takes and says what
 * plain.c does. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 2, COMMS = 8, ROUNDS = 4, BLOCK = 3000, RANKS_MOST = 8 };

typedef struct worker {
  pthread_t thread;
  MPI_Comm comm[COMMS];
  int number, rank, size;
  unsigned char in[COMMS][ROUNDS][RANKS_MOST * BLOCK], out[RANKS_MOST * BLOCK];
} worker;

static void *work(void *argument) {
  worker *w = argument;
  for (size_t i = 0; i < sizeof w->out; i++)
    w->out[i] = (unsigned char)((i * 2654435761u + (size_t)(w->rank * 71 + w->number)) >> 3);
  for (int round = 0; round < ROUNDS; round++)
    for (int c = 0; c < COMMS; c++) {
      unsigned char *in = w->in[c][round];
      if (w->rank == round % w->size)
        memcpy(in, w->out, BLOCK);
      if (round % 2 == 0)
        MPI_Bcast(in, BLOCK, MPI_BYTE, round % w->size, w->comm[c]);
      else
        MPI_Alltoall(w->out, BLOCK, MPI_BYTE, in, BLOCK, MPI_BYTE, w->comm[c]);
    }
  return NULL;
}

int main(int argc, char **argv) {
  static worker all[THREADS];
  char path[1024];
  int rank, size, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(path, sizeof path, "%s/%d", argv[1], rank);
  FILE *file = fopen(path, "w");
  if (file == NULL || size > RANKS_MOST || level < MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int t = 0; t < THREADS; t++) {
    all[t].number = t;
    all[t].rank = rank;
    all[t].size = size;
    for (int c = 0; c < COMMS; c++)
      MPI_Comm_dup(MPI_COMM_WORLD, &all[t].comm[c]);
  }
  for (int t = 0; t < THREADS; t++)
    pthread_create(&all[t].thread, NULL, work, &all[t]);
  for (int t = 0; t < THREADS; t++) {
    pthread_join(all[t].thread, NULL);
    fwrite(all[t].in, 1, sizeof all[t].in, file);
  }
  int failed = fclose(file) != 0, calls = THREADS * COMMS * ROUNDS;
  if (rank == 0)
    printf("%d %d\n", size > 1 ? calls : 0, size > 1 ? 0 : calls);
  MPI_Finalize();
  return failed;
}
