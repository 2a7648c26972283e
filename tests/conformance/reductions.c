/* Reductions, allreduces, reduce-scatters and barriers: every operator of MPI with every type of C that it
 * takes, and operators of the program. Operands are small whole numbers, of which sums and products are the
 * same in any order. A call that gbcast leaves to MPI, for its operator or its type, is MPI's. */
#include "cases.h"
#include <complex.h>
#include <stdlib.h>
#include <string.h>

enum kind { INTEGER = 1, REAL = 2, LOGICAL = 4, COMPLEX = 8, BYTES = 16, PAIR = 32, OWN = 64 };

typedef struct operand {
  const char *name;
  MPI_Datatype type;
  enum kind kind;
  void (*put)(void *at, size_t i, int value);
  double (*get)(const void *at, size_t i);
} operand;

#define NUMBER(type, word)                                                                                   \
  static void put_##word(void *at, size_t i, int value) {                                                    \
    ((type *)at)[i] = (type)value;                                                                           \
  }                                                                                                          \
  static double get_##word(const void *at, size_t i) {                                                       \
    return (double)((const type *)at)[i];                                                                    \
  }
#define PAIR_OF(type, word)                                                                                  \
  typedef struct word {                                                                                      \
    type value;                                                                                              \
    int at;                                                                                                  \
  } word;                                                                                                    \
  static void put_##word(void *at, size_t i, int value) {                                                    \
    ((word *)at)[i].value = (type)(value % 3);                                                               \
    ((word *)at)[i].at = value / 3;                                                                          \
  }                                                                                                          \
  static double get_##word(const void *at, size_t i) {                                                       \
    return 1000 * (double)((const word *)at)[i].value + ((const word *)at)[i].at;                            \
  }
#define COMPLEX_OF(type, word)                                                                               \
  static void put_##word(void *at, size_t i, int value) {                                                    \
    ((type *)at)[i] = (type)value + (type)(value % 2) * (type)I;                                             \
  }                                                                                                          \
  static double get_##word(const void *at, size_t i) {                                                       \
    return (double)(creall(((const type *)at)[i]) + 10000 * cimagl(((const type *)at)[i]));                  \
  }
NUMBER(signed char, schar)
NUMBER(short, short)
NUMBER(int, int)
NUMBER(long, long)
NUMBER(long long, llong)
NUMBER(unsigned char, uchar)
NUMBER(unsigned short, ushort)
NUMBER(unsigned, unsigned)
NUMBER(unsigned long, ulong)
NUMBER(unsigned long long, ullong)
NUMBER(float, float)
NUMBER(double, double)
NUMBER(long double, ldouble)
NUMBER(_Bool, bool)
NUMBER(MPI_Aint, aint)
NUMBER(MPI_Offset, offset)
NUMBER(MPI_Count, count)
COMPLEX_OF(float complex, fcomplex)
COMPLEX_OF(double complex, dcomplex)
COMPLEX_OF(long double complex, lcomplex)
PAIR_OF(float, float_int)
PAIR_OF(double, double_int)
PAIR_OF(long, long_int)
PAIR_OF(int, two_int)
PAIR_OF(short, short_int)
PAIR_OF(long double, ldouble_int)

#define OPERAND(type, kind, word)                                                                            \
  { #type, type, kind, put_##word, get_##word }

/* One of the program's, of four integers: with `gap` one more lies between two of them. */
typedef struct matrix {
  int m[4];
} matrix;

static void put_matrix(void *at, size_t i, int value) {
  const matrix m = {{1, value, value % 2, 1}};
  ((matrix *)at)[i] = m;
}

static double get_matrix(const void *at, size_t i) {
  const int *m = ((const matrix *)at)[i].m;
  return m[0] + 1e3 * m[1] + 1e6 * m[2] + 1e9 * m[3];
}

/* Products of matrices, modulo a prime: in the order of ranks. */
static void multiply(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++) {
    const int *a = ((matrix *)in)[i].m, *b = ((matrix *)inout)[i].m;
    const matrix c = {{(a[0] * b[0] + a[1] * b[2]) % 997, (a[0] * b[1] + a[1] * b[3]) % 997,
                       (a[2] * b[0] + a[3] * b[2]) % 997, (a[2] * b[1] + a[3] * b[3]) % 997}};
    ((matrix *)inout)[i] = c;
  }
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < 4 * *count; i++)
    ((int *)inout)[i] = (((int *)in)[i] + ((int *)inout)[i]) % 997;
}

typedef struct operator{
  const char *name;
  MPI_Op op;
  unsigned kinds;
  bool mpis; /* gbcast leaves it to MPI */
}
operator;

enum call { REDUCE, ALLREDUCE, REDUCE_SCATTER, CALLS };
static const char *const call_name[CALLS] = {"reduce", "allreduce", "reduce_scatter_block"};

static int value_of(const place *at, size_t i) {
  return ((int)(i % 1000) * 5 + at->rank * 3 + 1) % 3;
}

/* FNV-1a of the values: some types have bytes without meaning. */
static uint64_t digest_of(const operand *o, const void *at, size_t count) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++) {
    const double value = o->get(at, i);
    unsigned char byte[sizeof value];
    memcpy(byte, &value, sizeof byte);
    for (size_t k = 0; k < sizeof byte; k++)
      hash = (hash ^ byte[k]) * 0x100000001b3u;
  }
  return hash;
}

/* MPI_Reduce() of MPICH 4.0 crashes where another root than rank 0 gives its operands in place. */
static void one(record *r, const place *at, const call_table *f, enum call call, const operand *o,
                const operator* op, size_t count, int root, bool in_place) {
  const size_t all = call == REDUCE_SCATTER ? count * (size_t)at->size : count;
  const bool gets = call != REDUCE || at->rank == root, stays = in_place && gets && root == 0;
  region send = region_new(o->type, 0, (MPI_Count)all, (uint64_t)at->rank),
         receive = region_new(o->type, 0, (MPI_Count)all, (uint64_t)at->rank + 100);
  for (size_t i = 0; i < all; i++)
    o->put(stays ? receive.at : send.at, i, value_of(at, i));
  const void *from = stays ? MPI_IN_PLACE : send.at;
  void *to = gets ? receive.at : NO_BUFFER;
  const MPI_Count n = (MPI_Count)count;
  const int rc = call == REDUCE      ? f->reduce(from, to, n, o->type, op->op, root, at->comm)
                 : call == ALLREDUCE ? f->allreduce(from, to, n, o->type, op->op, at->comm)
                                     : f->reduce_scatter_block(from, to, n, o->type, op->op, at->comm);
  const uint64_t digest = rc == MPI_SUCCESS && gets ? digest_of(o, receive.at, count) : 0;
  place here = *at;
  if (op->mpis && at->taker == OURS)
    here.taker = MPIS;
  record_call(r, &here, class_name(rc), NULL, stays ? NULL : &send, "%s %s, %zu %s by %s at %d%s, %016llx",
              call_name[call], f->name, count, o->name, op->name, root, in_place ? ", in place" : "",
              (unsigned long long)digest);
  region_free(&send);
  region_free(&receive);
}

static void of_all(record *r, const place *at, const call_table *f, const operand *o, int operands,
                   const operator* op, int operators) {
  int turn = 0;
  for (int i = 0; i < operands; i++)
    for (int k = 0; k < operators; k++)
      if ((op[k].kinds & o[i].kind) != 0 && (at->full || turn % 5 == 0 || o[i].kind == OWN))
        for (int call = 0; call < CALLS; call++, turn++)
          one(r, at, f, (enum call)call, &o[i], &op[k],
              turn % 4 == 0   ? 0
              : turn % 3 == 0 ? 1
                              : 300,
              turn % at->size, turn % 5 == 1);
}

/* Long ones, and to every root. */
static void of_sizes(record *r, const place *at, const call_table *f, const operand *o, const operator* sum) {
  static const size_t count[] = {0, 1, 1000, 30000};
  for (size_t i = 0; i < sizeof count / sizeof *count; i += at->full ? 1 : 3)
    for (int in_place = 0; in_place < 2; in_place++) {
      for (int root = 0; root < at->size; root++)
        one(r, at, f, REDUCE, o, sum, count[i], root, in_place);
      one(r, at, f, ALLREDUCE, o, sum, count[i], 0, in_place);
      one(r, at, f, REDUCE_SCATTER, o, sum, count[i], 0, in_place);
    }
}

void reduction_cases(record *r, const place *at) {
  MPI_Datatype four, gap;
  MPI_Op sums, products;
  must(MPI_Type_contiguous(4, MPI_INT, &four), "contiguous");
  must(MPI_Type_create_resized(four, 0, sizeof(matrix), &gap),
       "resized"); /* as it is, but gbcast cannot know */
  must(MPI_Type_commit(&four), "commit");
  must(MPI_Type_commit(&gap), "commit");
  must(MPI_Op_create(add, 1, &sums), "op");
  must(MPI_Op_create(multiply, 0, &products), "op");
  const operand operands[] = {
      OPERAND(MPI_INT, INTEGER, int),
      OPERAND(MPI_SIGNED_CHAR, INTEGER, schar),
      OPERAND(MPI_SHORT, INTEGER, short),
      OPERAND(MPI_LONG, INTEGER, long),
      OPERAND(MPI_LONG_LONG_INT, INTEGER, llong),
      OPERAND(MPI_UNSIGNED_CHAR, INTEGER, uchar),
      OPERAND(MPI_UNSIGNED_SHORT, INTEGER, ushort),
      OPERAND(MPI_UNSIGNED, INTEGER, unsigned),
      OPERAND(MPI_UNSIGNED_LONG, INTEGER, ulong),
      OPERAND(MPI_UNSIGNED_LONG_LONG, INTEGER, ullong),
      OPERAND(MPI_AINT, INTEGER, aint),
      OPERAND(MPI_OFFSET, INTEGER, offset),
      OPERAND(MPI_COUNT, INTEGER, count),
      OPERAND(MPI_FLOAT, REAL, float),
      OPERAND(MPI_DOUBLE, REAL, double),
      OPERAND(MPI_LONG_DOUBLE, REAL, ldouble),
      OPERAND(MPI_C_BOOL, LOGICAL, bool),
      OPERAND(MPI_C_FLOAT_COMPLEX, COMPLEX, fcomplex),
      OPERAND(MPI_C_DOUBLE_COMPLEX, COMPLEX, dcomplex),
      OPERAND(MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX, lcomplex),
      OPERAND(MPI_BYTE, BYTES, uchar),
      OPERAND(MPI_FLOAT_INT, PAIR, float_int),
      OPERAND(MPI_DOUBLE_INT, PAIR, double_int),
      OPERAND(MPI_LONG_INT, PAIR, long_int),
      OPERAND(MPI_2INT, PAIR, two_int),
      OPERAND(MPI_SHORT_INT, PAIR, short_int),
      OPERAND(MPI_LONG_DOUBLE_INT, PAIR, ldouble_int),
  };
  const operator operators[] = {{"sum", MPI_SUM, INTEGER | REAL | COMPLEX, false},
                                {"product", MPI_PROD, INTEGER | REAL | COMPLEX, false},
                                {"maximum", MPI_MAX, INTEGER | REAL, false},
                                {"minimum", MPI_MIN, INTEGER | REAL, false},
                                {"land", MPI_LAND, INTEGER | LOGICAL, false},
                                {"lor", MPI_LOR, INTEGER | LOGICAL, false},
                                {"lxor", MPI_LXOR, INTEGER | LOGICAL, false},
                                {"band", MPI_BAND, INTEGER | BYTES, false},
                                {"bor", MPI_BOR, INTEGER | BYTES, false},
                                {"bxor", MPI_BXOR, INTEGER | BYTES, false},
                                {"maxloc", MPI_MAXLOC, PAIR, false},
                                {"minloc", MPI_MINLOC, PAIR, false}};
  const operand own = {"matrices", four, OWN, put_matrix, get_matrix},
                loose = {"matrices apart", gap, OWN, put_matrix, get_matrix};
  const operator add_own = {"sums of its own", sums, OWN, false},
                 add_loose = {"sums of its own", sums, OWN, true},
                 multiply_own = {"products of its own", products, OWN, true};
  for (int n = 0; n < FORMS; n++) {
    const call_table *f = &form[n];
    of_all(r, at, f, operands, sizeof operands / sizeof *operands, operators,
           sizeof operators / sizeof *operators);
    of_all(r, at, f, &own, 1, &add_own, 1);
    of_all(r, at, f, &own, 1, &multiply_own, 1);
    of_all(r, at, f, &loose, 1, &add_loose, 1);
    of_sizes(r, at, f, &operands[14], &operators[0]);
    record_call(r, at, class_name(f->barrier(at->comm)), NULL, NULL, "barrier %s", f->name);
  }
  must(MPI_Op_free(&products), "op");
  must(MPI_Op_free(&sums), "op");
  must(MPI_Type_free(&gap), "type");
  must(MPI_Type_free(&four), "type");
}
