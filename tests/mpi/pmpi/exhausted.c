/* A program that has all communicators there are, and no error handler of its own: a broadcast on one of them
 * is still a broadcast. Says how many calls it made and how many of them are MPI's in any case, as plain.c.
 *
 *   exhausted FOLDER */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 1 << 16 };
static MPI_Comm comm[MOST];

int main(int argc, char **argv) {
  int rank, count = 0;
  char path[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (count < MOST && MPI_Comm_dup(MPI_COMM_WORLD, &comm[count]) == MPI_SUCCESS)
    MPI_Comm_set_errhandler(comm[count++], MPI_ERRORS_ARE_FATAL);
  int value = rank == 0 ? 4711 : 0, last = count - 1;
  for (int i = 0; i < 2; i++)
    MPI_Bcast(&value, 1, MPI_INT, 0, comm[last]);
  snprintf(path, sizeof path, "%s/%d", argv[1], rank);
  FILE *file = fopen(path, "w");
  if (file == NULL || count == 0 || fprintf(file, "%d\n", value) < 0 || fclose(file) != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD); /* so that nobody frees one before all have called */
  while (count > 0)
    MPI_Comm_free(&comm[--count]);
  if (rank == 0)
    printf("0 3\n");
  MPI_Finalize();
  return 0;
}
