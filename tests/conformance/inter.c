/* Inter-communicators: the ranks of MPI_COMM_WORLD in two groups, and each rank of each group as the root of
 * what goes to the other one. They are MPI's. */
#include "cases.h"
#include <stdlib.h>

typedef struct pair {
  place at; /* rank and size of the other group */
  int others;
  bool second; /* the group that this rank is in */
} pair;

/* What a rank gives as the root when that is rank `root` of the second group, or of the first. */
static int role_of(const pair *p, bool second, int root) {
  return p->second != second ? root : p->at.rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void from_root(record *r, const pair *p, const call_table *f, bool second, int root) {
  const int role = role_of(p, second, root), ranks = role == MPI_ROOT ? p->others : 0;
  const bool receives = p->second != second;
  const char *group = second ? "second" : "first";
  region data = region_new(MPI_DOUBLE_INT, 0, 70, (uint64_t)p->at.rank + 10 * (uint64_t)p->second);
  int rc = f->bcast(role == MPI_PROC_NULL ? NO_BUFFER : data.at, 70, MPI_DOUBLE_INT, role, p->at.comm);
  record_call(r, &p->at, class_name(rc), &data, NULL, "bcast %s from %d of the %s", f->name, root, group);
  region send = region_new(MPI_INT, 0, 50L * ranks, 7);
  rc = f->scatter(ranks > 0 ? send.at : NO_BUFFER, ranks > 0 ? 50 : NO_COUNT, ranks > 0 ? MPI_INT : NO_TYPE,
                  receives ? data.at : NO_BUFFER, receives ? 50 : NO_COUNT, receives ? MPI_INT : NO_TYPE,
                  role, p->at.comm);
  record_call(r, &p->at, class_name(rc), &data, &send, "scatter %s from %d of the %s", f->name, root, group);
  MPI_Count *count = allocate(sizeof *count * (size_t)ranks);
  MPI_Aint *begin = allocate(sizeof *begin * (size_t)ranks);
  for (int i = 0; i < ranks; i++) {
    count[i] = i;
    begin[i] = 10L * (ranks - 1 - i);
  }
  rc = f->scatterv(ranks > 0 ? send.at : NO_BUFFER, ranks, ranks > 0 ? count : NULL, ranks > 0 ? begin : NULL,
                   ranks > 0 ? MPI_INT : NO_TYPE, receives ? data.at : NO_BUFFER,
                   receives ? p->at.rank : NO_COUNT, receives ? MPI_INT : NO_TYPE, role, p->at.comm);
  record_call(r, &p->at, class_name(rc), &data, &send, "scatterv %s from %d of the %s", f->name, root, group);
  free(count);
  free(begin);
  region_free(&send);
  region_free(&data);
}

/* To one rank of a group from all of the other. */
static void to_root(record *r, const pair *p, const call_table *f, bool second, int root) {
  const int role = role_of(p, second, root), ranks = role == MPI_ROOT ? p->others : 0;
  const bool sends = p->second != second;
  const char *group = second ? "second" : "first";
  const uint64_t me = (uint64_t)p->at.rank + 10 * (uint64_t)p->second;
  region send = region_new(MPI_INT, 0, 50, me), receive = region_new(MPI_INT, 0, 50L * ranks + 1, me + 100);
  void *from = sends ? send.at : NO_BUFFER, *to = ranks > 0 ? receive.at : NO_BUFFER;
  const MPI_Datatype from_type = sends ? MPI_INT : NO_TYPE, to_type = ranks > 0 ? MPI_INT : NO_TYPE;
  int rc = f->gather(from, sends ? 50 : NO_COUNT, from_type, to, ranks > 0 ? 50 : NO_COUNT, to_type, role,
                     p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "gather %s to %d of the %s", f->name, root, group);
  MPI_Count *count = allocate(sizeof *count * (size_t)ranks);
  MPI_Aint *begin = allocate(sizeof *begin * (size_t)ranks);
  for (int i = 0; i < ranks; i++) {
    count[i] = i;
    begin[i] = 10L * (ranks - 1 - i);
  }
  rc = f->gatherv(from, sends ? p->at.rank : NO_COUNT, from_type, to, ranks, ranks > 0 ? count : NULL,
                  ranks > 0 ? begin : NULL, to_type, role, p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "gatherv %s to %d of the %s", f->name, root, group);
  /* MPICH 4.0 looks at all arguments of a reduction on all ranks. */
  rc = f->reduce(send.at, receive.at, 50, MPI_INT, MPI_MAX, role, p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "reduce %s to %d of the %s", f->name, root, group);
  free(count);
  free(begin);
  region_free(&receive);
  region_free(&send);
}

/* Each group gets what the other one has. */
static void between_all(record *r, const pair *p, const call_table *f) {
  enum { COUNT = 12 };
  const uint64_t me = (uint64_t)p->at.rank + 10 * (uint64_t)p->second;
  const MPI_Count blocks =
      (MPI_Count)p->at.size * p->others; /* the groups combine the same number of elements */
  region send = region_new(MPI_INT, 0, COUNT * blocks, me),
         receive = region_new(MPI_INT, 0, COUNT * blocks, me + 100);
  int rc = f->allgather(send.at, COUNT, MPI_INT, receive.at, COUNT, MPI_INT, p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "allgather %s", f->name);
  MPI_Count *count = allocate(sizeof *count * (size_t)p->others);
  MPI_Aint *begin = allocate(sizeof *begin * (size_t)p->others);
  for (int i = 0; i < p->others; i++) {
    count[i] = i;
    begin[i] = 10L * (p->others - 1 - i);
  }
  rc = f->allgatherv(send.at, p->at.rank, MPI_INT, receive.at, p->others, count, begin, MPI_INT, p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "allgatherv %s", f->name);
  for (int i = 0; i < p->others; i++)
    count[i] = i + p->at.rank;
  rc = f->alltoallv(send.at, p->others, count, begin, MPI_INT, receive.at, count, begin, MPI_INT, p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "alltoallv %s", f->name);
  rc = f->allreduce(send.at, receive.at, COUNT, MPI_INT, MPI_MAX, p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "allreduce %s", f->name);
  rc = f->reduce_scatter_block(send.at, receive.at, COUNT * p->others, MPI_INT, MPI_MAX, p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "reduce_scatter_block %s", f->name);
  rc = f->barrier(p->at.comm);
  record_call(r, &p->at, class_name(rc), NULL, NULL, "barrier %s", f->name);
  free(count);
  free(begin);
  region_free(&receive);
  region_free(&send);
}

static void all_to_all(record *r, const pair *p, const call_table *f, int count) {
  const uint64_t me = (uint64_t)p->at.rank + 10 * (uint64_t)p->second;
  region send = region_new(MPI_SHORT, 0, (MPI_Count)count * p->others, me);
  region receive = region_new(MPI_SHORT, 0, (MPI_Count)count * p->others, me + 100);
  int rc = f->alltoall(send.at, count, MPI_SHORT, receive.at, count, MPI_SHORT, p->at.comm);
  record_call(r, &p->at, class_name(rc), &receive, &send, "alltoall %s, %d", f->name, count);
  region_free(&send);
  region_free(&receive);
}

/* The first `border` ranks, and the others. */
static void between(record *r, int border) {
  MPI_Comm group;
  pair p = {.at = {.name = "inter"}};
  int rank, size;
  must(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "rank");
  must(MPI_Comm_size(MPI_COMM_WORLD, &size), "size");
  p.second = rank >= border;
  must(MPI_Comm_split(MPI_COMM_WORLD, p.second, rank, &group), "split");
  must(MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, p.second ? 0 : border, 5, &p.at.comm), "create");
  must(MPI_Comm_rank(p.at.comm, &p.at.rank), "rank");
  must(MPI_Comm_size(p.at.comm, &p.at.size), "size");
  must(MPI_Comm_remote_size(p.at.comm, &p.others), "size");
  for (int n = 0; n < FORMS; n++) {
    for (int root = 0; root < size; root++) {
      from_root(r, &p, &form[n], root >= border, root >= border ? root - border : root);
      to_root(r, &p, &form[n], root >= border, root >= border ? root - border : root);
    }
    between_all(r, &p, &form[n]);
    all_to_all(r, &p, &form[n], 0);
    all_to_all(r, &p, &form[n], 333);
  }
  must(MPI_Comm_free(&p.at.comm), "free");
  must(MPI_Comm_free(&group), "free");
}

void inter_cases(record *r) {
  int size;
  must(MPI_Comm_size(MPI_COMM_WORLD, &size), "size");
  for (int border = 1; border < size; border += size < 4 ? 1 : size - 2)
    between(r, border);
}
