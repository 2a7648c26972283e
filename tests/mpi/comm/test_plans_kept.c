/* The plans that a communicator keeps: each is made once, however many there are, until they take too much
 * memory; then those go that were not used for longest, the same ones on every rank. */
#include "mpi/comm/comm.h"
#include "tests/support/mpi/calls.h"

enum { PLANS = 300, BEYOND = 20 };

static gb_comm *known(void) {
  gb_comm *c = gb_comm_known(MPI_COMM_WORLD);
  CHECK(c != NULL, "not known");
  return c;
}

/* Call number i, each of a plan of its own: roots, operations and size classes (gb_size_class) in turn. */
static one_call nth(int i) {
  const int size = size_of(MPI_COMM_WORLD), class = i / size / 2;
  one_call x = {.call = i / size % 2 == 0 ? BCAST : SCATTER, .root = i % size};
  x.bytes = class < 15 ? (size_t) class + 1 : (size_t)(8 + (class - 15) % 8) << ((class - 15) / 8 + 1);
  return x;
}

/* Its plan, which is the newest then. */
static const gb_rank_schedule *run(int i) {
  one_call x = nth(i);
  prepare_call(&x, MPI_COMM_WORLD);
  MUST(make_call(&x, MPI_COMM_WORLD));
  CHECK(call_is_right(&x, MPI_COMM_WORLD), "%s of %zu bytes from root %d", call_name[x.call], x.bytes,
        x.root);
  end_call(&x);
  const gb_rank_schedule *schedule = known()->cache.newest;
  CHECK(schedule->used_before, "call %d: ranks would compare again", i);
  CHECK(schedule->root == x.root && schedule->operation == (x.call == BCAST ? GBCAST_BCAST : GBCAST_SCATTER),
        "call %d: the plan of another one is the newest", i);
  return schedule;
}

/* Whether the plan of call i is there; its use is not changed. */
static bool is_kept(int i) {
  const one_call x = nth(i);
  for (const gb_rank_schedule *schedule = known()->cache.newest; schedule != NULL; schedule = schedule->older)
    if (schedule->root == x.root && schedule->class_bytes == x.bytes &&
        schedule->operation == (x.call == BCAST ? GBCAST_BCAST : GBCAST_SCATTER))
      return true;
  return false;
}

/* All ranks have the same plans, in the same order. */
static void check_same(void) {
  const gb_cache *cache = &known()->cache;
  unsigned long long mine = cache->count, least, most;
  size_t count = 0;
  for (const gb_rank_schedule *schedule = cache->newest; schedule != NULL;
       schedule = schedule->older, count++)
    mine = mine * 1099511628211u ^ schedule->hash;
  CHECK(count == cache->count, "%zu plans, where %zu are counted", count, cache->count);
  MUST(MPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, MPI_COMM_WORLD));
  MUST(MPI_Allreduce(&mine, &most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD));
  CHECK(least == most, "ranks keep different plans");
}

static void check_once(void) {
  static const gb_rank_schedule *first[PLANS];
  for (int i = 0; i < PLANS; i++)
    first[i] = run(i);
  CHECK(known()->cache.count == PLANS, "%zu plans instead of %d", known()->cache.count, PLANS);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < PLANS; i++)
      CHECK(run(i) == first[i], "the plan of call %d has been made again", i);
  CHECK(known()->cache.count == PLANS, "%zu plans in the end", known()->cache.count);
  check_same();
}

/* As if plans were so large that one more is too much: the oldest goes, but for what has been used again. */
static void check_full(void) {
  gb_cache *cache = &known()->cache;
  for (int i = 0; i < PLANS; i += 2) /* so that the others are older */
    (void)run(i);
  cache->bytes = GB_CACHE_BYTES;
  for (int i = PLANS; i < PLANS + BEYOND; i++) {
    (void)run(i);
    CHECK(cache->bytes <= GB_CACHE_BYTES, "%llu bytes are kept", (unsigned long long)cache->bytes);
  }
  CHECK(cache->count < PLANS + BEYOND && !is_kept(1), "none of %zu plans has gone", cache->count);
  for (int i = 0; i < PLANS; i += 2)
    CHECK(is_kept(i), "the plan of call %d, used again, has gone before older ones", i);
  bool gone = true;
  for (int i = 1; i < PLANS; i += 2) {
    const bool here = is_kept(i);
    CHECK(gone || here, "the plan of call %d has gone before that of call %d", i, i - 2);
    gone = !here;
  }
  check_same();
}

/* However large they are. */
static void check_least(void) {
  gb_cache *cache = &known()->cache;
  cache->bytes = 2 * (uint64_t)GB_CACHE_BYTES;
  (void)run(PLANS + BEYOND);
  CHECK(cache->count == GB_CACHE_LEAST, "%zu plans stay, not %d", cache->count, GB_CACHE_LEAST);
  for (int i = 0; i < BEYOND; i++)
    CHECK(is_kept(PLANS + i), "one of the newest plans has gone");
  for (int i = PLANS - 2; i > PLANS - 2 * (GB_CACHE_LEAST - BEYOND - 1); i -= 2)
    CHECK(is_kept(i), "the plan of call %d has gone", i);
  for (int i = 0; i < PLANS; i++) { /* made anew, each in another's place */
    (void)run(i);
    CHECK(cache->count == GB_CACHE_LEAST, "%zu plans are kept, not %d", cache->count, GB_CACHE_LEAST);
  }
  check_same();
}

int main(int argc, char **argv) {
  static const setting forced[] = {{"gbcast_intra", "binomial"}, {"gbcast_segment", "4k"}};
  MUST(MPI_Init(&argc, &argv));
  MUST(set_up_with(MPI_COMM_WORLD, "grid-flat.txt", forced, sizeof forced / sizeof *forced));
  check_once();
  check_full();
  check_least();
  MUST(gbcast_refresh(MPI_COMM_WORLD)); /* which forgets all of them */
  (void)run(0);
  CHECK(known()->cache.count == 1, "%zu plans after gbcast_refresh()", known()->cache.count);
  MUST(MPI_Finalize());
  return 0;
}
