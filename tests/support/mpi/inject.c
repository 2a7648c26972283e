/* The functions in MPI's place. All arguments of MPI's functions are integers or addresses, of which each has
 * a whole register or stack slot: so the same code passes those of any function on. */
#include "tests/support/mpi/inject.h"
#include "mpi/job/library.h"
#include <sched.h>
#include <string.h>

enum how {
  NOT_DONE, /* fails without anything done */
  DONE,     /* fails, but has done it: else what it frees would be left */
  MADE,     /* fails, but other ranks do not: takes part, and frees the communicator that is made */
  POLLS,    /* fails likewise as long as all ranks are to stop */
  STARTS,   /* fails, but other ranks do not: takes part until it is over */
  WAITS,    /* DONE; does not wait much longer when all are to stop */
  BLOCKS    /* fails, but other ranks do not; a collective that has a non-blocking twin */
};

enum { WORDS = 12, PATIENCE = 50 }; /* looks, when all ranks are to stop */

typedef gb_word mpi_function(gb_word a, gb_word b, gb_word c, gb_word d, gb_word e, gb_word f, gb_word g,
                             gb_word h, gb_word i, gb_word j, gb_word k, gb_word l);

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*,performance-no-int-to-ptr)
#define FAILS(name, how, comm) extern mpi_function __real_##name, __wrap_##name;
#define TWIN(name, twin, comm) extern mpi_function __real_##name, __wrap_##name, twin##_words __asm__(#twin);
#define EXEMPT(name, why)
#include "tests/support/mpi/inject_table.h"
#undef FAILS
#undef TWIN

typedef struct row {
  const char *name;
  mpi_function *real, *twin;
  enum how how;
  int comm;
} row;
#define FAILS(name, how, comm) {#name, __real_##name, NULL, how, comm},
#define TWIN(name, twin, comm) {#name, __real_##name, twin##_words, BLOCKS, comm},
static const row rows[] = {
#include "tests/support/mpi/inject_table.h"
};
#undef FAILS
#undef TWIN

injection inject = {.function = -1};

const char *inject_name(int function) {
  return function >= 0 ? rows[function].name : "nothing";
}

bool inject_polls(int function) {
  return rows[function].how == POLLS;
}

void inject_arm(int function, unsigned at) {
  inject.function = function;
  inject.at = at;
  inject.failed = false;
  memset(inject.calls, 0, sizeof inject.calls);
}

int inject_left(int rc) {
  inject.inside = false;
  return rc;
}

static bool stops(void) {
  return inject.stop != NULL && atomic_load(inject.stop) != 0;
}

static gb_word pass(mpi_function *to, const gb_word w[WORDS]) {
  return to(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11]);
}

/* Waits, but for a while only when all are to stop. */
static int wait_for(MPI_Request *request, MPI_Status *status) {
  int done = 0, rc = PMPI_Test(request, &done, status);
  for (unsigned looks = 0; rc == MPI_SUCCESS && !done && looks < PATIENCE; looks += stops()) {
    (void)sched_yield();
    rc = PMPI_Test(request, &done, status);
  }
  return rc != MPI_SUCCESS || done ? rc : INJECTED;
}

static int carry_out(const row *r, gb_word w[WORDS]) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (r->how == WAITS)
    return wait_for((MPI_Request *)w[0], (MPI_Status *)w[1]);
  if (r->how == BLOCKS) {
    w[r->comm + 1] = (gb_word)&request;
    const int rc = (int)pass(r->twin, w);
    return rc == MPI_SUCCESS ? wait_for(&request, MPI_STATUS_IGNORE) : rc;
  }
  if (r->how == MADE) { /* nobody waits in there for a rank that does not come */
    int rc = PMPI_Ibarrier(GB_HANDLE(MPI_Comm, w[0]), &request);
    if (rc != MPI_SUCCESS || (rc = wait_for(&request, MPI_STATUS_IGNORE)) != MPI_SUCCESS)
      return rc;
  }
  return (int)pass(r->real, w);
}

/* As MPI's functions fail: with the error handler of their communicator. */
static int fail(const row *r, const gb_word w[WORDS]) {
  if (r->comm == USER)
    (void)PMPI_Comm_call_errhandler(inject.user, INJECTED);
  else if (r->comm >= 0)
    (void)PMPI_Comm_call_errhandler(GB_HANDLE(MPI_Comm, w[r->comm]), INJECTED);
  return INJECTED;
}

/* What a splitting function makes is its last argument; a request is behind the communicator. */
static void undo(const row *r, const gb_word w[WORDS]) {
  if (r->how == MADE && *(MPI_Comm *)w[r == &rows[AT_MPI_Comm_split] ? 3 : 4] != MPI_COMM_NULL)
    (void)MPI_Comm_free((MPI_Comm *)w[r == &rows[AT_MPI_Comm_split] ? 3 : 4]);
  if (r->how == STARTS)
    (void)wait_for((MPI_Request *)w[r->comm + 1], MPI_STATUS_IGNORE);
}

static int call_inside(const row *r, gb_word w[WORDS]) {
  const int at = (int)(r - rows);
  if (at != inject.function || ++inject.calls[at] != inject.at) {
    inject.calls[at] += at != inject.function;
    return r->how == POLLS && stops() ? fail(r, w) : carry_out(r, w);
  }
  inject.failed = true;
  if (r->how != NOT_DONE && r->how != POLLS && carry_out(r, w) == MPI_SUCCESS)
    undo(r, w);
  return fail(r, w);
}

static gb_word call(const row *r, gb_word w[WORDS]) {
  if (!inject.inside)
    return pass(r->real, w);
  inject.inside = false; /* what is called by MPI's functions, or in their place */
  const gb_word rc = (gb_word)call_inside(r, w);
  inject.inside = true;
  return rc;
}

#define FAILS(name, how, comm)                                                                               \
  gb_word __wrap_##name(gb_word a, gb_word b, gb_word c, gb_word d, gb_word e, gb_word f, gb_word g,         \
                        gb_word h, gb_word i, gb_word j, gb_word k, gb_word l) {                             \
    return call(&rows[AT_##name], (gb_word[WORDS]){a, b, c, d, e, f, g, h, i, j, k, l});                     \
  }
#define TWIN(name, twin, comm) FAILS(name, BLOCKS, comm)
#include "tests/support/mpi/inject_table.h"
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*,performance-no-int-to-ptr)

int inject_comm_free(MPI_Comm *comm) {
  inject.inside = true;
  const int rc = (int)__real_MPI_Comm_free((gb_word)comm, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  return inject_left(rc);
}
