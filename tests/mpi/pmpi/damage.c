/* A program that has never heard of gbcast, in whose network a byte changes: what rank 0 sends next. It says
 * which class each rank gets.
 *
 *   damage */
#include "tests/support/mpi/damage.h"

DAMAGING(MPI_Isend, PMPI_Isend)
DAMAGING(MPI_Issend, PMPI_Issend)

enum { bytes = 5000, ranks_most = 16 };

int main(int argc, char **argv) {
  static unsigned char data[bytes];
  int class[ranks_most] = {0}, mine, rank, size;
  MUST(MPI_Init(&argc, &argv));
  rank = rank_in(MPI_COMM_WORLD);
  size = size_of(MPI_COMM_WORLD);
  CHECK(size <= ranks_most, "too many ranks");
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  harm = (damage){.armed = rank == 0, .least = bytes / 2};
  if (rank == 0)
    fill(data, bytes, 1);
  int code = MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  MUST(MPI_Error_class(code, &mine));
  CHECK((mine == MPI_ERR_OTHER) == (differs(data, bytes, 1) < bytes), "class %d of a broadcast", mine);
  MUST(PMPI_Gather(&mine, 1, MPI_INT, class, 1, MPI_INT, 0, MPI_COMM_WORLD));
  for (int i = 0; rank == 0 && i < size; i++)
    printf("%s%c", class[i] == MPI_SUCCESS ? "right" : "damaged", i + 1 < size ? ' ' : '\n');
  free(harm.changed);
  MUST(MPI_Finalize());
  return 0;
}
