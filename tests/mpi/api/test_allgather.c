/* Allgathers: up and down, exchanged between leaders, and MPI's own; MPI_IN_PLACE, uneven and zero counts,
 * datatypes, handles. */
#include "tests/support/mpi/uneven.h"

static void even(size_t block, bool in_place) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const size_t all = block * (size_t)size;
  unsigned char *send = allocate(block), *receive = allocate(all + 1);
  fill(send, block, (uint64_t)rank + 1);
  memset(receive, 0xA5, all + 1);
  if (in_place)
    memcpy(receive + block * (size_t)rank, send, block);
  MUST(gbcast_allgather(in_place ? MPI_IN_PLACE : send, (MPI_Count)block, MPI_BYTE, receive, (MPI_Count)block,
                        MPI_BYTE, MPI_COMM_WORLD));
  for (int r = 0; r < size; r++) {
    const size_t at = differs(receive + block * (size_t)r, block, (uint64_t)r + 1);
    CHECK(at == block, "allgather of %zu: byte %zu of rank %d is wrong", block, at, r);
  }
  CHECK(receive[all] == 0xA5, "allgather of %zu: wrote outside", block);
  CHECK(differs(send, block, (uint64_t)rank + 1) == block, "allgather of %zu: wrote to what is sent", block);
  free(send);
  free(receive);
}

/* To every second integer when `holes`. */
static void uneven(int unit, int step, bool in_place, bool holes) {
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
  const bool stay = in_place;
  for (int i = 0; stay && i < mine; i++)
    receive[((int)b.place[rank] + i) * stride] = send[i];
  MUST(gbcast_allgatherv(stay ? MPI_IN_PLACE : send, mine, MPI_INT, receive, b.count, b.place, type,
                         MPI_COMM_WORLD));
  snprintf(what, sizeof what, "allgatherv, unit %d", unit);
  check_gathered(&b, receive, room, stride, what);
  free_ints(&type, holes);
  free_uneven(&b);
  free(send);
  free(receive);
}

/* Blocks of `count` (int, double) with holes. */
static void structs(int count, bool in_place) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Datatype type = make_loose();
  loose *send = calloc((size_t)count, sizeof *send),
        *receive = calloc((size_t)(count * size), sizeof *receive);
  CHECK(send != NULL && receive != NULL, "no memory");
  loose *own = in_place ? receive + (ptrdiff_t)count * rank : send;
  for (int i = 0; i < count; i++)
    own[i] = (loose){.i = rank * count + i, .d = i / 2.0, .hole = "keep"};
  MUST(gbcast_allgather(in_place ? MPI_IN_PLACE : send, count, type, receive, count, type, MPI_COMM_WORLD));
  for (int i = 0; i < count * size; i++)
    CHECK(receive[i].i == i && receive[i].d == i % count / 2.0, "allgather of structs: element %d is wrong",
          i);
  CHECK(!in_place || strcmp(own->hole, "keep") == 0, "allgather of structs: wrote to a hole");
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
    MUST(gbcast_iallgather(own[k], (MPI_Count)count, MPI_INT, all[k], (MPI_Count)count, MPI_INT,
                           MPI_COMM_WORLD, &handle[k]));
  }
  for (int k = CALLS - 1; k >= 0; k--) {
    MUST(gbcast_wait(&handle[k]));
    for (size_t i = 0; i < count * (size_t)ranks; i++)
      CHECK(all[k][i] == (int)(i / count) * 1000 + k * 100000 + (int)(i % count),
            "call %d, element %zu is wrong", k, i);
  }
  MPI_Count *counts = allocate((size_t)ranks * sizeof *counts);
  MPI_Aint *places = allocate((size_t)ranks * sizeof *places);
  for (int r = 0; r < ranks; r++) {
    counts[r] = r % 2 == 0 ? (MPI_Count)count : 1;
    places[r] = r * (MPI_Aint)count;
  }
  MUST(gbcast_allgatherv_init(own[0], counts[me], MPI_INT, all[0], counts, places, MPI_INT, MPI_COMM_WORLD,
                              &kept));
  for (int turn = 1; turn < 4; turn++) {
    for (size_t i = 0; i < count; i++)
      own[0][i] = turn * 1000 + me;
    MUST(gbcast_start(&kept));
    MUST(gbcast_wait(&kept));
    for (int r = 0; r < ranks; r++)
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

/* Whether the plan says this. */
static bool says(size_t bytes, const char *what) {
  char *text = NULL;
  MUST(gbcast_explain_allgather(MPI_COMM_WORLD, bytes, &text));
  const bool found = strstr(text, what) != NULL;
  CHECK(strncmp(text, "Allgather of ", 13) == 0, "%s", text);
  free(text);
  return found;
}

static const size_t block[] = {0, 1, 5, 1000, 4096, 40001};

static void many(void) {
  for (size_t i = 0; i < sizeof block / sizeof *block; i++)
    for (int again = 0; again < 2; again++)
      even(block[i], again == 1);
  uneven(1, 3, false, false);
  uneven(3000, 2, true, false);
  uneven(100, 1, false, true);
  uneven(500, 2, true, true);
  uneven(0, 1, false, false);
  structs(40, false);
  structs(40, true);
  handles(700);
}

int main(int argc, char **argv) {
  static const struct {
    const char *hosts, *inter, *intra, *segment;
  } scene[] = {{NULL, NULL, NULL, NULL},
               {"mesh.txt", NULL, NULL, NULL},
               {"mesh.txt", "packing", NULL, "1000"},
               {"mesh.txt", "in-turn", NULL, "5k"},
               {"grid.txt", NULL, NULL, "777"},
               {"grid-flat.txt", "chain", "binomial", "777"},
               {"grid-flat.txt", NULL, NULL, NULL},
               {"grid-node.txt", NULL, NULL, NULL},
               {"grid-node.txt", "flat", "flat", "64"},
               {"two-switches.txt", NULL, NULL, NULL},
               {"two-switches.txt", NULL, NULL, "300"},
               {"mesh.txt", "binomial", NULL, "100"},
               {"equal-rates.txt", NULL, NULL, NULL},
               {"equal-rates.txt", NULL, NULL, "300"}};
  bool any = false, ring = false, rings = false;
  MUST(MPI_Init(&argc, &argv));
  const int ranks = size_of(MPI_COMM_WORLD);
  for (size_t s = 0; s < sizeof scene / sizeof *scene; s++) {
    if (scene[s].hosts != NULL)
      MUST(set_up(MPI_COMM_WORLD, scene[s].hosts, scene[s].inter, scene[s].intra, scene[s].segment));
    for (size_t i = 0; i < sizeof block / sizeof *block && scene[s].hosts != NULL && ranks > 1; i++) {
      any = any || says(block[i] * (size_t)ranks, "exchange between sites");
      ring = ring || says(block[i] * (size_t)ranks, "round a ring;");
      rings = rings || says(block[i] * (size_t)ranks, "round a ring in each site");
    }
    many();
  }
  const setting checked[] = {{"gbcast_check", "1"}};
  MUST(set_up_with(MPI_COMM_WORLD, "mesh.txt", checked, 1));
  many();
  CHECK(any || ranks < 4, "no plan has an exchange");
  CHECK(ring || ranks < 3, "no plan has a ring");
  CHECK(rings || ranks < 4, "no plan has a ring in each site");
  MUST(MPI_Finalize());
  return 0;
}
