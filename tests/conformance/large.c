/* Past 2^31: elements, bytes, places, extents. Only bytes at the ends and around each GiB are written and
 * looked at, so that most of the memory is never touched. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "cases.h"
#include <string.h>
#include <sys/mman.h>

static const size_t gib = (size_t)1 << 30, needed = (size_t)6 << 30;
enum { around = 100 };

/* Fresh pages of zeros. */
static region map(size_t size) {
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  must(p != MAP_FAILED ? MPI_SUCCESS : MPI_ERR_NO_MEM, "mmap");
  return (region){p, size, p};
}

static void unmap(region *r) {
  munmap(r->memory, r->size);
}

/* Bytes around 0, each GiB and the end: filled, or put into `digest`. */
static void visit(region *r, uint64_t *digest) {
  for (size_t middle = 0; middle < r->size + gib; middle += gib) {
    const size_t centre = middle < r->size ? middle : r->size;
    for (size_t i = centre > around ? centre - around : 0; i < centre + around && i < r->size; i++) {
      if (digest == NULL)
        r->memory[i] = (unsigned char)(i * 2654435761u >> 24 | 1);
      else
        *digest = (*digest ^ r->memory[i]) * 0x100000001b3u;
    }
  }
}

static void tell(record *r, const place *at, const call_table *f, int rc, region *data, const char *what) {
  uint64_t digest = 0xcbf29ce484222325u;
  visit(data, &digest);
  record_call(r, at, class_name(rc), NULL, NULL, "%s %s, %016llx", what, f->name, (unsigned long long)digest);
}

/* More bytes than an int counts: as elements of a page, in both forms. */
static void many_bytes(record *r, const place *at, const call_table *f) {
  const size_t page = 4096, count = 2 * gib / page + 3;
  MPI_Datatype type;
  must(MPI_Type_contiguous((int)page, MPI_BYTE, &type), "contiguous");
  must(MPI_Type_commit(&type), "commit");
  region data = map(count * page);
  if (at->rank == 1)
    visit(&data, NULL);
  tell(r, at, f, f->bcast(data.at, (MPI_Count)count, type, 1, at->comm), &data, "bcast of pages");
  must(MPI_Type_free(&type), "free");
  unmap(&data);
}

/* One element of more bytes than an int counts, its halves in the other order; rank 1 has them as pages. */
static void large_element(record *r, const place *at) {
  const int page = 4096, half = 262147; /* pages */
  const MPI_Aint size = 2 * (MPI_Aint)half * page;
  MPI_Datatype pages, element;
  must(MPI_Type_contiguous(page, MPI_BYTE, &pages), "contiguous");
  must(MPI_Type_commit(&pages), "commit");
  must(MPI_Type_indexed(2, (int[]){half, half}, (int[]){half, 0}, pages, &element), "indexed");
  must(MPI_Type_commit(&element), "commit");
  for (int n = 0; n < 2; n++) {
    const call_table *f = &form[n == 0 ? INT_FORM : FORMS - 1];
    region data = map((size_t)size);
    const bool root = at->rank == 0;
    if (root)
      visit(&data, NULL);
    if (n == 0)
      tell(r, at, f, f->bcast(data.at, root ? 1 : 2 * half, root ? element : pages, 0, at->comm), &data,
           "bcast of one element");
    else
      tell(r, at, f,
           f->scatterv(root ? data.at : NULL, root ? 2 : 0, (MPI_Count[]){0, 1}, (MPI_Aint[]){0, 0}, element,
                       root ? NULL : data.at, root ? 0 : 2 * half, pages, 0, at->comm),
           &data, "scatterv of one element");
    unmap(&data);
  }
  must(MPI_Type_free(&element), "free");
  must(MPI_Type_free(&pages), "free");
}

/* One element with 3 GiB between its two ends, and as much between the blocks of a scatter. */
static void wide(record *r, const place *at, const call_table *f) {
  MPI_Datatype type;
  must(MPI_Type_create_hvector(2, 50, (MPI_Aint)(3 * gib), MPI_BYTE, &type), "hvector");
  must(MPI_Type_commit(&type), "commit");
  region data = map(3 * gib + 50), other = map(100);
  if (at->rank == 0)
    visit(&data, NULL);
  tell(r, at, f, f->bcast(data.at, 1, type, 0, at->comm), &data, "bcast, wide");
  memset(data.memory, at->rank, 50);
  int rc = at->rank == 0 ? f->bcast(data.at, 1, type, 0, at->comm)
                         : f->bcast(other.at, 100, MPI_BYTE, 0, at->comm);
  tell(r, at, f, rc, at->rank == 0 ? &data : &other, "bcast, wide at the root");
  must(MPI_Type_free(&type), "free");
  unmap(&data);
  must(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)(3 * gib), &type), "resized");
  must(MPI_Type_commit(&type), "commit");
  data = map(6 * gib);
  visit(&data, NULL);
  rc = f->scatter(data.at, 1, type, other.at, 1, MPI_INT, 0, at->comm);
  tell(r, at, f, rc, &other, "scatter, wide");
  rc = f->scatterv(data.at, 2, (MPI_Count[]){1, 1}, (MPI_Aint[]){1, 0}, type, other.at, 1, MPI_INT, 0,
                   at->comm);
  tell(r, at, f, rc, &other, "scatterv, wide");
  rc = f->alltoall(data.at, 1, type, other.at, 1, MPI_INT, at->comm);
  tell(r, at, f, rc, &other, "alltoall, wide");
  must(MPI_Type_free(&type), "free");
  unmap(&data);
  unmap(&other);
}

#if MPI_VERSION >= 4
/* Counts and places that an int does not hold. Blocks of so many bytes are in tests/mpi/api/test_huge.c. */
static void large_counts(record *r, const place *at, const call_table *f) {
  MPI_Datatype nothing;
  region data = map(2 * gib + 17), other = map(100);
  if (at->rank == 0)
    visit(&data, NULL);
  tell(r, at, f, f->bcast(data.at, (MPI_Count)data.size, MPI_BYTE, 0, at->comm), &data, "bcast");
  unmap(&data);
  must(MPI_Type_contiguous(0, MPI_INT, &nothing), "contiguous");
  must(MPI_Type_commit(&nothing), "commit");
  const MPI_Count many = (MPI_Count)5 << 30;
  tell(r, at, f, f->bcast(other.at, many, nothing, 0, at->comm), &other, "bcast of nothing");
  tell(r, at, f, f->scatter(other.at, many, nothing, other.memory + 50, many, nothing, 0, at->comm), &other,
       "scatter of nothing");
  tell(r, at, f, f->alltoall(other.at, many, nothing, other.memory + 50, 1, nothing, at->comm), &other,
       "alltoall of nothing");
  must(MPI_Type_free(&nothing), "free");
  data = map(3 * gib);
  if (at->rank == 0)
    visit(&data, NULL);
  int rc = f->scatterv(data.at, 2, (MPI_Count[]){30, 40}, (MPI_Aint[]){0, (MPI_Aint)(2 * gib + 1)}, MPI_BYTE,
                       other.at, at->rank == 0 ? 30 : 40, MPI_BYTE, 0, at->comm);
  tell(r, at, f, rc, &other, "scatterv, far");
  unmap(&data);
  unmap(&other);
}
#endif

/* What Linux says is free, in bytes; 0 when it does not say. */
static size_t available(void) {
  FILE *in = fopen("/proc/meminfo", "r");
  char line[128];
  unsigned long long kib = 0;
  while (in != NULL && fgets(line, sizeof line, in) != NULL && sscanf(line, "MemAvailable: %llu", &kib) != 1)
    continue;
  if (in != NULL)
    fclose(in);
  return (size_t)kib << 10;
}

bool large_cases(record *r) {
  place at = {.name = "large", .comm = MPI_COMM_WORLD, .taker = OURS};
  int enough = available() >= needed, all = 0;
  must(MPI_Comm_rank(at.comm, &at.rank), "rank");
  must(PMPI_Allreduce(&enough, &all, 1, MPI_INT, MPI_MIN, at.comm), "allreduce");
  if (!all && at.rank == 0)
    fprintf(stderr, "skipped: %zu MiB of memory are free, and %zu are needed\n", available() >> 20,
            needed >> 20);
  if (!all)
    return false;
  many_bytes(r, &at, &form[INT_FORM]);
  large_element(r, &at);
  for (int n = 0; n < FORMS; n++)
    wide(r, &at, &form[n]);
#if MPI_VERSION >= 4
  large_counts(r, &at, &form[LARGE_FORM]);
#endif
  return true;
}
