/* Whether data of a type lie in one piece: of each constructor, and never said of a type of which it is not
 * true. The types of MPI_Type_create_f90_real() and its like are predefined, but have no name: whoever frees
 * one that MPI_Type_get_contents() gave ends the program with Open MPI. */
#include "mpi/exec/types.h"
#include "tests/support/mpi/random_type.h"

enum { F90 = 3 };
static MPI_Datatype f90[F90]; /* predefined: nobody frees them */

/* Frees the type, but for a predefined one. */
static void expect(bool expected, MPI_Datatype type, bool made, const char *what) {
  for (int i = 0; i < 3; i++) { /* a reference too few would be missing the next time */
    bool contiguous = !expected;
    MUST(gb_type_is_contiguous(type, &contiguous));
    CHECK(contiguous == expected, "%s: taken for %scontiguous", what, contiguous ? "" : "not ");
  }
  if (made)
    MUST(MPI_Type_free(&type));
}

static MPI_Datatype several(int count, MPI_Datatype of) {
  MPI_Datatype out;
  MUST(MPI_Type_contiguous(count, of, &out));
  return out;
}

static MPI_Datatype copy_of(MPI_Datatype of) {
  MPI_Datatype out;
  MUST(MPI_Type_dup(of, &out));
  return out;
}

/* Only the outer one is left: the inner one is freed. */
static MPI_Datatype outer(MPI_Datatype out, MPI_Datatype inner) {
  MUST(MPI_Type_free(&inner));
  return out;
}

static MPI_Datatype swapped(MPI_Datatype of, bool as_struct) {
  const MPI_Aint step = extent_of(of);
  MPI_Datatype out;
  if (as_struct)
    MUST(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){step, 0}, (MPI_Datatype[]){of, of}, &out));
  else
    MUST(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 0}, of, &out));
  return out;
}

static void check_each(MPI_Datatype of, const char *what) {
  MPI_Datatype type;
  expect(true, of, false, what);
  expect(true, copy_of(of), true, what);
  expect(true, several(4, of), true, what);
  type = several(3, of);
  expect(true, outer(several(2, type), type), true, what);
  type = copy_of(of);
  expect(true, outer(several(7, type), type), true, what);
  type = several(5, of);
  expect(true, outer(copy_of(type), type), true, what);
  for (int as_struct = 0; as_struct < 2; as_struct++) { /* these have the very sizes of contiguous ones */
    type = swapped(of, as_struct);
    expect(false, outer(several(3, type), type), true, what);
    type = swapped(of, as_struct);
    expect(false, outer(copy_of(type), type), true, what);
    expect(false, swapped(of, as_struct), true, what);
  }
  MUST(MPI_Type_create_resized(of, 0, extent_of(of) + 1, &type));
  expect(false, outer(several(2, type), type), true, what);
  MUST(MPI_Type_create_resized(of, 0, -extent_of(of), &type));
  expect(false, outer(copy_of(type), type), true, what);
  expect(true, of, false, what);
}

/* Packed, they would be as they are. */
static void check_random(uint64_t *state, const leaves *l) {
  MPI_Datatype type = random_element(state, l, 3000);
  enum { COUNT = 2 };
  const size_t bytes = COUNT * (size_t)size_in_bytes(type);
  bool contiguous;
  MUST(gb_type_is_contiguous(type, &contiguous));
  if (contiguous) {
    field f = field_of(type, COUNT);
    char *packed = allocate(bytes);
    fill(f.at, bytes, 3);
    pack_field(&f, COUNT, type, packed, bytes);
    CHECK(differs(packed, bytes, 3) == bytes, "%zu bytes are in another order", bytes);
    free(packed);
    free(f.memory);
  }
  MUST(MPI_Type_free(&type));
}

/* MPI 4: the functions of before cannot say what these are made of, and with MPI's own error handler end the
 * program. */
static void check_large(void) {
#if MPI_VERSION >= 4
  MPI_Datatype type, inner;
  MUST(MPI_Type_contiguous_c((MPI_Count)3 << 30, MPI_BYTE, &type));
  expect(true, type, true, "contiguous_c");
  MUST(MPI_Type_contiguous_c(30, f90[0], &inner));
  MUST(MPI_Type_contiguous_c(30, inner, &type));
  expect(true, outer(copy_of(type), type), true, "contiguous_c, nested");
  expect(true, inner, true, "contiguous_c of MPI_Type_create_f90_real");
  MUST(MPI_Type_vector_c(3, 1, 2, MPI_INT, &inner));
  MUST(MPI_Type_contiguous(2, inner, &type));
  expect(false, type, true, "contiguous of vector_c");
  MUST(MPI_Type_commit(&inner));
  int data[6] = {0};
  if (rank_in(MPI_COMM_WORLD) == 0)
    for (int i = 0; i < 6; i++)
      data[i] = i + 1;
  MUST(gbcast_bcast(data, 1, inner, 0, MPI_COMM_WORLD));
  CHECK(data[0] == 1 && data[2] == 3 && data[4] == 5, "vector_c: %d, %d, %d", data[0], data[2], data[4]);
  MUST(MPI_Type_free(&inner));
#endif
}

/* Rank r has its data as elements of r, dup or contiguous. */
static void collectives(MPI_Datatype of, int count) {
  const int size = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  const size_t block = (size_t)count * (size_t)size_in_bytes(of);
  MPI_Datatype made[2] = {copy_of(of), several(2, of)}, type = me % 3 == 0 ? of : made[me % 3 - 1];
  const MPI_Count n = me % 3 == 2 ? count / 2 : count;
  MUST(MPI_Type_commit(&made[0]));
  MUST(MPI_Type_commit(&made[1]));
  char *in = allocate(block * (size_t)size), *out = allocate(block * (size_t)size);
  for (int root = 0; root < size; root++) {
    fill(in, block, me == root ? 1 : 2);
    MUST(gbcast_bcast(in, n, type, root, MPI_COMM_WORLD));
    CHECK(differs(in, block, 1) == block, "bcast: wrong");
    for (int r = 0; r < size; r++)
      fill(in + block * (size_t)r, block, me == root ? (uint64_t)r : 99);
    MUST(gbcast_scatter(in, n, type, out, n, type, root, MPI_COMM_WORLD));
    CHECK(differs(out, block, (uint64_t)me) == block, "scatter: wrong");
    MPI_Count counts[64];
    MPI_Aint places[64];
    for (int r = 0; r < size; r++) {
      counts[r] = n;
      places[r] = r * (MPI_Aint)n;
    }
    memset(out, 0, block);
    MUST(gbcast_scatterv(in, counts, places, type, out, n, type, root, MPI_COMM_WORLD));
    CHECK(differs(out, block, (uint64_t)me) == block, "scatterv: wrong");
  }
  for (int r = 0; r < size; r++)
    fill(in + block * (size_t)r, block, 100 * (uint64_t)me + (uint64_t)r);
  MUST(gbcast_alltoall(in, n, type, out, n, type, MPI_COMM_WORLD));
  for (int r = 0; r < size; r++)
    CHECK(differs(out + block * (size_t)r, block, 100 * (uint64_t)r + (uint64_t)me) == block,
          "alltoall: wrong");
  free(in);
  free(out);
  MUST(MPI_Type_free(&made[0]));
  MUST(MPI_Type_free(&made[1]));
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Type_create_f90_real(15, 307, &f90[0]));
  MUST(MPI_Type_create_f90_complex(6, 37, &f90[1]));
  MUST(MPI_Type_create_f90_integer(9, &f90[2]));
  static const char *const name[F90] = {"MPI_Type_create_f90_real", "MPI_Type_create_f90_complex",
                                        "MPI_Type_create_f90_integer"};
  check_each(MPI_DOUBLE, "MPI_DOUBLE");
  check_each(MPI_2INT, "MPI_2INT");
  expect(false, MPI_DOUBLE_INT, false, "MPI_DOUBLE_INT");
  expect(false, several(3, MPI_DOUBLE_INT), true, "contiguous of MPI_DOUBLE_INT");
  for (int i = 0; i < F90; i++)
    check_each(f90[i], name[i]);
  check_large();
  uint64_t state = 99;
  const MPI_Datatype some[] = {MPI_BYTE, MPI_INT, MPI_DOUBLE_INT, f90[0], f90[1], f90[2]};
  for (int k = 0; k < 2000; k++)
    check_random(&state, &(leaves){some, sizeof some / sizeof *some});
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", "chain", "binomial", NULL));
  for (int i = 0; i < F90; i++) {
    collectives(f90[i], 2);
    collectives(f90[i], 20000);
  }
  MUST(MPI_Finalize());
  return 0;
}
