/* A program that has never heard of gbcast. Each rank writes all that it receives to FOLDER/RANK, and rank 0
 * says how many calls it made and how many of them are MPI's in any case.
 *
 *   plain FOLDER */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 70000 };

static int rank, size, calls, native;
static FILE *file;
static unsigned char in[16 * MOST], out[16 * MOST];

/* As much as all ranks may use, and what record() looks at behind that. */
static void prepare(int key) {
  const size_t used = (size_t)size * MOST + 64 < sizeof in ? (size_t)size * MOST + 64 : sizeof in;
  for (size_t i = 0; i < used; i++)
    out[i] = (unsigned char)(((size_t)key * 37 + i * 2654435761u) >> 5);
  memset(in, 0xA5, used);
}

/* A call has been made that returned `rc`: `bytes` of `in` and a few behind them, which nobody may have
 * touched. */
static void record(int rc, size_t bytes, int is_native) {
  int class = MPI_SUCCESS;
  MPI_Error_class(rc, &class);
  fprintf(file, "call %d: class %d\n", ++calls, class);
  native += is_native;
  if (fwrite(in, 1, bytes + 64, file) != bytes + 64)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void bcast(int count, MPI_Datatype type, size_t extent, int root, MPI_Comm comm, int is_native) {
  int me;
  MPI_Comm_rank(comm, &me);
  prepare(root + 1);
  if (me == root)
    memcpy(in, out, extent * (size_t)count);
  record(MPI_Bcast(in, count, type, root, comm), extent * (size_t)count, is_native);
}

/* With a hole at its end. */
static MPI_Datatype struct_type(void) {
  struct both {
    double d;
    char c;
  };
  MPI_Datatype raw, type;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){offsetof(struct both, d), offsetof(struct both, c)},
                         (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &raw);
  MPI_Type_create_resized(raw, 0, sizeof(struct both), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&raw);
  return type;
}

static void bcasts(MPI_Comm comm, int is_native) {
  int n;
  MPI_Datatype strided, mixed = struct_type();
  MPI_Comm_size(comm, &n);
  MPI_Type_vector(3, 2, 4, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  for (int root = 0; root < n; root++) {
    bcast(MOST, MPI_BYTE, 1, root, comm, is_native);
    bcast(3, MPI_DOUBLE, 8, root, comm, is_native);
    bcast(0, MPI_INT, 4, root, comm, is_native);
    bcast(40, strided, 40, root, comm, is_native);
    bcast(100, mixed, 16, root, comm, is_native);
  }
  MPI_Type_free(&strided);
  MPI_Type_free(&mixed);
}

static void scatters(MPI_Comm comm, int is_native) {
  int n, me;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &me);
  for (int root = 0; root < n; root++)
    for (int block = 0; block < MOST / 4; block = block * 5 + 1) {
      prepare(block + root);
      record(MPI_Scatter(out, block, MPI_INT, in, 4 * block, MPI_BYTE, root, comm), 4 * (size_t)block,
             is_native);
      prepare(block);
      int in_place = me == root;
      record(MPI_Scatter(out, block, MPI_BYTE, in_place ? MPI_IN_PLACE : in, block, MPI_BYTE, root, comm),
             (size_t)block, is_native);
    }
}

static void scattervs(MPI_Comm comm, int is_native) {
  int n, me, *count, *place;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &me);
  count = calloc((size_t)n * 2, sizeof *count);
  place = count + n;
  for (int root = 0; root < n; root++) {
    for (int i = 0, at = 7; i < n; at += count[i++] + 3) {
      count[i] = i % 3 == 1 ? 0 : 1000 * i + root;
      place[i] = at;
    }
    prepare(root);
    int used = me == root; /* elsewhere they mean nothing */
    record(MPI_Scatterv(used ? out : NULL, used ? count : NULL, used ? place : NULL, MPI_SHORT, in, count[me],
                        MPI_SHORT, root, comm),
           2 * (size_t)count[me], is_native);
  }
  free(count);
}

static void gathers(MPI_Comm comm, int is_native) {
  int n, me, *count, *place;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &me);
  count = calloc((size_t)n * 2, sizeof *count);
  place = count + n;
  for (int root = 0; root < n; root++) {
    const int used = me == root; /* elsewhere they mean nothing */
    for (int block = 0; block < MOST / 8; block = block * 9 + 1) {
      prepare(block + me);
      record(MPI_Gather(out, 4 * block, MPI_BYTE, used ? in : NULL, block, MPI_INT, root, comm),
             used ? 4 * (size_t)(n * block) : 0, is_native);
    }
    for (int i = 0, at = 7; i < n; at += count[i++] + 3) {
      count[i] = i % 3 == 1 ? 0 : 1000 * i + root;
      place[i] = at;
    }
    prepare(root + me);
    record(MPI_Gatherv(out, count[me], MPI_SHORT, used ? in : NULL, used ? count : NULL, used ? place : NULL,
                       MPI_SHORT, root, comm),
           used ? 2 * (size_t)(place[n - 1] + count[n - 1]) : 0, is_native);
  }
  free(count);
}

static void allgathers(MPI_Comm comm, int is_native) {
  int n, me, *count, *place;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &me);
  count = calloc((size_t)n * 2, sizeof *count);
  place = count + n;
  for (int block = 0; block < MOST / 8; block = block * 9 + 1) {
    prepare(block + me);
    record(MPI_Allgather(out, 4 * block, MPI_BYTE, in, block, MPI_INT, comm), 4 * (size_t)(n * block),
           is_native);
  }
  for (int i = 0, at = 7; i < n; at += count[i++] + 3) {
    count[i] = i % 3 == 1 ? 0 : 1000 * i + 5;
    place[i] = at;
  }
  prepare(me);
  record(MPI_Allgatherv(out, count[me], MPI_SHORT, in, count, place, MPI_SHORT, comm),
         2 * (size_t)(place[n - 1] + count[n - 1]), is_native);
  free(count);
}

static void alltoalls(MPI_Comm comm, int is_native) {
  int n, me;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &me);
  for (int block = 0; block < MOST / 8; block = block * 9 + 1) {
    prepare(me + block);
    record(MPI_Alltoall(out, block, MPI_DOUBLE, in, 8 * block, MPI_BYTE, comm), 8 * (size_t)(n * block),
           is_native);
    prepare(me);
    memcpy(in, out, (size_t)(n * block));
    record(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, block, MPI_BYTE, comm), (size_t)(n * block),
           is_native);
  }
}

/* Rank i has (i + 2 j) % 4 blocks for rank j; in place as many as that one has for it. */
static void alltoallvs(MPI_Comm comm, int is_native) {
  int n, me, *count[2], *place[2];
  size_t end = 0;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &me);
  for (int i = 0; i < 2; i++) {
    count[i] = calloc((size_t)n * 2, sizeof **count);
    place[i] = count[i] + n;
  }
  for (int block = 1; block < MOST / 16; block *= 50) {
    for (int r = 0, out_at = 3, in_at = 1; r < n; r++) {
      count[0][r] = (me + 2 * r) % 4 * block;
      count[1][r] = (r + 2 * me) % 4 * block;
      place[0][r] = out_at;
      place[1][r] = in_at;
      out_at += count[0][r] + 2;
      in_at += count[1][r] + 1;
      end = 4 * (size_t)in_at;
    }
    prepare(me + block);
    record(MPI_Alltoallv(out, count[0], place[0], MPI_FLOAT, in, count[1], place[1], MPI_FLOAT, comm), end,
           is_native);
    for (int r = 0; r < n; r++) {
      count[1][r] = (r + me) % 3 * block;
      place[1][r] = 2 * block * r;
    }
    prepare(me);
    memcpy(in, out, 8 * (size_t)(n * block));
    record(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, count[1], place[1], MPI_INT, comm),
           8 * (size_t)(n * block), is_native);
  }
  free(count[0]);
  free(count[1]);
}

/* Whole numbers, of which sums are the same in any order. */
static void prepare_operands(int key, int count) {
  prepare(key);
  for (int i = 0; i < count; i++) {
    const double value = (i * 31 + rank * 17 + key) % 1001;
    memcpy(out + 8 * (size_t)i, &value, 8);
  }
}

static void keep_last(void *from, void *to, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++)
    if (((double *)to)[i] == 0)
      ((double *)to)[i] = ((double *)from)[i];
}

static void reductions(MPI_Comm comm, int is_native) {
  int n, me;
  MPI_Op last;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &me);
  MPI_Op_create(keep_last, 0, &last);
  for (int count = 0; count < MOST / 8 / 16; count = count * 7 + 1) {
    prepare_operands(count, n * count);
    record(MPI_Reduce_scatter_block(out, in, count, MPI_DOUBLE, MPI_SUM, comm), 8 * (size_t)count, is_native);
  }
  for (int root = 0; root < n; root++)
    for (int count = 0; count < MOST / 8; count = count * 7 + 1) {
      const size_t bytes = 8 * (size_t)count;
      prepare_operands(root, count);
      record(MPI_Reduce(out, in, count, MPI_DOUBLE, MPI_SUM, root, comm), me == root ? bytes : 0, is_native);
      prepare_operands(count, count);
      record(MPI_Allreduce(out, in, 2 * count, MPI_UNSIGNED, MPI_BXOR, comm), bytes, is_native);
      prepare_operands(root + count, count);
      memcpy(in, out, bytes);
      record(MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_DOUBLE, MPI_MIN, comm), bytes, is_native);
      record(MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_DOUBLE, last, comm), bytes, 1);
    }
  MPI_Op_free(&last);
}

static void barriers(MPI_Comm comm, int is_native) {
  for (int i = 0; i < 3; i++) {
    prepare(i);
    record(MPI_Barrier(comm), 0, is_native);
  }
}

#if MPI_VERSION >= 4
static void large_counts(MPI_Comm comm) {
  int n, me;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &me);
  MPI_Count count[16];
  MPI_Aint place[16];
  for (int i = 0; i < n; i++) {
    count[i] = 10 + i;
    place[i] = 100 * (n - i);
  }
  prepare(1);
  if (me == n - 1)
    memcpy(in, out, 999);
  record(MPI_Bcast_c(in, 999, MPI_CHAR, n - 1, comm), 999, 0);
  prepare(2);
  record(MPI_Scatter_c(out, 33, MPI_INT, in, 33, MPI_INT, 0, comm), 4 * 33, 0);
  prepare(3);
  record(MPI_Scatterv_c(out, count, place, MPI_INT, in, count[me], MPI_INT, n - 1, comm),
         4 * (size_t)count[me], 0);
  prepare(7 + me);
  record(MPI_Gather_c(out, 34, MPI_INT, in, 34, MPI_INT, 0, comm), me == 0 ? 4 * 34 * (size_t)n : 0, 0);
  prepare(8 + me);
  record(MPI_Gatherv_c(out, count[me], MPI_INT, in, count, place, MPI_INT, n - 1, comm),
         me == n - 1 ? 4 * (100 * (size_t)n + 10) : 0, 0);
  prepare(9 + me);
  record(MPI_Allgather_c(out, 34, MPI_INT, in, 34, MPI_INT, comm), 4 * 34 * (size_t)n, 0);
  prepare(10 + me);
  record(MPI_Allgatherv_c(out, count[me], MPI_INT, in, count, place, MPI_INT, comm),
         4 * (100 * (size_t)n + 10), 0);
  prepare(4 + me);
  record(MPI_Alltoall_c(out, 55, MPI_FLOAT, in, 55, MPI_FLOAT, comm), 4 * 55 * (size_t)n, 0);
  for (int i = 0; i < n; i++)
    count[i] = 10 + me + i;
  prepare(5 + me);
  record(MPI_Alltoallv_c(out, count, place, MPI_INT, in, count, place, MPI_INT, comm),
         4 * (100 * (size_t)n + 10 + (size_t)me), 0);
  prepare_operands(5, 77);
  record(MPI_Allreduce_c(out, in, 77, MPI_DOUBLE, MPI_SUM, comm), 8 * 77, 0);
  prepare_operands(4, 79 * n);
  record(MPI_Reduce_scatter_block_c(out, in, 79, MPI_DOUBLE, MPI_SUM, comm), 8 * 79, 0);
  prepare_operands(6, 78);
  record(MPI_Reduce_c(out, in, 78, MPI_DOUBLE, MPI_PROD, n - 1, comm), me == n - 1 ? 8 * 78 : 0, 0);
}
#endif

/* Absolute addresses. */
static void bottom(MPI_Comm comm) {
  MPI_Aint at;
  MPI_Datatype type;
  MPI_Get_address(in, &at);
  MPI_Type_create_hindexed(1, &(int){5000}, &at, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  prepare(9);
  if (rank == 0)
    memcpy(in, out, 5000);
  record(MPI_Bcast(MPI_BOTTOM, 1, type, 0, comm), 5000, 0);
  MPI_Type_free(&type);
}

/* Even and odd ranks: the last even one, which is the first of its half, sends to all odd ones. */
static void between(MPI_Comm half) {
  MPI_Comm inter;
  int even = rank % 2 == 0, last_even = (size - 1) / 2 * 2, last_odd = size / 2 * 2 - 1;
  int root = !even ? 0 : rank == last_even ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, even ? last_odd : last_even, 4, &inter);
  prepare(5);
  if (rank == last_even)
    memcpy(in, out, 4000);
  record(MPI_Bcast(in, 1000, MPI_INT, root, inter), 4000, 1);
  prepare(6);
  record(MPI_Scatter(out, 10, MPI_INT, in, 10, MPI_INT, root, inter), 40, 1);
  prepare(rank);
  record(MPI_Gather(out, 10, MPI_INT, in, 10, MPI_INT, root, inter), 0, 1);
  prepare(rank);
  record(MPI_Allgather(out, 10, MPI_INT, in, 10, MPI_INT, inter), 0, 1);
  prepare(rank);
  record(MPI_Alltoall(out, 10, MPI_INT, in, 10, MPI_INT, inter), 40 * (size_t)size, 1);
  const int one[16] = {[0 ... 15] = 1}, there[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  prepare(rank + 1);
  record(MPI_Alltoallv(out, one, there, MPI_INT, in, one, there, MPI_INT, inter), 4 * (size_t)size, 1);
  prepare_operands(7, 10);
  record(MPI_Allreduce(out, in, 10, MPI_DOUBLE, MPI_SUM, inter), 80, 1);
  barriers(inter, 1);
  MPI_Comm_free(&inter);
}

/* Errors of the arguments, which all ranks make. */
static void mistakes(MPI_Comm comm) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  prepare(0);
  record(MPI_Bcast(in, 1, MPI_INT, size, comm), 0, 1);
  record(MPI_Bcast(in, -1, MPI_INT, 0, comm), 0, 1);
  record(MPI_Bcast(in, 1, MPI_DATATYPE_NULL, 0, comm), 0, 1);
  record(MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, -5, comm), 0, 1);
  record(MPI_Gather(out, 1, MPI_INT, in, 1, MPI_INT, size, comm), 0, 1);
  record(MPI_Allgather(out, -1, MPI_INT, in, -1, MPI_INT, comm), 0, 1);
  record(MPI_Alltoall(out, -1, MPI_INT, in, -1, MPI_INT, comm), 0, 1);
  record(MPI_Reduce(out, in, 1, MPI_INT, MPI_SUM, size, comm), 0, 1);
  record(MPI_Allreduce(out, in, 1, MPI_INT, MPI_OP_NULL, comm), 0, 1);
  record(MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_BXOR, comm), 0, 1);
  record(MPI_Reduce_scatter_block(out, in, 1, MPI_DOUBLE, MPI_BXOR, comm), 0, 1);
}

static void all(MPI_Comm comm, int is_native) {
  bcasts(comm, is_native);
  scatters(comm, is_native);
  scattervs(comm, is_native);
  gathers(comm, is_native);
  allgathers(comm, is_native);
  alltoalls(comm, is_native);
  alltoallvs(comm, is_native);
  reductions(comm, is_native);
  barriers(comm, is_native);
}

int main(int argc, char **argv) {
  char path[1024];
  MPI_Comm half, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(path, sizeof path, "%s/%d", argv[1], rank);
  file = fopen(path, "w");
  if (file == NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  all(MPI_COMM_WORLD, size == 1);
  all(MPI_COMM_SELF, 1);
  int n;
  MPI_Comm_size(half, &n);
  all(half, n == 1);
  if (size > 1) {
    between(half);
#if MPI_VERSION >= 4
    large_counts(MPI_COMM_WORLD);
#endif
    bottom(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 5; i++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    bcast(200 * i, MPI_BYTE, 1, i % size, copy, size == 1);
    if (i == 4)
      mistakes(copy);
    MPI_Comm_free(&copy);
  }
  if (rank == 0)
    printf("%d %d\n", calls - native, native);
  int failed = fclose(file) != 0;
  MPI_Finalize(); /* frees what hangs off `half`, too */
  return failed;
}
