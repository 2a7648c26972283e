/* All-to-alls. */
#include "cases.h"

static void one(record *r, const place *at, const call_table *f, const named_type *from, MPI_Count sends,
                const named_type *to, MPI_Count receives, bool in_place) {
  region send = region_new(from->type, 0, sends * at->size, (uint64_t)at->rank);
  region receive = region_new(to->type, 0, receives * at->size, (uint64_t)at->rank + 100);
  int rc = f->alltoall(in_place ? MPI_IN_PLACE : send.at, in_place ? NO_COUNT : sends,
                       in_place ? NO_TYPE : from->type, receive.at, receives, to->type, at->comm);
  record_call(r, at, class_name(rc), &receive, &send, "alltoall %s, %lld %s as %lld %s%s", f->name,
              (long long)sends, from->name, (long long)receives, to->name, in_place ? ", in place" : "");
  region_free(&send);
  region_free(&receive);
}

/* Every rank has types of its own for the same data. In place there is only the one for what is received. */
static void of_family(record *r, const place *at, const call_table *f, const type_list *family, int units) {
  for (int i = 0; i < family->count; i += at->full ? 1 : 7)
    for (int in_place = 0; in_place < 2; in_place++) {
      const named_type *from = &family->type[(i + at->rank) % family->count],
                       *to = &family->type[(i + 2 * at->rank + 1) % family->count];
      one(r, at, f, from, units / from->units, to, units / to->units, in_place);
    }
}

static void of_sizes(record *r, const place *at, const call_table *f) {
  static const int size[] = {0, 1, 500, 20000};
  const named_type integer = {"int", MPI_INT, 1};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    for (int in_place = 0; in_place < 2; in_place++)
      one(r, at, f, &integer, size[i], &integer, size[i], in_place);
}

/* Absolute addresses on both sides of every other rank. */
static void of_bottom(record *r, const place *at, const call_table *f) {
  enum { count = 300 };
  region send = region_new(MPI_INT, 0, (MPI_Count)count * at->size, (uint64_t)at->rank);
  region receive = region_new(MPI_INT, 0, (MPI_Count)count * at->size, (uint64_t)at->rank + 100);
  MPI_Datatype from = region_absolute(&send, count, MPI_INT), to = region_absolute(&receive, count, MPI_INT);
  int rc = at->rank % 2 == 0 ? f->alltoall(MPI_BOTTOM, 1, from, MPI_BOTTOM, 1, to, at->comm)
                             : f->alltoall(send.at, count, MPI_INT, receive.at, count, MPI_INT, at->comm);
  record_call(r, at, class_name(rc), &receive, &send, "alltoall %s, MPI_BOTTOM", f->name);
  must(MPI_Type_free(&from), "MPI_Type_free");
  must(MPI_Type_free(&to), "MPI_Type_free");
  region_free(&send);
  region_free(&receive);
}

void alltoall_cases(record *r, const place *at) {
  type_list named, ints, structs, empty;
  types_predefined(&named);
  types_ints(&ints);
  types_structs(&structs);
  types_empty(&empty);
  for (int n = 0; n < FORMS; n++) {
    const call_table *f = &form[n];
    for (int i = 0; i < named.count; i += at->full ? 1 : 13)
      one(r, at, f, &named.type[i], 1 + i % 9, &named.type[i], 1 + i % 9, i % 4 == 1);
    of_family(r, at, f, &ints, FAMILY_UNITS);
    of_family(r, at, f, &ints, 30 * FAMILY_UNITS);
    of_family(r, at, f, &structs, 10 * FAMILY_UNITS);
    for (int i = 0; i < empty.count; i++)
      one(r, at, f, &empty.type[i], 4, &empty.type[1 - i], 7, false);
    of_sizes(r, at, f);
    of_bottom(r, at, f);
  }
  types_free(&ints);
  types_free(&structs);
  types_free(&empty);
}
