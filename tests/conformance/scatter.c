/* Scatters. Ranks other than the root are given no arguments that mean anything for what is sent. */
#include "cases.h"

typedef struct scatter {
  const named_type *from, *to;
  MPI_Count sends, receives;
  bool in_place, bottom; /* MPI_IN_PLACE at the root; MPI_BOTTOM everywhere */
} scatter;

static void one(record *r, const place *at, const call_table *f, const scatter *s, int root) {
  const bool is_root = at->rank == root, stays = s->in_place && is_root;
  region send = region_new(s->from->type, 0, s->sends * (is_root ? at->size : 0), (uint64_t)at->rank);
  region receive = region_new(s->to->type, 0, s->receives, (uint64_t)at->rank + 100);
  MPI_Datatype from = is_root ? s->from->type : NO_TYPE, to = stays ? NO_TYPE : s->to->type;
  MPI_Count sends = is_root ? s->sends : NO_COUNT, receives = stays ? NO_COUNT : s->receives;
  void *source = is_root ? send.at : NO_BUFFER, *target = stays ? MPI_IN_PLACE : receive.at;
  MPI_Datatype made[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  if (s->bottom && is_root && sends > 0) {
    from = made[0] = region_absolute(&send, (int)s->sends, s->from->type);
    source = MPI_BOTTOM; /* block after block: one element's extent is that of its block */
    sends = 1;
  }
  if (s->bottom && !stays && receives > 0) {
    to = made[1] = region_absolute(&receive, (int)s->receives, s->to->type);
    target = MPI_BOTTOM;
    receives = 1;
  }
  int rc = f->scatter(source, sends, from, target, receives, to, root, at->comm);
  record_call(r, at, class_name(rc), &receive, &send, "scatter %s, %lld %s as %lld %s from %d%s%s", f->name,
              (long long)s->sends, s->from->name, (long long)s->receives, s->to->name, root,
              s->in_place ? ", in place" : "", s->bottom ? ", MPI_BOTTOM" : "");
  for (int i = 0; i < 2; i++)
    if (made[i] != MPI_DATATYPE_NULL)
      must(MPI_Type_free(&made[i]), "MPI_Type_free");
  region_free(&send);
  region_free(&receive);
}

static void of_family(record *r, const place *at, const call_table *f, const type_list *family, int units) {
  for (int i = 0; i < family->count; i += at->full ? 1 : 7)
    for (int root = 0; root < at->size; root++) {
      const named_type *from = &family->type[i],
                       *to = &family->type[(i + root + at->rank + 1) % family->count];
      scatter s = {.from = from, .to = to, .sends = units / from->units, .receives = units / to->units};
      s.in_place = (i + root) % 4 == 0;
      one(r, at, f, &s, root);
    }
}

/* Blocks that lie between each other: the columns of a matrix, which the root takes from its rows. */
static void of_columns(record *r, const place *at, const call_table *f) {
  enum { rows = 40 };
  MPI_Datatype column, next;
  must(MPI_Type_vector(rows, 1, at->size, MPI_INT, &column), "MPI_Type_vector");
  must(MPI_Type_create_resized(column, 0, sizeof(int), &next), "MPI_Type_create_resized");
  must(MPI_Type_commit(&next), "MPI_Type_commit");
  const named_type from = {"column", next, rows}, to = {"int", MPI_INT, 1};
  for (int root = 0; root < at->size; root++)
    one(r, at, f, &(scatter){.from = &from, .to = &to, .sends = 1, .receives = rows}, root);
  must(MPI_Type_free(&column), "MPI_Type_free");
  must(MPI_Type_free(&next), "MPI_Type_free");
}

static void of_sizes(record *r, const place *at, const call_table *f) {
  static const int size[] = {0, 1, 999, 20000, 70001};
  const named_type integer = {"int", MPI_INT, 1}, byte = {"byte", MPI_BYTE, 1};
  for (size_t i = 0; i < sizeof size / sizeof *size; i += at->full ? 1 : 3)
    for (int root = 0; root < at->size; root++)
      for (int way = 0; way < 3; way++) {
        scatter s = {&integer, &integer, size[i], size[i], way == 1, way == 2};
        one(r, at, f, &s, root);
      }
  one(r, at, f, &(scatter){.from = &byte, .to = &byte, .sends = 100000, .receives = 100000}, at->size / 2);
}

void scatter_cases(record *r, const place *at) {
  type_list named, ints, structs, empty;
  types_predefined(&named);
  types_ints(&ints);
  types_structs(&structs);
  types_empty(&empty);
  for (int n = 0; n < FORMS; n++) {
    const call_table *f = &form[n];
    for (int i = 0; i < named.count; i += at->full ? 1 : 13)
      for (int root = n; root < at->size; root += FORMS) {
        const named_type *t = &named.type[i];
        int count = (i + root) % 3 == 0 ? 1 : 9;
        one(r, at, f, &(scatter){.from = t, .to = t, .sends = count, .receives = count}, root);
      }
    of_family(r, at, f, &ints, FAMILY_UNITS);
    of_family(r, at, f, &ints, 30 * FAMILY_UNITS);
    of_family(r, at, f, &structs, 10 * FAMILY_UNITS);
    for (int i = 0; i < empty.count; i++) /* a count of 0 on one side only lets MPICH 4.0 lose step */
      one(r, at, f, &(scatter){.from = &empty.type[i], .to = &empty.type[1 - i], .sends = 5, .receives = 3},
          0);
    of_columns(r, at, f);
    of_sizes(r, at, f);
  }
  types_free(&ints);
  types_free(&structs);
  types_free(&empty);
}
