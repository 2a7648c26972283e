/* The communicators that the cases are run on. */
#include "cases.h"

static void at(record *r, cases *run, const char *name, MPI_Comm comm, bool full) {
  place p = {.name = name, .comm = comm, .full = full};
  must(MPI_Comm_rank(comm, &p.rank), name);
  must(MPI_Comm_size(comm, &p.size), name);
  p.taker = p.size > 1 ? OURS : MPIS;
  run(r, &p);
}

/* Freed behind it. */
static void once(record *r, cases *run, const char *name, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL)
    return;
  at(r, run, name, comm, false);
  must(MPI_Comm_free(&comm), name);
}

void everywhere(record *r, cases *run) {
  int rank, size;
  MPI_Comm comm;
  MPI_Group all, most;
  must(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "rank");
  must(MPI_Comm_size(MPI_COMM_WORLD, &size), "size");
  at(r, run, "world", MPI_COMM_WORLD, true);
  at(r, run, "self", MPI_COMM_SELF, false);
  must(MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comm), "split");
  once(r, run, "reversed", comm);
  must(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm), "split");
  once(r, run, rank % 2 == 0 ? "even" : "odd", comm);
  must(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 1, &comm), "cart");
  once(r, run, "ring", comm);
  must(MPI_Comm_group(MPI_COMM_WORLD, &all), "group");
  must(MPI_Group_excl(all, 1, &(int){size / 2}, &most), "group");
  must(MPI_Comm_create(MPI_COMM_WORLD, most, &comm), "create");
  once(r, run, "all but one", comm);
  must(MPI_Group_free(&all), "group");
  must(MPI_Group_free(&most), "group");
}
