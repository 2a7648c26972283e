/* A program of a user: broadcasts, and says the version. It is C++, too. */
#include <gbcast/gbcast.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, ok, all, value[1000];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 1000; i++)
    value[i] = rank == 0 ? i : -1;
  ok = gbcast(value, sizeof value, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
  for (int i = 0; i < 1000; i++)
    ok = ok && value[i] == i;
  MPI_Reduce(&ok, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("gbcast %s: %s\n", gbcast_version(), all ? "right" : "wrong");
  MPI_Finalize();
  return 0;
}
