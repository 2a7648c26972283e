/* Gathers, of blocks of one length and of different ones. Ranks other than the root are given no arguments
 * that mean anything for what is received. */
#include "layout.h"

typedef struct gather {
  const named_type *from, *to;
  MPI_Count sends, receives;
  bool in_place; /* MPI_IN_PLACE at the root */
} gather;

static void one(record *r, const place *at, const call_table *f, const gather *g, int root) {
  const bool is_root = at->rank == root, stays = g->in_place && is_root;
  region send = region_new(g->from->type, 0, g->sends, (uint64_t)at->rank);
  region receive = region_new(g->to->type, 0, is_root ? g->receives * at->size : 0, (uint64_t)at->rank + 100);
  const int rc = f->gather(stays ? MPI_IN_PLACE : send.at, stays ? NO_COUNT : g->sends,
                           stays ? NO_TYPE : g->from->type, is_root ? receive.at : NO_BUFFER,
                           is_root ? g->receives : NO_COUNT, is_root ? g->to->type : NO_TYPE, root, at->comm);
  record_call(r, at, class_name(rc), &receive, &send, "gather %s, %lld %s as %lld %s to %d%s", f->name,
              (long long)g->sends, g->from->name, (long long)g->receives, g->to->name, root,
              g->in_place ? ", in place" : "");
  region_free(&send);
  region_free(&receive);
}

static void uneven(record *r, const place *at, const call_table *f, enum layout layout, int units,
                   const named_type *from, const named_type *to, int root, bool in_place) {
  const bool is_root = at->rank == root, stays = in_place && is_root;
  const int mine = units_of(layout, at->rank, units) / from->units;
  blocks b = blocks_new(layout, at->size, units, to);
  region send = region_new(from->type, 0, mine, (uint64_t)at->rank);
  region receive = is_root ? blocks_region(&b, to->type, (uint64_t)at->rank + 100)
                           : region_new(to->type, 0, 0, (uint64_t)at->rank + 100);
  const int rc =
      f->gatherv(stays ? MPI_IN_PLACE : send.at, stays ? NO_COUNT : mine, stays ? NO_TYPE : from->type,
                 is_root ? receive.at : NO_BUFFER, is_root ? at->size : 0, is_root ? b.count : NULL,
                 is_root ? b.begin : NULL, is_root ? to->type : NO_TYPE, root, at->comm);
  record_call(r, at, class_name(rc), &receive, &send, "gatherv %s, %s, %d units of %s as %s to %d%s", f->name,
              layout_name[layout], units, from->name, to->name, root, in_place ? ", in place" : "");
  region_free(&send);
  region_free(&receive);
  blocks_free(&b);
}

/* Every rank has a type of its own for the same data. */
static void of_family(record *r, const place *at, const call_table *f, const type_list *family, int units) {
  for (int i = 0; i < family->count; i += at->full ? 1 : 7)
    for (int root = 0; root < at->size; root++) {
      const named_type *from = &family->type[(i + at->rank) % family->count], *to = &family->type[i];
      one(r, at, f, &(gather){from, to, units / from->units, units / to->units, (i + root) % 4 == 0}, root);
      uneven(r, at, f, (enum layout)((i + root) % LAYOUTS), units, from, to, root, (i + root) % 4 == 1);
    }
}

static void of_sizes(record *r, const place *at, const call_table *f) {
  static const int size[] = {0, 1, 999, 20000};
  const named_type integer = {"int", MPI_INT, 1};
  for (size_t i = 0; i < sizeof size / sizeof *size; i += at->full ? 1 : 3)
    for (int root = 0; root < at->size; root++)
      for (int in_place = 0; in_place < 2; in_place++)
        one(r, at, f, &(gather){&integer, &integer, size[i], size[i], in_place}, root);
  for (int layout = 0; layout < LAYOUTS; layout++)
    for (int units = 1; units < 30000; units = units * 170 + 1)
      uneven(r, at, f, (enum layout)layout, units, &integer, &integer, layout % at->size, layout % 2 == 1);
}

void gather_cases(record *r, const place *at) {
  type_list named, ints, structs;
  types_predefined(&named);
  types_ints(&ints);
  types_structs(&structs);
  for (int n = 0; n < FORMS; n++) {
    const call_table *f = &form[n];
    for (int i = 0; i < named.count; i += at->full ? 1 : 13)
      one(r, at, f, &(gather){&named.type[i], &named.type[i], 1 + i % 9, 1 + i % 9, false}, i % at->size);
    of_family(r, at, f, &ints, FAMILY_UNITS);
    of_family(r, at, f, &structs, 10 * FAMILY_UNITS);
    of_sizes(r, at, f);
  }
  types_free(&ints);
  types_free(&structs);
}
