/* Broadcasts. */
#include "cases.h"

static void of_type(record *r, const place *at, const call_table *f, const named_type *t, MPI_Count count,
                    int root) {
  region data = region_new(t->type, 0, count, (uint64_t)at->rank);
  int rc = f->bcast(data.at, count, t->type, root, at->comm);
  record_call(r, at, class_name(rc), &data, NULL, "bcast %s, %lld %s from %d", f->name, (long long)count,
              t->name, root);
  region_free(&data);
}

/* Every rank has a type of its own for the same data. */
static void of_family(record *r, const place *at, const call_table *f, const type_list *family, int units) {
  for (int i = 0; i < family->count; i += at->full ? 1 : 7) {
    const named_type *mine = &family->type[(i + at->rank) % family->count];
    for (int root = 0; root < at->size; root++)
      of_type(r, at, f, mine, units / mine->units, root);
  }
}

static void of_bytes(record *r, const place *at, const call_table *f) {
  static const size_t size[] = {0, 1, 3, 1000, 4097, 65536, 300001, 1, 0};
  for (size_t i = 0; i < sizeof size / sizeof *size; i += at->full ? 1 : 4)
    for (int root = 0; root < at->size; root++) {
      region data = region_new(MPI_BYTE, 0, (MPI_Count)size[i], (uint64_t)at->rank);
      int rc = f->bytes(data.at, size[i], root, at->comm);
      record_call(r, at, class_name(rc), &data, NULL, "bcast %s, %zu bytes from %d", f->name, size[i], root);
      region_free(&data);
    }
}

/* Absolute addresses on every other rank; and no buffer for no data. */
static void of_bottom(record *r, const place *at, const call_table *f) {
  for (int root = 0; root < at->size; root++) {
    region data = region_new(MPI_INT, 0, 500, (uint64_t)at->rank);
    MPI_Datatype absolute = region_absolute(&data, 500, MPI_INT);
    int rc = (at->rank + root) % 2 == 0 ? f->bcast(MPI_BOTTOM, 1, absolute, root, at->comm)
                                        : f->bcast(data.at, 500, MPI_INT, root, at->comm);
    record_call(r, at, class_name(rc), &data, NULL, "bcast %s, MPI_BOTTOM, from %d", f->name, root);
    rc = f->bcast(NULL, 0, MPI_INT, root, at->comm);
    record_call(r, at, class_name(rc), NULL, NULL, "bcast %s, no buffer, from %d", f->name, root);
    must(MPI_Type_free(&absolute), "MPI_Type_free");
    region_free(&data);
  }
}

void bcast_cases(record *r, const place *at) {
  type_list named, ints, structs, empty;
  types_predefined(&named);
  types_ints(&ints);
  types_structs(&structs);
  types_empty(&empty);
  for (int n = 0; n < FORMS; n++) {
    const call_table *f = &form[n];
    for (int i = 0; i < named.count; i += at->full ? 1 : 13)
      for (int root = 0; root < at->size; root++)
        of_type(r, at, f, &named.type[i], (i + root) % 3 == 0 ? 1 : 17, root);
    of_type(r, at, f, &named.type[n], 0, at->size - 1);
    of_family(r, at, f, &ints, FAMILY_UNITS);
    of_family(r, at, f, &ints, 60 * FAMILY_UNITS);
    of_family(r, at, f, &structs, 20 * FAMILY_UNITS);
    for (int i = 0; i < empty.count; i++)
      of_type(r, at, f, &empty.type[i], 3 + at->rank, at->size - 1); /* as many nothings as one likes */
    of_bytes(r, at, f);
    of_bottom(r, at, f);
  }
  types_free(&ints);
  types_free(&structs);
  types_free(&empty);
}
