/* Computes while a broadcast is under way. Rank 0 makes blocks of data, and every rank adds them up.
 *
 *   rank 0   make 0 | make 1 | make 2 | ...
 *   network         | send 0 | send 1 | send 2 | ...
 *   others                   | add 0  | add 1  | ...
 *
 *   GBCAST_HOSTS=hosts.txt mpiexec ... overlap */
#include <gbcast/gbcast.h>
#include <stdint.h>
#include <stdio.h>

enum { BLOCKS = 20, ELEMENTS = 1 << 17, PIECE = 4096 };

static uint64_t element(uint64_t block, uint64_t i) {
  uint64_t x = (block << 32) + i;
  for (int round = 0; round < 8; round++)
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  return x;
}

/* The sum of a block, which is made first if `makes`. A broadcast of another block makes progress only while
 * the rank is in a call of gbcast: so it is tested after each piece. */
static uint64_t work(uint64_t *data, uint64_t block, int makes, gbcast_handle *broadcast) {
  uint64_t sum = 0;
  int over;
  for (uint64_t i = 0; i < ELEMENTS; i++) {
    if (makes)
      data[i] = element(block, i);
    sum += data[i];
    if (i % PIECE == 0)
      gbcast_test(broadcast, &over);
  }
  return sum;
}

int main(int argc, char **argv) {
  static uint64_t buffer[2][ELEMENTS]; /* block k is in buffer k % 2 */
  gbcast_handle broadcast = GBCAST_HANDLE_NULL;
  int rank;
  MPI_Init(&argc, &argv); /* its error handler ends the job where a call fails */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int makes = rank == 0;
  const double start = MPI_Wtime();
  uint64_t sum = makes ? work(buffer[0], 0, makes, &broadcast) : 0;
  for (uint64_t k = 0; k < BLOCKS; k++) {
    gbcast_ibcast(buffer[k % 2], ELEMENTS, MPI_UINT64_T, 0, MPI_COMM_WORLD, &broadcast);
    if (makes && k + 1 < BLOCKS)
      sum += work(buffer[(k + 1) % 2], k + 1, makes, &broadcast);
    if (!makes && k > 0)
      sum += work(buffer[(k - 1) % 2], k - 1, makes, &broadcast);
    gbcast_wait(&broadcast); /* only now may buffer k % 2 be touched */
  }
  if (!makes)
    sum += work(buffer[(BLOCKS - 1) % 2], BLOCKS - 1, makes, &broadcast);
  const double seconds = MPI_Wtime() - start;

  uint64_t expected = sum;
  gbcast(&expected, sizeof expected, 0, MPI_COMM_WORLD);
  int wrong = sum != expected;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (makes)
    printf("%d blocks of %zu bytes in %.1f ms: %s\n", BLOCKS, sizeof buffer[0], seconds * 1e3,
           wrong ? "WRONG SUMS" : "the same sum on every rank");
  MPI_Finalize();
  return wrong;
}
