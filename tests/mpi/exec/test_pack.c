/* Elements that are too large for MPI_Pack(), which counts in int: random types, of which anything above a
 * few bytes counts as too large. By themselves, next to what MPI makes of them in one go; and in collectives,
 * where ranks describe the same bytes in different ways. */
#include "mpi/exec/types.h"
#include "tests/support/mpi/random_type.h"

static unsigned long by_message;
int MPI_Sendrecv(const void *from, int sends, MPI_Datatype send_type, int to, int send_tag, void *into,
                 int receives, MPI_Datatype receive_type, int of, int receive_tag, MPI_Comm comm,
                 MPI_Status *status) {
  by_message++;
  return PMPI_Sendrecv(from, sends, send_type, to, send_tag, into, receives, receive_type, of, receive_tag,
                       comm, status);
}

static MPI_Comm own; /* as the library has one */

static void check_pack(MPI_Datatype type, MPI_Count count, void *buffer, const field *f, const char *what) {
  const size_t bytes = (size_t)count * (size_t)size_in_bytes(type);
  char *expected = allocate(bytes), *packed = allocate(bytes + 1);
  fill(f->memory, f->bytes, 5);
  pack_field(f, count, type, expected, bytes);
  packed[bytes] = 0x3C;
  const unsigned long before = by_message;
  MUST(gb_pack(buffer, count, type, packed, bytes, own));
  CHECK((by_message > before) == ((size_t)size_in_bytes(type) > gb_pack_most),
        "%s: %lu messages for elements of %d bytes, at most %zu are packed", what, by_message - before,
        size_in_bytes(type), gb_pack_most);
  CHECK(memcmp(packed, expected, bytes) == 0, "%s: %zu packed bytes are not MPI's", what, bytes);
  CHECK(packed[bytes] == 0x3C, "%s: wrote behind %zu packed bytes", what, bytes);
  free(expected);
  free(packed);
}

/* `some` of the bytes, as when less was sent than there is room for. */
static void check_unpack(MPI_Datatype type, MPI_Count count, void *buffer, const field *f, size_t some,
                         const char *what) {
  const size_t bytes = (size_t)count * (size_t)size_in_bytes(type);
  char *packed = allocate(bytes);
  field expected = field_of(type, count);
  memset(packed, 0xA5, bytes); /* as what is in the fields before */
  fill(packed, some, 6);
  fill_field(&expected, count, type, packed, bytes);
  char *exact = allocate(some); /* for sanitizers to find who reads on */
  memcpy(exact, packed, some);
  memset(f->memory, 0xA5, f->bytes);
  MUST(gb_unpack(exact, some, buffer, count, type, own));
  CHECK(memcmp(f->memory, expected.memory, f->bytes) == 0, "%s: %zu of %zu bytes are not where MPI puts them",
        what, some, bytes);
  free(packed);
  free(exact);
  free(expected.memory);
}

static void check_alone(uint64_t *state, const leaves *l) {
  MPI_Datatype type = random_element(state, l, 3000), bottom;
  const MPI_Count count = 1 + (MPI_Count)xorshift(state, 4);
  const uint32_t bytes = (uint32_t)size_in_bytes(type) * (uint32_t)count;
  /* A part of a number is no data. */
  const uint32_t unit = l->count == 1 ? (uint32_t)size_in_bytes(l->type[0]) : bytes;
  const size_t some = (size_t)unit * (1 + xorshift(state, bytes / unit));
  const bool apart = is_apart(type, count);
  field f = field_of(type, count);
  MPI_Aint address;
  MUST(MPI_Get_address(f.at, &address));
  MUST(MPI_Type_create_hindexed(1, &(int){1}, &address, type, &bottom));
  MUST(MPI_Type_commit(&bottom));
  const size_t most[] = {1, 1 + xorshift(state, 64), 1 + xorshift(state, bytes), bytes, GB_MESSAGE_MAX};
  for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
    gb_pack_most = most[i];
    check_pack(type, count, f.at, &f, "pack");
    char *packed = allocate(bytes), *again = allocate(bytes);
    pack_field(&f, count, type, packed, bytes);
    if (apart) {
      check_unpack(type, count, f.at, &f, bytes, "unpack");
      check_unpack(type, count, f.at, &f, some, "unpack some");
    } else { /* only erroneous programs do that: one of the bytes wins */
      MUST(gb_unpack(packed, bytes, f.at, count, type, own));
    }
    fill(f.memory, f.bytes, 5);
    pack_field(&f, count, type, packed, bytes);
    MUST(gb_pack(MPI_BOTTOM, count, bottom, again, bytes, own));
    CHECK(memcmp(packed, again, bytes) == 0, "MPI_BOTTOM: %u packed bytes are not MPI's", (unsigned)bytes);
    memset(f.memory, 0xA5, f.bytes);
    MUST(gb_unpack(packed, bytes, MPI_BOTTOM, count, bottom, own));
    pack_field(&f, count, type, again, bytes);
    CHECK(!apart || memcmp(packed, again, bytes) == 0, "MPI_BOTTOM: %u bytes are not where they were",
          (unsigned)bytes);
    free(packed);
    free(again);
  }
  MUST(MPI_Type_free(&bottom));
  MUST(MPI_Type_free(&type));
  free(f.memory);
}

/* `count` elements of some type, or as many bytes: ranks of which `kind` says so have it the plain way. */
typedef struct side {
  MPI_Datatype type;
  MPI_Count count; /* of one block */
  size_t block;    /* bytes */
  field field;
} side;

static side side_of(MPI_Datatype type, MPI_Count count, int blocks, bool plain) {
  const size_t block = (size_t)count * (size_t)size_in_bytes(type);
  side s = {plain ? MPI_BYTE : type, plain ? (MPI_Count)block : count, block, {0}};
  s.field = field_of(s.type, s.count * blocks);
  return s;
}

/* Blocks of the pattern: block b is that of key(b). */
static char *pattern_blocks(size_t block, int blocks, uint64_t key, uint64_t step) {
  char *bytes = allocate(block * (size_t)blocks);
  for (int b = 0; b < blocks; b++)
    fill(bytes + block * (size_t)b, block, key + step * (uint64_t)b);
  return bytes;
}

static void put(const side *s, int blocks, uint64_t key, uint64_t step) {
  char *bytes = pattern_blocks(s->block, blocks, key, step);
  fill_field(&s->field, s->count * blocks, s->type, bytes, s->block * (size_t)blocks);
  free(bytes);
}

/* Also that nothing was written into the holes. */
static void expect(const side *s, int blocks, uint64_t key, uint64_t step, const char *what) {
  side other = *s;
  other.field = field_of(s->type, s->count * blocks);
  put(&other, blocks, key, step);
  CHECK(memcmp(other.field.memory, s->field.memory, s->field.bytes) == 0,
        "%s: %d blocks of %zu bytes are not as expected", what, blocks, s->block);
  free(other.field.memory);
}

static void broadcast(MPI_Datatype type, MPI_Count count, int root, bool plain) {
  side s = side_of(type, count, 1, plain);
  if (rank_in(MPI_COMM_WORLD) == root)
    put(&s, 1, 9, 0);
  MUST(gbcast_bcast(s.field.at, s.count, s.type, root, MPI_COMM_WORLD));
  expect(&s, 1, 9, 0, "bcast");
  free(s.field.memory);
}

static void scatter(MPI_Datatype type, MPI_Count count, int root, bool plain, bool uneven) {
  const int size = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  side from = side_of(type, count, size, !plain), to = side_of(type, count, 1, plain);
  MPI_Count *counts = allocate(sizeof *counts * (size_t)size);
  MPI_Aint *places = allocate(sizeof *places * (size_t)size);
  for (int r = 0; r < size; r++) {
    counts[r] = from.count;
    places[r] = r * (MPI_Aint)from.count;
  }
  put(&from, size, 20, 1);
  MUST(uneven ? gbcast_scatterv(from.field.at, counts, places, from.type, to.field.at, to.count, to.type,
                                root, MPI_COMM_WORLD)
              : gbcast_scatter(from.field.at, from.count, from.type, to.field.at, to.count, to.type, root,
                               MPI_COMM_WORLD));
  expect(&to, 1, 20 + (uint64_t)me, 0, uneven ? "scatterv" : "scatter");
  free(counts);
  free(places);
  free(from.field.memory);
  free(to.field.memory);
}

static void alltoall(MPI_Datatype type, MPI_Count count, bool plain) {
  const int size = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  side from = side_of(type, count, size, !plain), to = side_of(type, count, size, plain);
  put(&from, size, 100 * (uint64_t)me, 1);
  MUST(gbcast_alltoall(from.field.at, from.count, from.type, to.field.at, to.count, to.type, MPI_COMM_WORLD));
  expect(&to, size, (uint64_t)me, 100, "alltoall");
  free(from.field.memory);
  free(to.field.memory);
}

static void collectives(uint64_t *state, const leaves *bytes, int rounds) {
  const int size = size_of(MPI_COMM_WORLD);
  for (int k = 0; k < rounds; k++) {
    MPI_Datatype type = random_element(state, bytes, 3000);
    const MPI_Count count = 1 + (MPI_Count)xorshift(state, 3);
    const int root = (int)xorshift(state, (uint32_t)size);
    const bool plain = (rank_in(MPI_COMM_WORLD) + k) % 2 == 0;
    gb_pack_most = 1 + xorshift(state, 100);
    if (is_apart(type, count * size)) {
      broadcast(type, count, root, plain);
      scatter(type, count, root, plain, false);
      scatter(type, count, root, plain, true);
      alltoall(type, count, plain);
    }
    MUST(MPI_Type_free(&type));
  }
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &own));
  uint64_t state = 4711 + (uint64_t)rank_in(MPI_COMM_WORLD);
  enum { LEAVES = 5 };
  MPI_Datatype some[LEAVES] = {MPI_BYTE, MPI_INT, MPI_SHORT, MPI_DOUBLE};
  MUST(MPI_Type_create_f90_real(15, 307, &some[4]));
  for (int k = 0; k < 400; k++)
    check_alone(&state, &(leaves){some + k % 2, k % 3 < 2 ? 1 : (uint32_t)(LEAVES - k % 2)});
  state = 815; /* the same on all ranks */
  by_message = 0;
  static const char *const check[] = {"0", "1"};
  for (int i = 0; i < 2; i++) {
    const setting list[] = {{"gbcast_inter", "flat"},
                            {"gbcast_intra", "binomial"},
                            {"gbcast_sync", "sender-all"},
                            {"gbcast_check", check[i]}};
    MUST(set_up_with(MPI_COMM_WORLD, "grid-mixed.txt", list, sizeof list / sizeof *list));
    collectives(&state, &(leaves){some, 1}, 40);
  }
  CHECK(by_message > 40 || size_of(MPI_COMM_WORLD) == 1, "only %lu messages", by_message);
  MUST(MPI_Comm_free(&own));
  MUST(MPI_Finalize());
  return 0;
}
