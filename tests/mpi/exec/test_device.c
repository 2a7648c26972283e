/* Buffers in the memory of a device, which only MPI can reach. Here that is a file mapped twice: at `device`,
 * where nothing may be read or written, and at `shadow`, where what stands for a device-aware MPI finds the
 * same bytes. A rank whose library looks at a user's buffer by itself, or at what it stages there, ends with
 * a segmentation fault. */
#include "mpi/comm/registry.h"
#include "mpi/exec/types.h"
#include "tests/support/mpi/check.h"
#include <sys/mman.h>

enum { ROOM = 8 << 20, STAGING = 2 * ROOM }; /* bytes: the test's buffers, and behind them the library's */
static char *device, *shadow;
static long reached;          /* device pointers that MPI was given */
static size_t staged, blocks; /* bytes that were taken since there was no block; blocks */
static long ever_staged;

static const void *behind(const void *p) {
  const char *at = p;
  if (at < device || at > device + ROOM + STAGING)
    return p;
  reached++;
  return shadow + (at - device);
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  return PMPI_Isend(behind(buf), count, type, to, tag, comm, request);
}

int MPI_Issend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
  return PMPI_Issend(behind(buf), count, type, to, tag, comm, request);
}

int MPI_Irecv(void *buf, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  return PMPI_Irecv((void *)(uintptr_t)behind(buf), count, type, from, tag, comm, request);
}

int MPI_Pack(const void *in, int count, MPI_Datatype type, void *out, int size, int *position,
             MPI_Comm comm) {
  return PMPI_Pack(behind(in), count, type, (void *)(uintptr_t)behind(out), size, position, comm);
}

int MPI_Unpack(const void *in, int size, int *position, void *out, int count, MPI_Datatype type,
               MPI_Comm comm) {
  return PMPI_Unpack(behind(in), size, position, (void *)(uintptr_t)behind(out), count, type, comm);
}

int MPI_Sendrecv(const void *from, int sends, MPI_Datatype send_type, int to, int send_tag, void *into,
                 int receives, MPI_Datatype receive_type, int of, int receive_tag, MPI_Comm comm,
                 MPI_Status *status) {
  return PMPI_Sendrecv(behind(from), sends, send_type, to, send_tag, (void *)(uintptr_t)behind(into),
                       receives, receive_type, of, receive_tag, comm, status);
}

static void map_device(void) {
  FILE *file = tmpfile();
  const size_t all = ROOM + STAGING;
  CHECK(file != NULL && ftruncate(fileno(file), (off_t)all) == 0, "no file of %zu bytes", all);
  device = mmap(NULL, all, PROT_NONE, MAP_SHARED, fileno(file), 0);
  shadow = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  CHECK(device != MAP_FAILED && shadow != MAP_FAILED, "no memory");
  fclose(file);
}

static void *stage(size_t bytes) {
  CHECK(staged + bytes <= STAGING, "%zu blocks and %zu bytes are staged", blocks, staged);
  char *block = device + ROOM + staged;
  staged += (bytes + 63) / 64 * 64;
  blocks++;
  ever_staged++;
  return block;
}

static void unstage(void *block) {
  CHECK((char *)block >= device + ROOM && blocks > 0, "a block that was not staged is given back");
  if (--blocks == 0)
    staged = 0;
}

static void set_up_on_device(const char *hosts, const setting *list, size_t count) {
  static const gb_staging staging = {stage, unstage};
  MUST(set_up_with(MPI_COMM_WORLD, hosts, list, count));
  gb_comm_known(MPI_COMM_WORLD)->wire.staging = &staging;
}

/* Elements of two bytes, one after the other or with a hole of two bytes behind each. */
typedef struct element {
  MPI_Datatype type;
  size_t extent;
} element;

static void check(const char *what, const char *at, size_t count, const element *e, uint64_t key,
                  size_t first) {
  for (size_t i = 0; i < count; i++)
    for (size_t b = 0; b < e->extent; b++) {
      unsigned char expected = b < 2 ? pattern(key, (first + i) * 4 + b) : 0xA5;
      CHECK((unsigned char)at[i * e->extent + b] == expected, "%s: byte %zu of element %zu is wrong", what, b,
            i);
    }
}

static void fill_elements(char *at, size_t count, const element *e, uint64_t key, size_t first) {
  for (size_t i = 0; i < count; i++)
    for (size_t b = 0; b < 2; b++)
      at[i * e->extent + b] = (char)pattern(key, (first + i) * 4 + b);
}

static void broadcast(size_t count, int root, const element *e) {
  memset(shadow, 0xA5, count * e->extent);
  if (rank_in(MPI_COMM_WORLD) == root)
    fill_elements(shadow, count, e, count, 0);
  MUST(gbcast_bcast(device, (MPI_Count)count, e->type, root, MPI_COMM_WORLD));
  check("broadcast", shadow, count, e, count, 0);
}

/* The receive buffers lie behind the send buffers. */
static void scatter(size_t count, int root, const element *e, bool uneven) {
  const size_t ranks = (size_t)size_of(MPI_COMM_WORLD), me = (size_t)rank_in(MPI_COMM_WORLD);
  MPI_Count counts[64];
  MPI_Aint place[64];
  size_t all = 0;
  for (size_t r = 0; r < ranks; all += (size_t)counts[r++]) {
    counts[r] = (MPI_Count)(uneven ? count * r / ranks : count);
    place[r] = (MPI_Aint)all;
  }
  char *in = shadow + ROOM / 2;
  memset(shadow, 0xA5, ROOM);
  if (me == (size_t)root)
    fill_elements(shadow, all, e, count, 0);
  char *to = device + (in - shadow);
  MUST(uneven ? gbcast_scatterv(device, counts, place, e->type, to, counts[me], e->type, root, MPI_COMM_WORLD)
              : gbcast_scatter(device, counts[me], e->type, to, counts[me], e->type, root, MPI_COMM_WORLD));
  check("scatter", in, (size_t)counts[me], e, count, (size_t)place[me]);
}

static void alltoall(size_t count, const element *e, bool in_place) {
  const size_t ranks = (size_t)size_of(MPI_COMM_WORLD), me = (size_t)rank_in(MPI_COMM_WORLD);
  char *in = shadow + ROOM / 2, *out = in_place ? in : shadow;
  memset(shadow, 0xA5, ROOM);
  for (size_t r = 0; r < ranks; r++)
    fill_elements(out + r * count * e->extent, count, e, me, r * count);
  MUST(gbcast_alltoall(in_place ? MPI_IN_PLACE : device, (MPI_Count)count, e->type, device + (in - shadow),
                       (MPI_Count)count, e->type, MPI_COMM_WORLD));
  for (size_t r = 0; r < ranks; r++)
    check("all-to-all", in + r * count * e->extent, count, e, r, me * count);
}

/* MPI's own collectives are not the subject: nothing stands behind them here. */
static void trees(const element *e) {
  static const size_t size[] = {1, 1000, 40000};
  static const char *const inter[] = {"flat", "chain", "packing"}, *const intra[] = {"flat", "chain",
                                                                                     "binomial"};
  for (int a = 0; a < 4; a++) {
    const setting list[] = {
        {"gbcast_inter", inter[a % 3]}, {"gbcast_intra", intra[a % 3]}, {"gbcast_check", a < 3 ? "0" : "1"}};
    set_up_on_device("mesh.txt", list, 3);
    for (int s = 0; s < 3; s++)
      for (int root = 0; root < size_of(MPI_COMM_WORLD); root++) {
        broadcast(size[s], root, e);
        scatter(size[s], root, e, false);
        scatter(size[s], root, e, true);
      }
  }
}

static void exchanges(const element *e) {
  static const char *const sync[] = {"at-once", "sender-all", "two-step:1", "two-step:2"};
  for (int a = 0; a < 4; a++) {
    const setting list[] = {{"gbcast_sync", sync[a]}};
    set_up_on_device("alltoall.txt", list, 1);
    for (size_t count = 1; count < 20000; count *= 100) {
      alltoall(count, e, false);
      alltoall(count, e, true);
    }
  }
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  map_device();
  element whole = {MPI_SHORT, 2}, holes = {MPI_DATATYPE_NULL, 4};
  MUST(MPI_Type_create_resized(MPI_SHORT, 0, 4, &holes.type));
  MUST(MPI_Type_commit(&holes.type));
  for (int kind = 0; kind < 2; kind++) {
    trees(kind == 0 ? &whole : &holes);
    exchanges(kind == 0 ? &whole : &holes);
  }
  CHECK(reached > 100, "MPI was given %ld pointers of the device", reached);
  CHECK(ever_staged > 100 && blocks == 0, "%ld blocks were staged, and %zu are left", ever_staged, blocks);
  gb_pack_most = 1; /* and each element by message, as if it were too large for MPI_Pack() */
  const setting list[] = {{"gbcast_inter", "flat"}, {"gbcast_intra", "chain"}, {"gbcast_sync", "at-once"}};
  set_up_on_device("mesh.txt", list, 3);
  broadcast(100, 1, &holes);
  scatter(100, 2, &holes, false);
  scatter(100, 0, &holes, true);
  alltoall(100, &holes, false);
  MUST(MPI_Type_free(&holes.type));
  MUST(MPI_Finalize());
  return 0;
}
