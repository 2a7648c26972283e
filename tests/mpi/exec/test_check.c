/* GBCAST_CHECK: a byte that changes on its way is reported by every rank that it reaches, and by no other
 * one. */
#include "mpi/comm/comm.h"
#include "tests/support/mpi/damage.h"
#include "tests/support/mpi/heard.h"
#include "tests/support/mpi/leaks.h"

/* It is linked with --wrap for both. */
DAMAGING(__wrap_MPI_Isend, __real_MPI_Isend)   // NOLINT(bugprone-reserved-identifier,cert-dcl*)
DAMAGING(__wrap_MPI_Issend, __real_MPI_Issend) // NOLINT(bugprone-reserved-identifier,cert-dcl*)

enum call { BCAST, SCATTER, SCATTERV, ALLTOALL, CALLS };
static const char *const call_name[CALLS] = {"a broadcast", "a scatter", "a scatterv", "an all-to-all"};

/* One call. Integers lie one after another, or with as many others between them on every other rank. */
typedef struct one_call {
  enum call call;
  int count; /* of integers: the message, or a block */
  int root;
  bool in_place, holes;
  int *send, *receive;
  int code; /* that came back */
} one_call;
static one_call now;

static int stride(void) {
  return now.holes && rank_in(MPI_COMM_WORLD) % 2 == 1 ? 2 : 1;
}

/* Integer i of what rank `from` sends to rank `to`. */
static int value_of(int from, int to, int i) {
  return from * 1000003 + to * 4099 + i;
}

static void run(MPI_Comm comm) {
  enum { ranks_most = 64 };
  MPI_Count counts[ranks_most], n = now.count;
  MPI_Aint begins[ranks_most];
  MPI_Datatype type = MPI_INT, spaced;
  const int size = size_of(comm);
  const bool stays = now.in_place && (rank_in(comm) == now.root || now.call == ALLTOALL);
  if (stride() > 1) {
    MUST(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced));
    MUST(MPI_Type_commit(&spaced));
    type = spaced;
  }
  for (int r = 0; r < size; r++) {
    counts[r] = n;
    begins[r] = n * r;
  }
  switch (now.call) {
  case BCAST:
    now.code = gbcast_bcast(now.receive, n, type, now.root, comm);
    break;
  case SCATTER:
    now.code = gbcast_scatter(now.send, n, type, stays ? MPI_IN_PLACE : now.receive, n, type, now.root, comm);
    break;
  case SCATTERV:
    now.code = gbcast_scatterv(now.send, counts, begins, type, stays ? MPI_IN_PLACE : now.receive, n, type,
                               now.root, comm);
    break;
  default:
    now.code = gbcast_alltoall(stays ? MPI_IN_PLACE : now.send, n, type, now.receive, n, type, comm);
  }
  if (stride() > 1)
    MUST(MPI_Type_free(&spaced));
}

/* What is sent, and in the places of what is received something else. */
static void prepare(int rank, int size) {
  const int step = stride(), n = now.count;
  for (int to = 0; to < size; to++)
    for (int i = 0; i < n; i++) {
      const int at = (to * n + i) * step;
      now.send[at] = value_of(rank, to, i);
      now.receive[at] = now.call == ALLTOALL && now.in_place ? now.send[at] : -1;
    }
  for (int i = 0, at = 0; now.call == BCAST && rank == now.root && i < n; i++, at += step)
    now.receive[at] = value_of(rank, 0, i);
}

/* Blocks that are not what was sent to this rank. */
static int damaged_blocks(int rank, int size) {
  const int step = stride(), n = now.count;
  int damaged = 0;
  if (now.call != ALLTOALL && now.call != BCAST && rank == now.root && now.in_place)
    return 0;
  for (int block = 0; block < (now.call == ALLTOALL ? size : 1); block++) {
    const int from = now.call == ALLTOALL ? block : now.root, to = now.call == BCAST ? 0 : rank;
    bool same = true;
    for (int i = 0; i < n; i++) {
      const int at = (block * n + i) * step;
      same = same && now.receive[at] == value_of(from, to, i);
    }
    damaged += !same;
  }
  return damaged;
}

static int lines_of(const char *text) {
  int lines = 0;
  for (; *text != '\0'; text++)
    lines += *text == '\n';
  return lines;
}

/* Rank `guilty` damages what it sends; -1: nobody does. */
static void check(one_call call, int guilty, const char *what) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  now = call;
  const size_t room = sizeof(int) * 2 * (size_t)call.count * (size_t)size;
  now.send = allocate(room);
  now.receive = allocate(room);
  prepare(rank, size);
  harm = (damage){.armed = rank == guilty, .least = (size_t)call.count};
  char *text = heard(run, MPI_COMM_WORLD), expected[80], name[80];
  const int damaged = damaged_blocks(rank, size);
  int class = MPI_SUCCESS, sums[2] = {harm.done, damaged};
  MUST(MPI_Error_class(now.code, &class));
  CHECK(class == (damaged > 0 ? MPI_ERR_OTHER : MPI_SUCCESS), "%s, %s: %d blocks are damaged, class %d", what,
        call_name[call.call], damaged, class);
  CHECK(lines_of(text) == damaged, "%s: %d blocks are damaged, said '%s'", what, damaged, text);
  snprintf(expected, sizeof expected, "the %zu bytes of %s from rank ", sizeof(int) * (size_t)call.count,
           call_name[call.call]);
  snprintf(name, sizeof name, "gbcast: rank %d on ", rank);
  CHECK(damaged == 0 || (strstr(text, expected) != NULL && strncmp(text, name, strlen(name)) == 0),
        "%s: '%s' instead of '%s... %s'", what, text, name, expected);
  MUST(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK((sums[0] > 0) == (sums[1] > 0), "%s: %d messages were changed, and %d blocks are", what, sums[0],
        sums[1]);
  const bool sends = guilty == call.root || call.call == ALLTOALL;
  CHECK(guilty < 0 || !sends || sums[0] > 0, "%s: rank %d sent nothing that could be changed", what, guilty);
  free(harm.changed);
  free(text);
  free(now.send);
  free(now.receive);
}

/* Every call, of each rank in turn as the one that does harm, and without harm behind it. */
static void all(const char *what, bool can_harm) {
  const int size = size_of(MPI_COMM_WORLD);
  for (int guilty = -1; guilty < (can_harm ? size : 0); guilty++)
    for (int i = 0; i < CALLS * 2; i++) {
      one_call call = {.call = (enum call)(i / 2), .count = 700, .holes = i % 2 == 1};
      call.root = guilty < 0 ? size - 1 : (guilty + i % 2) % size;
      call.in_place = (guilty + i / 2) % 2 == 1;
      check(call, guilty, what);
      if (guilty >= 0) {
        MUST(gbcast_refresh(MPI_COMM_WORLD)); /* ranks that have noticed fail all calls until then ... */
        gb_comm_known(MPI_COMM_WORLD)->registry->duplicates =
            0; /* ... and keep their duplicate: there may be 64 */
        check(call, -1, what);
      }
    }
}

static void set_up_checked(const char *hosts, const char *inter, const char *intra, const char *sync) {
  const setting list[] = {{"gbcast_check", "1"},
                          {"gbcast_inter", inter},
                          {"gbcast_intra", intra},
                          {"gbcast_sync", sync},
                          {"gbcast_segment", "2k"}};
  MUST(set_up_with(MPI_COMM_WORLD, hosts, list, sizeof list / sizeof *list));
}

int main(int argc, char **argv) {
  static const char *const sync[] = {"sender-all", "at-once", "two-step"};
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  algorithm_names names = algorithms_for("bcast");
  for (int i = 0; i < names.intra; i++) {
    set_up_checked("grid-mixed.txt", inter_in_turn(&names, i, 0), names.intra_name[i], sync[i % 2]);
    const bool native = strcmp(names.intra_name[i], "native") == 0;
    all(names.intra_name[i], !native && i % 3 == 0);
  }
  set_up_checked("alltoall.txt", NULL, "binomial", sync[2]);
  all(sync[2], true);
  leave_all_to_finalize();
  MUST(MPI_Finalize());
  return 0;
}
