/* A million short calls (20,000 unless GB_TEST_FULL is set), blocking, non-blocking and persistent: after the
 * first ones, what malloc has given out does not grow. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"
#include <malloc.h>

enum { MANY = 1000000, SOME = 20000, TOGETHER = 8, ROUNDS_EACH = 10, COMMS = 4 };
enum { CYCLE = TOGETHER * ROUNDS_EACH * COMMS }; /* calls, after which memory is looked at */

typedef struct place {
  MPI_Comm comm;
  one_call x[TOGETHER];
  gbcast_handle handle[TOGETHER];
} place;

static enum form form_of(int i) {
  return i % 4 == 0 ? BLOCKING : i % 4 == 3 ? PERSISTENT : AT_ONCE;
}

/* Every collective in every form, in one piece and not, from several roots. */
static void open_place(place *p, const char *intra, const char *sync, const char *check) {
  const setting forced[] = {{"gbcast_intra", intra}, {"gbcast_sync", sync}, {"gbcast_check", check}};
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &p->comm));
  MUST(set_up_with(p->comm, "grid-flat.txt", forced, 3));
  for (int i = 0; i < TOGETHER; i++) {
    p->x[i] = (one_call){.call = (enum call)((i + i / 4) % CALLS), .bytes = (size_t)(100 << i % 3)};
    p->x[i].holes = i % 3 == 1;
    p->x[i].root = i % size_of(p->comm);
    p->handle[i] = GBCAST_HANDLE_NULL;
    prepare_call(&p->x[i], p->comm);
    if (form_of(i) == PERSISTENT)
      MUST(call_in_form(&p->x[i], p->comm, PERSISTENT, &p->handle[i]));
  }
}

static void close_place(place *p) {
  for (int i = 0; i < TOGETHER; i++) {
    CHECK(call_is_right(&p->x[i], p->comm), "%s, %s", form_name[form_of(i)], call_name[p->x[i].call]);
    if (p->handle[i] != GBCAST_HANDLE_NULL)
      MUST(gbcast_handle_free(&p->handle[i]));
    end_call(&p->x[i]);
  }
  MUST(MPI_Comm_free(&p->comm));
}

static void round_of(place *p) {
  for (int i = 0; i < TOGETHER; i++) {
    if (form_of(i) == PERSISTENT)
      MUST(gbcast_start(&p->handle[i]));
    else
      MUST(call_in_form(&p->x[i], p->comm, form_of(i), &p->handle[i]));
  }
  MUST(gbcast_waitall(TOGETHER, p->handle));
}

/* With no message on its way, what MPI keeps of those is always the same. */
static size_t in_use_after_a_cycle(place places[COMMS]) {
  for (int i = 0; i < ROUNDS_EACH * COMMS; i++)
    round_of(&places[i % COMMS]);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

int main(int argc, char **argv) {
  static place places[COMMS];
  const int cycles = (getenv("GB_TEST_FULL") != NULL ? MANY : SOME) / CYCLE;
  size_t most[2] = {0, 0}; /* in the first and the second half */
  MUST(MPI_Init(&argc, &argv));
  open_place(&places[0], "chain", "at-once", NULL);
  open_place(&places[1], "binomial", "sender-all", "1");
  open_place(&places[2], "native", "native", NULL);
  open_place(&places[3], "native", "native", "1");
  for (int i = 0; i < cycles; i++) {
    const size_t now = in_use_after_a_cycle(places);
    size_t *half = &most[i >= cycles / 2];
    if (now > *half)
      *half = now;
  }
  CHECK(most[1] <= most[0], "%zu bytes more after %d calls than after %d", most[1] - most[0], cycles * CYCLE,
        cycles / 2 * CYCLE);
  for (int i = 0; i < COMMS; i++)
    close_place(&places[i]);
  MUST(MPI_Finalize());
  return 0;
}
