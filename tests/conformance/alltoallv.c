/* All-to-alls of blocks of different lengths. Within one site they are MPI's, so the preloaded library need
 * not take them. */
#include "layout.h"
#include <stdlib.h>

/* Units from one rank to another; in place as many both ways. */
static int units_between(enum layout layout, int from, int to, int units, bool in_place) {
  const bool off = layout == ALL_OFF || (layout == SOME_OFF && (from + to) % 2 == 0);
  return off ? 0 : units * ((in_place ? from + to : from + 2 * to) % 4);
}

static blocks blocks_at(const place *at, enum layout layout, int units, const named_type *t, bool sends,
                        bool in_place) {
  MPI_Count *count = allocate(sizeof *count * (size_t)at->size);
  for (int i = 0; i < at->size; i++)
    count[i] = (sends ? units_between(layout, at->rank, i, units, in_place)
                      : units_between(layout, i, at->rank, units, in_place)) /
               t->units;
  const blocks b = blocks_of(layout, at->size, count);
  free(count);
  return b;
}

static void one(record *r, const place *at, const call_table *f, enum layout layout, int units,
                const named_type *from, const named_type *to, bool in_place) {
  blocks out = blocks_at(at, layout, units, from, true, in_place),
         in = blocks_at(at, layout, units, to, false, in_place);
  region send = blocks_region(&out, from->type, (uint64_t)at->rank),
         receive = blocks_region(&in, to->type, (uint64_t)at->rank + 100);
  const int rc = f->alltoallv(in_place ? MPI_IN_PLACE : send.at, at->size, in_place ? NULL : out.count,
                              in_place ? NULL : out.begin, in_place ? NO_TYPE : from->type, receive.at,
                              in.count, in.begin, to->type, at->comm);
  place here = *at;
  here.taker = at->taker == OURS ? EITHER : at->taker;
  record_call(r, &here, class_name(rc), &receive, &send, "alltoallv %s, %s, %d units of %s as %s%s", f->name,
              layout_name[layout], units, from->name, to->name, in_place ? ", in place" : "");
  region_free(&send);
  region_free(&receive);
  blocks_free(&out);
  blocks_free(&in);
}

/* In place, all ranks have the same type: where its extent is another one, blocks would overlap. */
static void of_family(record *r, const place *at, const call_table *f, const type_list *family, int units) {
  for (int i = 0; i < family->count; i += at->full ? 1 : 7) {
    const named_type *from = &family->type[(i + at->rank) % family->count],
                     *to = &family->type[(i + 2 * at->rank + 1) % family->count];
    one(r, at, f, (enum layout)(i % LAYOUTS), units, from, to, false);
    one(r, at, f, (enum layout)(i % LAYOUTS), units, from, &family->type[i], true);
  }
}

void alltoallv_cases(record *r, const place *at) {
  const named_type integer = {"int", MPI_INT, 1};
  type_list ints, structs;
  types_ints(&ints);
  types_structs(&structs);
  for (int n = 0; n < FORMS; n++) {
    const call_table *f = &form[n];
    of_family(r, at, f, &ints, FAMILY_UNITS);
    of_family(r, at, f, &structs, 10 * FAMILY_UNITS);
    for (int layout = 0; layout < LAYOUTS; layout++)
      for (int units = 1; units < 30000; units = units * 170 + 1) {
        one(r, at, f, (enum layout)layout, units, &integer, &integer, false);
        one(r, at, f, (enum layout)layout, units, &integer, &integer, true);
      }
  }
  types_free(&ints);
  types_free(&structs);
}
