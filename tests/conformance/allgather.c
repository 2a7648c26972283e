/* Allgathers, of blocks of one length and of different ones. */
#include "layout.h"

static void one(record *r, const place *at, const call_table *f, const named_type *from, MPI_Count sends,
                const named_type *to, MPI_Count receives, bool in_place) {
  region send = region_new(from->type, 0, sends, (uint64_t)at->rank);
  region receive = region_new(to->type, 0, receives * at->size, (uint64_t)at->rank + 100);
  const int rc = f->allgather(in_place ? MPI_IN_PLACE : send.at, in_place ? NO_COUNT : sends,
                              in_place ? NO_TYPE : from->type, receive.at, receives, to->type, at->comm);
  record_call(r, at, class_name(rc), &receive, &send, "allgather %s, %lld %s as %lld %s%s", f->name,
              (long long)sends, from->name, (long long)receives, to->name, in_place ? ", in place" : "");
  region_free(&send);
  region_free(&receive);
}

/* MPI_IN_PLACE: on all ranks, which have one type then. */
static void uneven(record *r, const place *at, const call_table *f, enum layout layout, int units,
                   const named_type *from, const named_type *to, bool in_place) {
  if (at->size == 1 && layout == AROUND) /* MPICH 4.0 takes no notice of the displacement there */
    layout = PACKED;
  const int mine = units_of(layout, at->rank, units) / from->units;
  blocks b = blocks_new(layout, at->size, units, to);
  region send = region_new(from->type, 0, mine, (uint64_t)at->rank);
  region receive = blocks_region(&b, to->type, (uint64_t)at->rank + 100);
  const int rc = f->allgatherv(in_place ? MPI_IN_PLACE : send.at, in_place ? NO_COUNT : mine,
                               in_place ? NO_TYPE : from->type, receive.at, at->size, b.count, b.begin,
                               to->type, at->comm);
  record_call(r, at, class_name(rc), &receive, &send, "allgatherv %s, %s, %d units of %s as %s%s", f->name,
              layout_name[layout], units, from->name, to->name, in_place ? ", in place" : "");
  region_free(&send);
  region_free(&receive);
  blocks_free(&b);
}

static void of_family(record *r, const place *at, const call_table *f, const type_list *family, int units) {
  for (int i = 0; i < family->count; i += at->full ? 1 : 7)
    for (int in_place = 0; in_place < 2; in_place++) {
      const named_type *from = &family->type[(i + at->rank) % family->count],
                       *to = &family->type[(i + 2 * at->rank + 1) % family->count];
      one(r, at, f, from, units / from->units, to, units / to->units, in_place);
      uneven(r, at, f, (enum layout)(i % LAYOUTS), units, from, to, in_place);
    }
}

static void of_sizes(record *r, const place *at, const call_table *f) {
  static const int size[] = {0, 1, 500, 20000};
  const named_type integer = {"int", MPI_INT, 1};
  for (int in_place = 0; in_place < 2; in_place++) {
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
      one(r, at, f, &integer, size[i], &integer, size[i], in_place);
    for (int layout = 0; layout < LAYOUTS; layout++)
      for (int units = 1; units < 30000; units = units * 170 + 1)
        uneven(r, at, f, (enum layout)layout, units, &integer, &integer, in_place);
  }
}

void allgather_cases(record *r, const place *at) {
  type_list named, ints, structs;
  types_predefined(&named);
  types_ints(&ints);
  types_structs(&structs);
  for (int n = 0; n < FORMS; n++) {
    const call_table *f = &form[n];
    for (int i = 0; i < named.count; i += at->full ? 1 : 13)
      one(r, at, f, &named.type[i], 1 + i % 9, &named.type[i], 1 + i % 9, i % 4 == 1);
    of_family(r, at, f, &ints, FAMILY_UNITS);
    of_family(r, at, f, &structs, 10 * FAMILY_UNITS);
    of_sizes(r, at, f);
  }
  types_free(&ints);
  types_free(&structs);
}
