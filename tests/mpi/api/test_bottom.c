/* MPI_BOTTOM: datatypes that hold absolute addresses, on the side that sends, on the one that receives, on
 * some ranks and not on others. */
#include "tests/support/mpi/check.h"

/* `count` integers in two pieces that were allocated apart, the longer one last. */
typedef struct pieces {
  int *part[2];
  int length[2];
} pieces;

static pieces pieces_of(int count) {
  pieces p = {.length = {count / 3, count - count / 3}};
  for (int i = 0; i < 2; i++) {
    p.part[i] = allocate(sizeof(int) * ((size_t)p.length[i] + 1));
    for (int at = 0; at <= p.length[i]; at++)
      p.part[i][at] = -1;
  }
  return p;
}

static void pieces_free(pieces *p) {
  free(p->part[0]);
  free(p->part[1]);
}

static int *piece_at(const pieces *p, int i) {
  return i < p->length[0] ? &p->part[0][i] : &p->part[1][i - p->length[0]];
}

static MPI_Datatype absolute(const pieces *p, bool as_struct) {
  MPI_Datatype type, part[2] = {MPI_INT, MPI_INT};
  MPI_Aint address[2];
  int length[2] = {p->length[0], p->length[1]};
  for (int i = 0; i < 2; i++)
    MUST(MPI_Get_address(p->part[i], &address[i]));
  if (as_struct)
    MUST(MPI_Type_create_struct(2, length, address, part, &type));
  else
    MUST(MPI_Type_create_hindexed(2, length, address, MPI_INT, &type));
  MUST(MPI_Type_commit(&type));
  return type;
}

static void check_pieces(const pieces *p, int count, int first, const char *what) {
  for (int i = 0; i < count; i++)
    CHECK(*piece_at(p, i) == first + i, "%s of %d: element %d is %d, not %d", what, count, i, *piece_at(p, i),
          first + i);
  for (int i = 0; i < 2; i++)
    CHECK(p->part[i][p->length[i]] == -1, "%s of %d: wrote outside piece %d", what, count, i);
}

/* Every third rank from `root` on has its integers in one piece; `shift` moves these ranks. */
static void broadcast(int count, int root, int shift) {
  int rank = rank_in(MPI_COMM_WORLD);
  bool plain = (rank - root + shift + 3 * size_of(MPI_COMM_WORLD)) % 3 == 0;
  pieces p = pieces_of(count);
  int *flat = allocate(sizeof(int) * (size_t)(count + 1));
  for (int i = 0; rank == root && i < count; i++)
    *piece_at(&p, i) = flat[i] = 7 + i;
  if (plain) {
    MUST(gbcast_bcast(flat, count, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; i < count; i++)
      *piece_at(&p, i) = flat[i];
  } else {
    MPI_Datatype type = absolute(&p, rank % 2 == 0);
    MUST(gbcast_bcast(MPI_BOTTOM, 1, type, root, MPI_COMM_WORLD));
    MUST(MPI_Type_free(&type));
  }
  check_pieces(&p, count, 7, "bcast");
  free(flat);
  pieces_free(&p);
}

/* The root sends from MPI_BOTTOM: block b of `count` integers lies b * stride bytes after an address. */
static MPI_Datatype absolute_blocks(const int *at, int count, int stride) {
  MPI_Datatype type, spaced;
  MPI_Aint address;
  MUST(MPI_Get_address(at, &address));
  MUST(MPI_Type_create_hindexed(1, &count, &address, MPI_INT, &type));
  MUST(MPI_Type_create_resized(type, 0, (MPI_Aint)sizeof(int) * stride, &spaced));
  MUST(MPI_Type_free(&type));
  MUST(MPI_Type_commit(&spaced));
  return spaced;
}

/* With `odd`, ranks of an odd number receive to MPI_BOTTOM, else those of an even number. */
static void scatter(int count, int root, bool odd, bool uneven, bool in_place) {
  int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), stride = count + 3;
  int *send = allocate(sizeof(int) * (size_t)stride * (size_t)size);
  MPI_Count *counts = allocate(sizeof *counts * (size_t)size);
  MPI_Aint *place = allocate(sizeof *place * (size_t)size);
  for (int r = 0; r < size; r++) {
    counts[r] = 1;
    place[r] = uneven ? size - 1 - r : r; /* uneven: in the other order */
    for (int i = 0; i < count; i++)
      send[(int)place[r] * stride + i] = 1000 * r + i;
  }
  MPI_Datatype from = absolute_blocks(send, count, stride), to = MPI_INT;
  pieces p = pieces_of(count);
  int *flat = allocate(sizeof(int) * (size_t)(count + 1));
  bool bottom = (rank % 2 == 1) == odd, stay = in_place && rank == root;
  if (bottom)
    to = absolute(&p, rank % 3 == 0);
  void *receive = stay ? MPI_IN_PLACE : bottom ? MPI_BOTTOM : flat;
  MPI_Count n = bottom ? 1 : count;
  if (uneven)
    MUST(gbcast_scatterv(MPI_BOTTOM, counts, place, from, receive, n, to, root, MPI_COMM_WORLD));
  else
    MUST(gbcast_scatter(MPI_BOTTOM, 1, from, receive, n, to, root, MPI_COMM_WORLD));
  for (int i = 0; !bottom && !stay && i < count; i++)
    *piece_at(&p, i) = flat[i];
  if (!stay)
    check_pieces(&p, count, 1000 * rank, uneven ? "scatterv" : "scatter");
  if (bottom)
    MUST(MPI_Type_free(&to));
  MUST(MPI_Type_free(&from));
  pieces_free(&p);
  free(flat);
  free(send);
  free(counts);
  free(place);
}

static void alltoall(int count, bool in_place) {
  int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), stride = count + 3;
  int *send = allocate(sizeof(int) * (size_t)stride * (size_t)size);
  int *receive = allocate(sizeof(int) * (size_t)stride * (size_t)size);
  for (int r = 0; r < size; r++)
    for (int i = 0; i < count; i++)
      (in_place ? receive : send)[r * stride + i] = rank * 1000 + r + i;
  MPI_Datatype from = absolute_blocks(send, count, stride), to = absolute_blocks(receive, count, stride);
  MUST(gbcast_alltoall(in_place ? MPI_IN_PLACE : MPI_BOTTOM, 1, from, MPI_BOTTOM, 1, to, MPI_COMM_WORLD));
  for (int r = 0; r < size; r++)
    for (int i = 0; i < count; i++)
      CHECK(receive[r * stride + i] == r * 1000 + rank + i, "all-to-all of %d from %d: integer %d is wrong",
            count, r, i);
  MUST(MPI_Type_free(&from));
  MUST(MPI_Type_free(&to));
  free(send);
  free(receive);
}

static void all(void) {
  static const int count[] = {1, 5, 1000, 30001};
  int size = size_of(MPI_COMM_WORLD);
  for (size_t i = 0; i < sizeof count / sizeof *count; i++)
    for (int root = 0; root < size; root += size < 4 ? 1 : size / 2 - 1)
      for (int way = 0; way < 3; way++) {
        broadcast(count[i], root, way);
        scatter(count[i], root, way == 0, false, way == 2);
        scatter(count[i], root, way == 0, true, way == 2);
      }
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  all(); /* no hosts file */
  MUST(set_up(MPI_COMM_WORLD, "grid.txt", NULL, NULL, NULL));
  all();
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", "chain", "chain", "2k"));
  all();
  MUST(set_up(MPI_COMM_WORLD, "alltoall-nodes.txt", NULL, NULL, NULL));
  alltoall(1, false);
  alltoall(20001, false);
  alltoall(300, true);
  MUST(MPI_Finalize());
  return 0;
}
