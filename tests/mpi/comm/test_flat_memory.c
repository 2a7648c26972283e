/* However many calls are made, the library keeps no more memory: as many blocks are allocated after many
 * calls of every kind as after the first ones. What MPI allocates does not count. */
#include "tests/support/mpi/calls.h"
#include <stdatomic.h>

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __real_free(void *block);
void __wrap_free(void *block);

static atomic_long blocks;

void *__wrap_malloc(size_t bytes) {
  void *block = __real_malloc(bytes);
  blocks += block != NULL;
  return block;
}

void *__wrap_calloc(size_t count, size_t bytes) {
  void *block = __real_calloc(count, bytes);
  blocks += block != NULL;
  return block;
}

void *__wrap_realloc(void *block, size_t bytes) {
  void *moved = __real_realloc(block, bytes);
  blocks += block == NULL && moved != NULL;
  return moved;
}

void __wrap_free(void *block) {
  blocks -= block != NULL;
  __real_free(block);
}

enum { CALLS_FULL = 1200000, CALLS_BRIEF = 18000, ROUNDS_FIRST = 20 };

static const struct {
  const char *intra, *sync, *check;
} place[] = {{"binomial", "sender-all", NULL}, {"chain", "at-once", "1"}, {NULL, "native", "1"}};
enum { PLACES = sizeof place / sizeof *place };

static void make(const one_call *x, MPI_Comm comm, enum form form) {
  gbcast_handle handle = GBCAST_HANDLE_NULL;
  fill_call(x, comm);
  MUST(call_in_form(x, comm, form, &handle));
  if (form == PERSISTENT)
    MUST(gbcast_start(&handle));
  if (form != BLOCKING)
    MUST(gbcast_wait(&handle));
  if (form == PERSISTENT)
    MUST(gbcast_handle_free(&handle));
  CHECK(call_is_right(x, comm), "%s has brought wrong data", call_name[x->call]);
}

int main(int argc, char **argv) {
  MPI_Comm comm[PLACES];
  one_call x[CALLS];
  MUST(MPI_Init(&argc, &argv));
  for (int p = 0; p < PLACES; p++) {
    const setting forced[] = {
        {"gbcast_intra", place[p].intra}, {"gbcast_sync", place[p].sync}, {"gbcast_check", place[p].check}};
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm[p]));
    MUST(set_up_with(comm[p], "grid-flat.txt", forced, sizeof forced / sizeof *forced));
  }
  for (int c = 0; c < CALLS; c++) {
    x[c] = (one_call){.call = (enum call)c, .bytes = 40, .root = size_of(MPI_COMM_WORLD) - 1, .holes = c % 2};
    prepare_call(&x[c], MPI_COMM_WORLD);
  }
  const int calls = getenv("GB_TEST_FULL") != NULL ? CALLS_FULL : CALLS_BRIEF;
  const int rounds = calls / (PLACES * CALLS * FORMS);
  long first = 0;
  for (int round = 0; round < ROUNDS_FIRST + rounds; round++) {
    if (round == ROUNDS_FIRST)
      first = blocks;
    for (int p = 0; p < PLACES; p++)
      for (int c = 0; c < CALLS; c++)
        for (int form = 0; form < FORMS; form++)
          make(&x[c], comm[p], (enum form)form);
  }
  CHECK(blocks == first, "%d calls have left %ld blocks of memory behind", calls, blocks - first);
  for (int c = 0; c < CALLS; c++)
    end_call(&x[c]);
  for (int p = 0; p < PLACES; p++)
    MUST(MPI_Comm_free(&comm[p]));
  MUST(MPI_Finalize());
  return 0;
}
