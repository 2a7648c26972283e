/* Gathers: every algorithm, root and size, MPI_IN_PLACE, uneven and zero counts, datatypes, handles. */
#include "tests/support/mpi/uneven.h"

/* The root's buffer begins with `block` bytes that nobody writes to, and ends with one. */
static void even(size_t block, int root, bool in_place) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const size_t all = block * (size_t)size;
  const bool is_root = rank == root, place = in_place && is_root;
  unsigned char *send = allocate(block), *receive = is_root ? allocate(all + 1) : NULL;
  fill(send, block, (uint64_t)rank + 1);
  if (is_root)
    memset(receive, 0xA5, all + 1);
  if (place)
    memcpy(receive + block * (size_t)rank, send, block);
  MUST(gbcast_gather(place ? MPI_IN_PLACE : send, (MPI_Count)block, MPI_BYTE, receive, (MPI_Count)block,
                     MPI_BYTE, root, MPI_COMM_WORLD));
  for (int r = 0; is_root && r < size; r++) {
    const size_t at = differs(receive + block * (size_t)r, block, (uint64_t)r + 1);
    CHECK(at == block, "gather of %zu to %d: byte %zu of rank %d is wrong", block, root, at, r);
  }
  CHECK(!is_root || receive[all] == 0xA5, "gather of %zu to %d: wrote outside", block, root);
  CHECK(differs(send, block, (uint64_t)rank + 1) == block, "gather of %zu to %d: wrote to what is sent",
        block, root);
  free(send);
  free(receive);
}

/* To every second integer of the root's buffer when `holes`. */
static void uneven(int unit, int step, int root, bool in_place, bool holes) {
  const int rank = rank_in(MPI_COMM_WORLD), stride = holes ? 2 : 1;
  uneven_blocks b = make_uneven(unit, step);
  const int room = (b.total + 1) * 2, mine = (int)b.count[rank];
  int *receive = allocate(sizeof *receive * (size_t)room), *send = allocate(sizeof *send * (size_t)mine);
  char what[64];
  for (int i = 0; i < room; i++)
    receive[i] = -7;
  for (int i = 0; i < mine; i++)
    send[i] = rank * 1000003 + i;
  MPI_Datatype type = make_ints(holes);
  const bool here = rank == root, stay = in_place && here;
  for (int i = 0; stay && i < mine; i++)
    receive[((int)b.place[rank] + i) * stride] = send[i];
  MUST(gbcast_gatherv(stay ? MPI_IN_PLACE : send, mine, MPI_INT, here ? receive : NULL, here ? b.count : NULL,
                      here ? b.place : NULL, here ? type : MPI_DATATYPE_NULL, root, MPI_COMM_WORLD));
  snprintf(what, sizeof what, "gatherv to %d, unit %d", root, unit);
  if (here)
    check_gathered(&b, receive, room, stride, what);
  free_ints(&type, holes);
  free_uneven(&b);
  free(send);
  free(receive);
}

static void many(bool all_roots) {
  static const size_t block[] = {0, 1, 5, 1000, 4096, 40001};
  const int size = size_of(MPI_COMM_WORLD);
  for (int root = 0; root < size; root += all_roots || size < 3 ? 1 : size - 1) {
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
      for (int again = 0; again < 2; again++)
        even(block[i], root, again == 1);
    uneven(1, 3, root, false, false);
    uneven(3000, 2, root, true, false);
    uneven(100, 1, root, false, true);
    uneven(500, 2, root, true, true);
    uneven(0, 1, root, false, false);
  }
}

/* Blocks of `count` (int, double), with holes at the root, and there in place. */
static void structs(int count, int root, bool in_place) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const bool is_root = rank == root, place = is_root && in_place;
  MPI_Datatype type = make_loose();
  loose *send = calloc((size_t)count, sizeof *send);
  loose *receive = is_root ? calloc((size_t)(count * size), sizeof *receive) : NULL;
  CHECK(send != NULL && (receive != NULL || !is_root), "no memory");
  loose *own = place ? receive + (ptrdiff_t)count * rank : send;
  for (int i = 0; i < count; i++)
    own[i] = (loose){.i = rank * count + i, .d = i / 2.0, .hole = "keep"};
  MUST(gbcast_gather(place ? MPI_IN_PLACE : send, count, type, receive, count, type, root, MPI_COMM_WORLD));
  for (int i = 0; is_root && i < count * size; i++)
    CHECK(receive[i].i == i && receive[i].d == i % count / 2.0,
          "gather of structs to %d: element %d is wrong", root, i);
  CHECK(!place || strcmp(own->hole, "keep") == 0, "gather of structs to %d: wrote to a hole", root);
  free(send);
  free(receive);
  MUST(MPI_Type_free(&type));
}

/* Several are under way at once, and end in the other order; one is persistent. */
static void handles(size_t count) {
  enum { CALLS = 4 };
  const int ranks = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  gbcast_handle handle[CALLS], kept;
  int *own[CALLS], *all[CALLS];
  for (int k = 0; k < CALLS; k++) {
    own[k] = allocate(count * sizeof **own);
    all[k] = allocate(count * (size_t)ranks * sizeof **all);
    for (size_t i = 0; i < count; i++)
      own[k][i] = me * 1000 + k * 100000 + (int)i;
    MUST(gbcast_igather(own[k], (MPI_Count)count, MPI_INT, all[k], (MPI_Count)count, MPI_INT, k % ranks,
                        MPI_COMM_WORLD, &handle[k]));
  }
  for (int k = CALLS - 1; k >= 0; k--) {
    MUST(gbcast_wait(&handle[k]));
    for (size_t i = 0; me == k % ranks && i < count * (size_t)ranks; i++)
      CHECK(all[k][i] == (int)(i / count) * 1000 + k * 100000 + (int)(i % count),
            "call %d, element %zu is wrong", k, i);
  }
  MPI_Count *counts = allocate((size_t)ranks * sizeof *counts);
  MPI_Aint *places = allocate((size_t)ranks * sizeof *places);
  for (int r = 0; r < ranks; r++) {
    counts[r] = r % 2 == 0 ? (MPI_Count)count : 1;
    places[r] = r * (MPI_Aint)count;
  }
  MUST(gbcast_gatherv_init(own[0], counts[me], MPI_INT, all[0], counts, places, MPI_INT, 0, MPI_COMM_WORLD,
                           &kept));
  for (int turn = 1; turn < 4; turn++) {
    for (size_t i = 0; i < count; i++)
      own[0][i] = turn * 1000 + me;
    MUST(gbcast_start(&kept));
    MUST(gbcast_wait(&kept));
    for (int r = 0; me == 0 && r < ranks; r++)
      CHECK(all[0][places[r] + counts[r] - 1] == turn * 1000 + r, "turn %d, rank %d is wrong", turn, r);
  }
  MUST(gbcast_handle_free(&kept));
  for (int k = 0; k < CALLS; k++) {
    free(own[k]);
    free(all[k]);
  }
  free(counts);
  free(places);
}

int main(int argc, char **argv) {
  static const char *const file[] = {"grid.txt", "grid-mixed.txt", "grid-flat.txt", "mesh.txt"};
  MUST(MPI_Init(&argc, &argv));
  const int size = size_of(MPI_COMM_WORLD);
  algorithm_names names = algorithms_for("scatter");
  many(true); /* no hosts file */
  for (int f = 0; f < 4; f++)
    for (int i = 0; i < names.intra; i++)
      for (int j = 0; j < turns(); j++) {
        MUST(set_up(MPI_COMM_WORLD, file[f], inter_in_turn(&names, i, j), names.intra_name[i],
                    j % 3 == 1 ? "1000" : NULL));
        many(f == 1 && j < 2);
        /* MPI_Gather of MPICH 4.0.2 truncates these past 8 KiB */
        const bool own =
            strcmp(names.intra_name[i], "native") == 0 || strcmp(names.intra_name[i], "auto") == 0;
        for (int again = 0; again < 2; again++) {
          structs(own ? 40 : 500, 0, again == 1);
          structs(40, size - 1, again == 1);
        }
        if (j == 0)
          handles(700);
      }
  const setting checked[] = {{"gbcast_check", "1"}};
  MUST(set_up_with(MPI_COMM_WORLD, "mesh.txt", checked, 1));
  many(true);
  structs(40, size - 1, true);
  handles(700);
  MUST(MPI_Finalize());
  return 0;
}
