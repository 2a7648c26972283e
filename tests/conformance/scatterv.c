/* Scatters of blocks of different lengths. Only the root knows the lengths and places. */
#include "layout.h"
#include <stdlib.h>

static void one(record *r, const place *at, const call_table *f, enum layout layout, int units,
                const named_type *from, const named_type *to, int root, bool in_place) {
  const bool is_root = at->rank == root, stays = in_place && is_root;
  const int mine = units_of(layout, at->rank, units) / to->units, ranks = is_root ? at->size : 0;
  blocks b = blocks_new(layout, at->size, units, from);
  region send = is_root ? blocks_region(&b, from->type, (uint64_t)at->rank)
                        : region_new(from->type, 0, 0, (uint64_t)at->rank);
  region receive = region_new(to->type, 0, mine, (uint64_t)at->rank + 100);
  int rc =
      f->scatterv(is_root ? send.at : NO_BUFFER, ranks, is_root ? b.count : NULL, is_root ? b.begin : NULL,
                  is_root ? from->type : NO_TYPE, stays ? MPI_IN_PLACE : receive.at, stays ? NO_COUNT : mine,
                  stays ? NO_TYPE : to->type, root, at->comm);
  record_call(r, at, class_name(rc), &receive, &send, "scatterv %s, %s, %d units of %s as %s from %d%s",
              f->name, layout_name[layout], units, from->name, to->name, root, in_place ? ", in place" : "");
  region_free(&send);
  region_free(&receive);
  blocks_free(&b);
}

static void of_family(record *r, const place *at, const call_table *f, const type_list *family, int units) {
  for (int i = 0; i < family->count; i += at->full ? 1 : 7)
    for (int root = 0; root < at->size; root++)
      one(r, at, f, (enum layout)((i + root) % LAYOUTS), units, &family->type[i],
          &family->type[(i + root + at->rank + 1) % family->count], root, (i + root) % 4 == 0);
}

void scatterv_cases(record *r, const place *at) {
  static const int units[] = {1, 700, 30000};
  const named_type integer = {"int", MPI_INT, 1};
  type_list named, ints, structs;
  types_predefined(&named);
  types_ints(&ints);
  types_structs(&structs);
  for (int n = 0; n < FORMS; n++) {
    const call_table *f = &form[n];
    for (int i = 0; i < named.count; i += at->full ? 1 : 13)
      one(r, at, f, (enum layout)(i % LAYOUTS), 6, &named.type[i], &named.type[i], i % at->size, false);
    of_family(r, at, f, &ints, FAMILY_UNITS);
    of_family(r, at, f, &structs, 10 * FAMILY_UNITS);
    for (size_t i = !at->full; i < sizeof units / sizeof *units; i += at->full ? 1 : 2)
      for (int layout = 0; layout < LAYOUTS; layout++)
        for (int root = 0; root < at->size; root++)
          one(r, at, f, (enum layout)layout, units[i], &integer, &integer, root, (root + layout) % 2 == 0);
  }
  types_free(&ints);
  types_free(&structs);
}
