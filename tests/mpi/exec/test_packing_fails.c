/* MPI fails to pack or to unpack data with holes, on one rank: its call returns that error, nobody waits for
 * ever, and whoever reports success has the right data. */
#include "tests/support/mpi/calls.h"

enum fault { PACK, UNPACK };
static struct {
  bool armed[2];
  bool done;
} fault;

/* Data with holes are no MPI_BYTE, as which the library copies what has none; and of no elements it only asks
 * whether their type is committed. */
static bool fails(enum fault kind, int count, MPI_Datatype type) {
  const bool now = fault.armed[kind] && count > 0 && type != MPI_BYTE;
  fault.armed[kind] = fault.armed[kind] && !now;
  fault.done = fault.done || now;
  return now;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __real_MPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int size, int *position,
                    MPI_Comm comm);
int __wrap_MPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int size, int *position,
                    MPI_Comm comm);
int __wrap_MPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int size, int *position,
                    MPI_Comm comm) {
  return fails(PACK, count, type) ? MPI_ERR_INTERN
                                  : __real_MPI_Pack(from, count, type, to, size, position, comm);
}

int __real_MPI_Unpack(const void *from, int size, int *position, void *to, int count, MPI_Datatype type,
                      MPI_Comm comm);
int __wrap_MPI_Unpack(const void *from, int size, int *position, void *to, int count, MPI_Datatype type,
                      MPI_Comm comm);
int __wrap_MPI_Unpack(const void *from, int size, int *position, void *to, int count, MPI_Datatype type,
                      MPI_Comm comm) {
  return fails(UNPACK, count, type) ? MPI_ERR_INTERN
                                    : __real_MPI_Unpack(from, size, position, to, count, type, comm);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

static void check_fault(const char *hosts, enum call call, int root, int guilty, enum fault kind,
                        bool first) {
  MPI_Comm comm = comm_for(hosts, "binomial", "at-once");
  const int rank = rank_in(comm);
  one_call x = {.call = call, .bytes = 3000, .root = root, .holes = true};
  prepare_call(&x, comm);
  if (!first)
    MUST(make_call(&x, comm));
  fault.armed[kind] = rank == guilty;
  fault.done = false;
  const int class = class_of(make_call(&x, comm));
  fault.armed[kind] = false;
  const char *what = kind == PACK ? "MPI_Pack" : "MPI_Unpack";
  if (fault.done)
    CHECK(class == MPI_ERR_INTERN, "%s, %s from root %d: %s failed: class %d", hosts, call_name[call], root,
          what, class);
  CHECK(class != MPI_SUCCESS || call_is_right(&x, comm), "%s, %s from root %d: %s failed on rank %d: wrong",
        hosts, call_name[call], root, what, guilty);
  const bool unpacks = call != BCAST || guilty != root;
  const bool packs = call == ALLTOALL || guilty == root;
  const bool failed = most_of(fault.done) > 0;
  CHECK(failed == (kind == PACK ? packs : unpacks), "%s, %s from root %d: rank %d has%s called %s", hosts,
        call_name[call], root, guilty, failed ? "" : " not", what);
  end_call(&x);
  MUST(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
  static const char *const hosts[] = {"grid-flat.txt", "grid-mixed.txt"};
  MUST(MPI_Init(&argc, &argv));
  const int size = size_of(MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++)
    for (int call = 0; call < CALLS; call++)
      for (int guilty = 0; guilty < size; guilty++)
        for (int kind = 0; kind < 4; kind++) {
          const int root = kind < 2 ? guilty : (guilty + 1) % size;
          check_fault(hosts[i], (enum call)call, root, guilty, (enum fault)(kind % 2), guilty % 2 == i);
        }
  MUST(MPI_Finalize());
  return 0;
}
