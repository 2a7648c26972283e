/* MPI fails to post one message of a call, on one rank: its call returns that error, every rank gets it in
 * that call or a later one and in all that follow, and nobody waits for ever or takes wrong bytes for right
 * ones. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/nothing_left.h"

enum kind { IRECV, ISEND };
static const char *const kind_name[] = {"MPI_Irecv", "MPI_Isend"};
static struct {
  bool armed, done;
  enum kind kind;
  int left; /* calls of this kind until one fails, itself counted */
} fault;

static bool fails(enum kind kind) {
  if (!fault.armed || fault.done || fault.kind != kind || --fault.left > 0)
    return false;
  fault.done = true;
  return true;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __real_MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Request *request);
int __wrap_MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Request *request);
int __wrap_MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Request *request) {
  return fails(IRECV) ? MPI_ERR_INTERN : __real_MPI_Irecv(to, count, type, from, tag, comm, request);
}

#define SENDS(name)                                                                                          \
  int __real_##name(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,          \
                    MPI_Request *request);                                                                   \
  int __wrap_##name(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,          \
                    MPI_Request *request);                                                                   \
  int __wrap_##name(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,          \
                    MPI_Request *request) {                                                                  \
    return fails(ISEND) ? MPI_ERR_INTERN : __real_##name(from, count, type, to, tag, comm, request);         \
  }
SENDS(MPI_Isend)
SENDS(MPI_Issend)
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

enum {
  CALLS_ARMED = 4,  /* in which the fault may come */
  CALLS_AFTER = 400 /* so that tags come round several times */
};

typedef struct trial {
  const char *hosts, *sync;
  enum call call;
  enum kind kind;
  int root, guilty, nth;
  bool used; /* the plan has been run before */
  bool checked;
} trial;

static void tell(const trial *t, char text[256]) {
  snprintf(text, 256, "%s, %s from root %d%s%s: the %dth %s of rank %d fails", t->hosts, call_name[t->call],
           t->root, t->used ? "" : ", first use", t->checked ? ", checked" : "", t->nth, kind_name[t->kind],
           t->guilty);
}

static MPI_Comm comm_of(const trial *t) {
  MPI_Comm comm;
  const setting forced[] = {{"gbcast_intra", "binomial"},
                            {"gbcast_sync", t->sync},
                            {"gbcast_segment", "4k"},
                            {"gbcast_check", t->checked ? "1" : NULL}};
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  MUST(set_up_with(comm, t->hosts, forced, sizeof forced / sizeof *forced));
  return comm;
}

static one_call like(const trial *t) {
  return (one_call){.call = t->call, .bytes = 20000, .root = t->root};
}

static one_call failed_call; /* sends of it may be under way until the communicator is freed */

/* An error class: what one more call returns, which has the right bytes where it is MPI_SUCCESS. Once a call
 * has failed here none begins any more. */
static int one_more(const trial *t, MPI_Comm comm, int before) {
  char text[256];
  const gb_comm *c = gb_comm_known(comm);
  const bool was_done = fault.done;
  const uint64_t sequence = c != NULL ? c->wire.sequence : 0;
  one_call x = like(t);
  tell(t, text);
  if (before != MPI_SUCCESS)
    x.bytes = 16;
  prepare_call(&x, comm);
  const int class = class_of(make_call(&x, comm));
  CHECK(class != MPI_SUCCESS || call_is_right(&x, comm), "%s: success with wrong bytes", text);
  CHECK(class == MPI_SUCCESS || class == MPI_ERR_INTERN, "%s: class %d", text, class);
  CHECK(class != MPI_SUCCESS || was_done == fault.done, "%s: it has, and the call succeeds", text);
  if (before != MPI_SUCCESS) {
    CHECK(class == before, "%s: class %d, then %d", text, before, class);
    c = gb_comm_known(comm);
    CHECK(c != NULL && c->wire.sequence == sequence, "%s: a call begins after an error", text);
  }
  if (before == MPI_SUCCESS && class != MPI_SUCCESS)
    failed_call = x;
  else
    end_call(&x);
  return class;
}

/* Every call, on a communicator that works. */
static void all_right(const trial *t, MPI_Comm comm) {
  char text[256];
  tell(t, text);
  for (int call = 0; call < CALLS; call++) {
    one_call x = like(t);
    x.call = (enum call)call;
    prepare_call(&x, comm);
    const int code = make_call(&x, comm);
    CHECK(code == MPI_SUCCESS && call_is_right(&x, comm), "%s: %s on another communicator: class %d", text,
          call_name[call], class_of(code));
    end_call(&x);
  }
}

/* Whether the fault has come. */
static bool check_fault(const trial *t) {
  char text[256];
  MPI_Comm comm = comm_of(t), beside = comm_of(t);
  int class = MPI_SUCCESS;
  tell(t, text);
  all_right(t, beside);
  for (int i = 0; t->used && i < 2; i++)
    CHECK(one_more(t, comm, MPI_SUCCESS) == MPI_SUCCESS, "%s: before it does", text);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  fault.kind = t->kind;
  fault.left = t->nth;
  fault.done = false;
  for (int i = 0; i < CALLS_ARMED; i++) {
    fault.armed = rank_in(MPI_COMM_WORLD) == t->guilty;
    class = one_more(t, comm, class);
    fault.armed = false;
  }
  const bool failed = most_of(fault.done) > 0;
  for (int i = 0; failed && i < CALLS_AFTER; i++)
    class = one_more(t, comm, class);
  CHECK((class != MPI_SUCCESS) == failed, "%s: %s, class %d in the end", text,
        failed ? "it has" : "it has not", class);
  all_right(t, beside);
  if (t->nth % 2 == 0)
    MUST(gbcast_refresh(comm)); /* which makes everything anew */
  else {
    MUST(MPI_Comm_free(&comm));
    comm = comm_of(t);
  }
  if (failed)
    end_call(&failed_call);
  for (int i = 0; i < 3; i++)
    all_right(t, comm);
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Comm_free(&beside));
  return failed;
}

int main(int argc, char **argv) {
  static const char *const hosts[] = {"grid-flat.txt", "grid-mixed.txt"};
  static const int nth[] = {1, 2, 3, 4, 7, 10};
  int faults[2] = {0}, number = 0;
  MUST(MPI_Init(&argc, &argv));
  (void)alarm(240);
  const int size = size_of(MPI_COMM_WORLD);
  for (int call = 0; call < CALLS; call++)
    for (int kind = IRECV; kind <= ISEND; kind++)
      for (int guilty = 0; guilty < size; guilty++)
        for (size_t n = size > 3 ? (size_t)guilty % 2 : 0;
             n<sizeof nth / sizeof *nth; n += size> 3 ? 3 : 1, number++) {
          const trial t = {.hosts = hosts[number % 2],
                           .sync = number % 4 < 2 ? "at-once" : "sender-all",
                           .call = (enum call)call,
                           .kind = (enum kind)kind,
                           .root = (guilty + number) % size,
                           .guilty = guilty,
                           .nth = nth[n],
                           .used = (number + guilty) % 3 > 0,
                           .checked = (number / 3 + call) % 2 == 1};
          faults[kind] += check_fault(&t);
        }
  CHECK(faults[IRECV] >= number / 4 && faults[ISEND] >= number / 4, "only %d and %d faults in %d trials",
        faults[IRECV], faults[ISEND], number);
  MUST(MPI_Finalize());
  return 0;
}
