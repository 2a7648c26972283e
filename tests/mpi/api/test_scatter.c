/* Scatters: every algorithm, root and size, MPI_IN_PLACE, uneven and zero counts, datatypes. */
#include "tests/support/mpi/uneven.h"

static void even(size_t block, int root, bool in_place) {
  int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  unsigned char *send = NULL, *receive = allocate(block + 1);
  if (rank == root) {
    send = allocate(block * (size_t)size);
    for (int r = 0; r < size; r++)
      fill(send + block * (size_t)r, block, (uint64_t)r + 1);
  }
  receive[block] = 0xA5;
  bool place = in_place && rank == root;
  MUST(gbcast_scatter(send, (MPI_Count)block, MPI_BYTE, place ? MPI_IN_PLACE : receive, (MPI_Count)block,
                      MPI_BYTE, root, MPI_COMM_WORLD));
  const unsigned char *got = place ? send + block * (size_t)rank : receive;
  size_t at = differs(got, block, (uint64_t)rank + 1);
  CHECK(at == block, "scatter of %zu from %d: byte %zu is wrong", block, root, at);
  CHECK(receive[block] == 0xA5, "scatter of %zu from %d: wrote outside", block, root);
  free(send);
  free(receive);
}

/* Rank r gets (r * step) % 5 * unit integers; with every second integer of the root's buffer when `holes`. */
static void uneven(int unit, int step, int root, bool in_place, bool holes) {
  int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), stride = holes ? 2 : 1;
  uneven_blocks b = make_uneven(unit, step);
  const MPI_Count *count = b.count;
  const MPI_Aint *place = b.place;
  int *send = allocate(sizeof *send * (size_t)(b.total + 1) * 2), mine = (int)count[rank];
  for (int r = 0; r < size; r++)
    for (int i = 0; i < count[r]; i++)
      send[((int)place[r] + i) * stride] = r * 1000003 + i;
  int *receive = allocate(sizeof *receive * (size_t)(mine + 1));
  receive[mine] = -7;
  MPI_Datatype type = make_ints(holes);
  bool here = rank == root, stay = in_place && here;
  MUST(gbcast_scatterv(here ? send : NULL, here ? count : NULL, here ? place : NULL,
                       here ? type : MPI_DATATYPE_NULL, stay ? MPI_IN_PLACE : receive, mine, MPI_INT, root,
                       MPI_COMM_WORLD));
  for (int i = 0; !stay && i < mine; i++)
    CHECK(receive[i] == rank * 1000003 + i, "scatterv from %d, unit %d: element %d is wrong", root, unit, i);
  CHECK(receive[mine] == -7, "scatterv from %d, unit %d: wrote outside", root, unit);
  free_ints(&type, holes);
  free_uneven(&b);
  free(send);
  free(receive);
}

static void many(bool all_roots) {
  static const size_t block[] = {0, 1, 5, 1000, 4096, 40001};
  int size = size_of(MPI_COMM_WORLD);
  for (int root = 0; root < size; root += all_roots || size < 3 ? 1 : size - 1) {
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
      for (int again = 0; again < 2; again++)
        even(block[i], root, again == 1);
    uneven(1, 3, root, false, false);
    uneven(3000, 2, root, true, false);
    uneven(100, 1, root, false, true);
    uneven(0, 1, root, false, false);
  }
}

/* The root's block of `count` (int, double) has holes; the others have the two apart, or no holes. */
static void structs(int count, int root) {
  int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  bool tight = rank % 2 == 1 && rank != root;
  const MPI_Aint offset[2] = {tight ? 0 : offsetof(loose, i), tight ? sizeof(int) : 0};
  const size_t extent = tight ? sizeof(int) + sizeof(double) : sizeof(loose);
  MPI_Datatype pair, type;
  MUST(MPI_Type_create_struct(2, (int[]){1, 1}, offset, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &pair));
  MUST(MPI_Type_create_resized(pair, 0, (MPI_Aint)extent, &type));
  MUST(MPI_Type_free(&pair));
  MUST(MPI_Type_commit(&type));
  loose *send = rank == root ? calloc((size_t)(count * size), sizeof *send) : NULL;
  for (int i = 0; send != NULL && i < count * size; i++) {
    send[i].i = i;
    send[i].d = i / 2.0;
  }
  char *receive = calloc((size_t)count, extent);
  CHECK(receive != NULL && (send != NULL || rank != root), "no memory");
  MUST(gbcast_scatter(send, count, type, receive, count, type, root, MPI_COMM_WORLD));
  for (int i = 0; i < count; i++) {
    int whole, wanted = rank * count + i;
    double half;
    memcpy(&whole, receive + (size_t)i * extent + offset[0], sizeof whole);
    memcpy(&half, receive + (size_t)i * extent + offset[1], sizeof half);
    CHECK(whole == wanted && half == wanted / 2.0, "scatter of structs from %d: element %d is wrong", root,
          i);
  }
  free(send);
  free(receive);
  MUST(MPI_Type_free(&type));
}

int main(int argc, char **argv) {
  static const char *const file[] = {"grid.txt", "grid-mixed.txt", "grid-flat.txt"};
  MUST(MPI_Init(&argc, &argv));
  algorithm_names names = algorithms_for("scatter");
  many(true); /* no hosts file */
  for (int f = 0; f < 3; f++)
    for (int i = 0; i < names.intra; i++)
      for (int j = 0; j < turns(); j++) {
        MUST(set_up(MPI_COMM_WORLD, file[f], inter_in_turn(&names, i, j), names.intra_name[i],
                    j % 3 == 1 ? "1000" : NULL));
        many(f == 1 && j < 2);
        /* MPI_Scatter of MPICH 4.0.2 truncates these past 8 KiB */
        bool own = strcmp(names.intra_name[i], "native") == 0 || strcmp(names.intra_name[i], "auto") == 0;
        structs(own ? 40 : 1000, 0);
        structs(own ? 40 : 500, size_of(MPI_COMM_WORLD) - 1);
      }
  MUST(MPI_Finalize());
  return 0;
}
