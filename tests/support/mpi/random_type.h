/* Types of random shape, by every constructor that MPI has, one inside the other. */
#ifndef GB_TESTS_SUPPORT_MPI_RANDOM_TYPE_H
#define GB_TESTS_SUPPORT_MPI_RANDOM_TYPE_H

#include "tests/support/mpi/check.h"
#include "tests/support/xorshift.h"

typedef struct leaves {
  const MPI_Datatype *type; /* predefined */
  uint32_t count;
} leaves;

/* Where the data of elements lie, told from the buffer's address, in bytes. */
typedef struct span {
  MPI_Aint low, high;
} span;

static inline span span_of(MPI_Datatype type, MPI_Count count) {
  MPI_Count lower, extent, low, width;
  MUST(MPI_Type_get_extent_x(type, &lower, &extent));
  MUST(MPI_Type_get_true_extent_x(type, &low, &width));
  const MPI_Count last = count > 0 ? (count - 1) * extent : 0;
  return (span){(MPI_Aint)(low + (last < 0 ? last : 0)), (MPI_Aint)(low + width + (last > 0 ? last : 0))};
}

static inline MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Count lower, extent;
  MUST(MPI_Type_get_extent_x(type, &lower, &extent));
  return (MPI_Aint)extent;
}

static inline int size_in_bytes(MPI_Datatype type) {
  MPI_Count size;
  MUST(MPI_Type_size_x(type, &size));
  return (int)size;
}

enum { PARTS = 3, ROOM_BESIDE = 1 << 14 };

/* A few blocks that lie one behind the other, in a random order, with holes here and there. */
typedef struct parts {
  MPI_Datatype type[PARTS];
  int length[PARTS];
  MPI_Aint place[PARTS];
} parts;

static inline void random_places(uint64_t *state, parts *p) {
  MPI_Aint at = (MPI_Aint)xorshift(state, 40) - 20;
  const uint32_t turn = xorshift(state, PARTS), step = 1 + xorshift(state, 2); /* PARTS is a prime */
  for (uint32_t i = 0; i < PARTS; i++) {
    const uint32_t k = (turn + i * step) % PARTS;
    const span s = span_of(p->type[k], p->length[k]);
    p->place[k] = at - s.low;
    at += s.high - s.low + (MPI_Aint)xorshift(state, 9);
  }
}

/* The same for places that are counted in elements, far enough from each other. */
static inline void random_slots(uint64_t *state, int length, int slot[PARTS]) {
  const uint32_t turn = xorshift(state, PARTS), step = 1 + xorshift(state, 2);
  const int gap = length + (int)xorshift(state, 2);
  for (uint32_t i = 0; i < PARTS; i++)
    slot[i] = (int)((turn + i * step) % PARTS) * gap - (int)(turn % 2);
}

/* Parts of arrays, of elements that lie as in an array. */
static inline MPI_Datatype random_array(uint64_t *state, MPI_Datatype inner) {
  const int order = xorshift(state, 2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  MPI_Datatype out;
  if (xorshift(state, 2) == 0) {
    const int first[2] = {(int)xorshift(state, 3), (int)xorshift(state, 2)};
    MUST(MPI_Type_create_subarray(2, (int[]){4, 3}, (int[]){2, 2}, first, order, inner, &out));
  } else {
    MUST(MPI_Type_create_darray(
        4, (int)xorshift(state, 4), 2, (int[]){4, 6}, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
        (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2}, order, inner, &out));
  }
  return out;
}

static inline void free_part(MPI_Datatype type, const leaves *l) {
  for (uint32_t i = 0; i < l->count; i++)
    if (type == l->type[i])
      return;
  MUST(MPI_Type_free(&type));
}

// NOLINTNEXTLINE(misc-no-recursion)
static inline MPI_Datatype random_type(uint64_t *state, const leaves *l, int depth) {
  if (depth == 0)
    return l->type[xorshift(state, l->count)];
  parts p = {{MPI_DATATYPE_NULL}, {0}, {0}};
  const uint32_t how = xorshift(state, 12);
  for (int i = 0; i < PARTS; i++) {
    p.type[i] = i == 0 || how == 0 ? random_type(state, l, depth - 1) : p.type[0];
    p.length[i] = i == 0 ? 1 + (int)xorshift(state, 3) : (int)xorshift(state, 3);
  }
  const MPI_Datatype inner = p.type[0];
  const int length = p.length[0], count = 1 + (int)xorshift(state, 3),
            sign = xorshift(state, 3) == 0 ? -1 : 1;
  const span one = span_of(inner, 1), block = span_of(inner, length);
  const MPI_Aint hole = (MPI_Aint)xorshift(state, 7), far = block.high - block.low + hole;
  int slot[PARTS];
  MPI_Datatype out;
  random_places(state, &p);
  random_slots(state, length > 2 ? length : 2, slot);
  switch (how) {
  case 0:
    MUST(MPI_Type_create_struct(PARTS, p.length, p.place, p.type, &out));
    break;
  case 1:
    MUST(MPI_Type_dup(inner, &out));
    break;
  case 2:
    MUST(MPI_Type_contiguous(length, inner, &out));
    break;
  case 3:
    MUST(MPI_Type_vector(count, length, sign * (length + (int)hole % 3), inner, &out));
    break;
  case 4:
    MUST(MPI_Type_create_hvector(count, length, sign * far, inner, &out));
    break;
  case 5:
    MUST(MPI_Type_indexed(PARTS, p.length, slot, inner, &out));
    break;
  case 6:
    MUST(MPI_Type_create_hindexed(PARTS, p.length, p.place, inner, &out));
    break;
  case 7:
    MUST(MPI_Type_create_indexed_block(PARTS, length, slot, inner, &out));
    break;
  case 8:
    for (int i = 0; i < PARTS; i++)
      p.place[i] = slot[i] * far;
    MUST(MPI_Type_create_hindexed_block(PARTS, length, p.place, inner, &out));
    break;
  case 9:
    MUST(MPI_Type_create_resized(inner, one.low - hole, one.high - one.low + hole, &out));
    break;
  default:
    if (one.low >= 0 && extent_of(inner) >= one.high)
      out = random_array(state, inner);
    else
      MUST(MPI_Type_create_resized(inner, 0, one.high > 0 ? one.high : 1, &out));
    break;
  }
  for (int i = 0; i < (how == 0 ? PARTS : 1); i++)
    free_part(p.type[i], l);
  return out;
}

/* So that elements follow each other backwards. Not inside of others: MPICH 4.0 then takes several of them
 * for other bytes than one after the other. */
static inline MPI_Datatype backwards(MPI_Datatype type, const leaves *l) {
  const span s = span_of(type, 1);
  MPI_Datatype out;
  MUST(MPI_Type_create_resized(type, s.high, s.low - s.high, &out));
  free_part(type, l);
  return out;
}

/* Of 1 to `most` bytes, committed; to be freed. */
static inline MPI_Datatype random_element(uint64_t *state, const leaves *l, int most) {
  for (;;) {
    MPI_Datatype type = random_type(state, l, 1 + (int)xorshift(state, 4));
    if (xorshift(state, 6) == 0)
      type = backwards(type, l);
    const span s = span_of(type, 1);
    const int size = size_in_bytes(type);
    if (size > 0 && size <= most && s.high - s.low < 1 << 16 && labs(extent_of(type)) < 1 << 16) {
      MUST(MPI_Type_commit(&type));
      return type;
    }
    MUST(MPI_Type_free(&type));
  }
}

/* Memory for elements of a type, and as much room before and behind them. */
typedef struct field {
  char *memory, *at; /* at: the buffer's address */
  size_t bytes, room;
} field;

static inline field field_of(MPI_Datatype type, MPI_Count count) {
  const span s = span_of(type, count);
  field f = {.room = ROOM_BESIDE};
  f.bytes = (size_t)(s.high - s.low) + 2 * f.room;
  f.memory = allocate(f.bytes);
  f.at = f.memory + f.room - s.low;
  memset(f.memory, 0xA5, f.bytes);
  return f;
}

/* What MPI makes of packed bytes. */
static inline void fill_field(const field *f, MPI_Count count, MPI_Datatype type, const char *packed,
                              size_t bytes) {
  int position = 0;
  MUST(PMPI_Unpack(packed, (int)bytes, &position, f->at, (int)count, type, MPI_COMM_WORLD));
}

static inline void pack_field(const field *f, MPI_Count count, MPI_Datatype type, char *packed,
                              size_t bytes) {
  int position = 0;
  MUST(PMPI_Pack(f->at, (int)count, type, packed, (int)bytes, &position, MPI_COMM_WORLD));
}

/* Whether no byte of the elements lies where another does, as it must be where data are received. */
static inline bool is_apart(MPI_Datatype type, MPI_Count count) {
  const size_t bytes = (size_t)count * (size_t)size_in_bytes(type);
  char *in = allocate(bytes), *out = allocate(bytes);
  field f = field_of(type, count);
  fill(in, bytes, 77);
  fill_field(&f, count, type, in, bytes);
  pack_field(&f, count, type, out, bytes);
  const bool apart = differs(out, bytes, 77) == bytes;
  free(in);
  free(out);
  free(f.memory);
  return apart;
}

#endif
