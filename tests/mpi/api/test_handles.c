/* Non-blocking and persistent calls: every collective brings the right data in both forms, alone, beside
 * others in flight, and where MPI's own collective is run. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"

enum { LARGE = 20000, SMALL = 700, MORE_THAN_TAGS = 300 };

typedef struct scene {
  const char *hosts, *intra, *sync, *check;
} scene;

static MPI_Comm open_comm(const scene *s) {
  const setting forced[] = {{"gbcast_intra", s->intra},
                            {"gbcast_sync", s->sync},
                            {"gbcast_check", s->check},
                            {"gbcast_segment", "2k"}};
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(set_up_with(comm, s->hosts, forced, sizeof forced / sizeof *forced));
  return comm;
}

static void begin(one_call *x, MPI_Comm comm, gbcast_handle *handle) {
  prepare_call(x, comm);
  *handle = GBCAST_HANDLE_NULL;
  MUST(call_in_form(x, comm, AT_ONCE, handle));
  CHECK(*handle != GBCAST_HANDLE_NULL, "%s was begun without a handle", call_name[x->call]);
}

static void check_right(const one_call *x, MPI_Comm comm, const char *what) {
  CHECK(call_is_right(x, comm), "%s: %s of %zu bytes from root %d%s%s", what, call_name[x->call], x->bytes,
        x->root, x->holes ? ", holes" : "", x->in_place ? ", in place" : "");
}

/* In three ways, which are taken in turn. */
static void finish(gbcast_handle *handle, int how) {
  int done = 0;
  switch (how % 3) {
  case 0:
    MUST(gbcast_wait(handle));
    break;
  case 1:
    while (!done)
      MUST(gbcast_test(handle, &done));
    break;
  default:
    MUST(gbcast_waitall(1, handle));
  }
}

/* Of the same buffers with other data at each start. */
static void check_persistent(one_call *x, MPI_Comm comm) {
  gbcast_handle handle = GBCAST_HANDLE_NULL;
  int done = 0;
  prepare_call(x, comm);
  MUST(call_in_form(x, comm, PERSISTENT, &handle));
  MUST(gbcast_test(&handle, &done));
  CHECK(done, "a call that was not started is not over");
  for (int start = 0; start < 4; start++) {
    x->key = (uint64_t)(1000 * start);
    fill_call(x, comm);
    MUST(gbcast_start(&handle));
    finish(&handle, start);
    CHECK(handle != GBCAST_HANDLE_NULL, "the handle of a persistent call is gone");
    check_right(x, comm, "persistent");
  }
  MUST(gbcast_handle_free(&handle));
  CHECK(handle == GBCAST_HANDLE_NULL, "a handle that was freed is there");
  end_call(x);
}

static void check_alone(MPI_Comm comm) {
  static const size_t bytes[] = {0, 1, SMALL, LARGE};
  const int size = size_of(comm);
  int turn = 0;
  for (int call = 0; call < CALLS; call++)
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
      for (int like = 0; like < 4; like++) {
        const int root = like < 2 ? size - 1 : (turn + 1) % size;
        one_call x = {.call = (enum call)call, .bytes = bytes[b], .root = root, .uneven = like > 1};
        x.holes = like % 2 == 1;
        x.in_place = (like + (int)b) % 2 == 1 && may_be_in_place(x.call);
        one_call again = x;
        gbcast_handle handle;
        begin(&x, comm, &handle);
        finish(&handle, turn++);
        CHECK(handle == GBCAST_HANDLE_NULL, "the handle of a call that is over is there");
        check_right(&x, comm, "alone");
        end_call(&x);
        /* a half of them has each size, and both values of all that `like` says */
        if ((like % 2 + like / 2 + (int)b / 2) % 2 == 0 || getenv("GB_TEST_FULL") != NULL)
          check_persistent(&again, comm);
      }
}

enum { BESIDE = 12 };

/* Whatever was begun before and after, on whichever communicator. Numbers that have no common divisor with
 * BESIDE give orders of waiting. */
static void check_beside(MPI_Comm comm[], int comms, int first, int step) {
  one_call x[BESIDE];
  gbcast_handle handle[BESIDE];
  for (int i = 0; i < BESIDE; i++) {
    MPI_Comm mine = comm[i % comms];
    x[i] =
        (one_call){.call = (enum call)(i % CALLS), .bytes = i % 5 == 0 ? LARGE : SMALL, .holes = i % 3 == 1};
    x[i].root = i % size_of(mine);
    x[i].key = (uint64_t)(100000 * i);
    begin(&x[i], mine, &handle[i]);
    if (i % 5 == 2) { /* a blocking call between them */
      one_call between = {.call = (enum call)((i / 5) % CALLS), .bytes = SMALL, .key = 77};
      prepare_call(&between, mine);
      MUST(make_call(&between, mine));
      check_right(&between, mine, "blocking");
      end_call(&between);
    }
  }
  for (int i = 0; step > 0 && i < BESIDE - 3; i++)
    finish(&handle[(first + i * step) % BESIDE], i);
  MUST(gbcast_waitall(BESIDE, handle)); /* those that are null, too */
  for (int i = 0; i < BESIDE; i++) {
    CHECK(handle[i] == GBCAST_HANDLE_NULL, "a handle is left");
    check_right(&x[i], comm[i % comms], "beside others");
    end_call(&x[i]);
  }
}

/* Tags are used again after GB_RUNS_MOST runs: by the same plan, where all calls are alike. Their root begins
 * last, so all are under way elsewhere. */
static void check_many(MPI_Comm comm, bool alike, bool backwards) {
  static one_call x[MORE_THAN_TAGS];
  static gbcast_handle handle[MORE_THAN_TAGS];
  const bool is_root = rank_in(comm) == 0;
  if (alike && is_root)
    MUST(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < MORE_THAN_TAGS; i++) {
    if (alike)
      x[i] = (one_call){.call = BCAST, .bytes = LARGE};
    else
      x[i] = (one_call){
          .call = (enum call)(i % CALLS), .bytes = (size_t)(1 + i % 50), .root = i % size_of(comm)};
    x[i].key = (uint64_t)(100000 * i);
    begin(&x[i], comm, &handle[i]);
  }
  if (alike && !is_root)
    MUST(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < MORE_THAN_TAGS; i++)
    MUST(gbcast_wait(&handle[backwards ? MORE_THAN_TAGS - 1 - i : i]));
  for (int i = 0; i < MORE_THAN_TAGS; i++) {
    check_right(&x[i], comm, "of many");
    end_call(&x[i]);
  }
}

/* Several persistent calls, all started before one is waited for. */
static void check_started_together(MPI_Comm comm) {
  one_call x[CALLS];
  gbcast_handle handle[CALLS];
  for (int i = 0; i < CALLS; i++) {
    x[i] = (one_call){.call = (enum call)i, .bytes = SMALL, .holes = i % 2 == 0};
    x[i].in_place = i > 1 && may_be_in_place(x[i].call);
    prepare_call(&x[i], comm);
    MUST(call_in_form(&x[i], comm, PERSISTENT, &handle[i]));
  }
  for (int start = 0; start < 3; start++) {
    for (int i = 0; i < CALLS; i++) {
      x[i].key = (uint64_t)(10000 * start + i);
      fill_call(&x[i], comm);
      MUST(gbcast_start(&handle[i]));
    }
    for (int i = 0; start < 2 && i < CALLS; i++)
      finish(&handle[(3 * i + 1) % CALLS], i + start);
    if (start == 2)
      MUST(gbcast_waitall(CALLS, handle));
    for (int i = 0; i < CALLS; i++)
      check_right(&x[i], comm, "started together");
  }
  for (int i = 0; i < CALLS; i++) {
    MUST(gbcast_handle_free(&handle[i]));
    end_call(&x[i]);
  }
}

/* The settings change between two starts: a persistent call follows them. */
static void check_set_up_between(void) {
  static const scene scenes[] = {{"grid-mixed.txt", "chain", "at-once", "1"},
                                 {"grid-flat.txt", "native", "native", NULL},
                                 {"grid.txt", "binomial", "sender-all", NULL},
                                 {"grid-flat.txt", "native", "native", "1"}};
  MPI_Comm comm = open_comm(&scenes[0]);
  for (int call = 0; call < CALLS; call++) {
    one_call x = {.call = (enum call)call, .bytes = SMALL, .holes = true};
    gbcast_handle handle;
    prepare_call(&x, comm);
    MUST(call_in_form(&x, comm, PERSISTENT, &handle));
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
      const setting forced[] = {{"gbcast_intra", scenes[i].intra},
                                {"gbcast_sync", scenes[i].sync},
                                {"gbcast_check", scenes[i].check}};
      MUST(set_up_with(comm, scenes[i].hosts, forced, sizeof forced / sizeof *forced));
      for (int start = 0; start < 2; start++) {
        x.key += 1000;
        fill_call(&x, comm);
        MUST(gbcast_start(&handle));
        finish(&handle, start);
        check_right(&x, comm, "set up between two starts");
      }
    }
    MUST(gbcast_handle_free(&handle));
    end_call(&x);
  }
  MUST(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
  static const scene scenes[] = {{"grid-flat.txt", "binomial", "at-once", NULL},
                                 {"grid-node.txt", "chain", "sender-all", "1"},
                                 {"grid-flat.txt", "two-tree", "two-step", NULL},
                                 {"grid-flat.txt", "native", "native", NULL},
                                 {"grid.txt", NULL, NULL, NULL},
                                 {"grid.txt", "native", NULL, "1"}};
  MUST(MPI_Init(&argc, &argv));
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    MPI_Comm comm[3];
    for (int k = 0; k < 3; k++)
      comm[k] = open_comm(&scenes[(i + (size_t)k) % (sizeof scenes / sizeof *scenes)]);
    check_alone(comm[0]);
    check_started_together(comm[0]);
    check_beside(comm, 1, 0, 1);
    check_beside(comm, 1, BESIDE - 1, BESIDE - 1);
    check_beside(comm, 3, 4, 5);
    check_beside(comm, 3, 0, 0);
    if (i < 3) /* MPI's own collectives have no tags of ours */
      check_many(comm[0], i == 0, i == 1);
    for (int k = 0; k < 3; k++)
      MUST(MPI_Comm_free(&comm[k]));
  }
  check_set_up_between();
  MUST(MPI_Finalize());
  return 0;
}
