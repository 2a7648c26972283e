/* Random programs of blocking, non-blocking and persistent calls on several communicators, which end in
 * random order. All ranks draw the same programs. Where nothing can be MPI's own collective, which lets no
 * other call get on while it blocks, each rank waits in an order of its own.
 *
 * usage: test_random_calls [FIRST [COUNT]]     these programs, and those of the same batch before them */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"
#include "tests/support/rounds.h"
#include "tests/support/xorshift.h"

enum { FULL = 10200, BRIEF = 300, BATCH = 20 }; /* programs, in all and with the same communicators */
enum { ONCE_HUNG = 4720 };
enum { WORLD, HALF, REVERSED, AGAIN, COMMS }; /* AGAIN: a duplicate of REVERSED */
enum { CALLS_LEAST = 14, CALLS_MORE = 12, MOST = CALLS_LEAST + CALLS_MORE };
enum { LONG = 150000 };

static struct {
  uint64_t all, mine; /* random numbers: the same on all ranks, and this rank's own */
  int number;         /* of the program */
} now;

static uint32_t draw(uint32_t below) {
  return xorshift(&now.all, below);
}

static bool once_in(uint32_t times) {
  return draw(times) == 0;
}

typedef struct place {
  MPI_Comm comm;
  int rank, size;
  bool may_be_own; /* MPI's own collective may be run here */
  bool one_site;   /* where an alltoallv is MPI's own */
} place;
static place places[COMMS];

typedef struct under_way {
  one_call x;
  int at;        /* in places */
  int starts;    /* of a persistent call, that are left */
  bool active;   /* begun, and not yet seen to be over */
  bool prepared; /* it has buffers, and a persistent one a handle */
  gbcast_handle handle;
} under_way;
static under_way calls[MOST];

static const char *of(const char *const name[], uint32_t count) {
  return name[draw(count)];
}

/* Forces algorithms here, or leaves the choice to the planner. */
static void set_up_place(place *p) {
  static const char *const hosts[] = {"grid-flat.txt", "grid-node.txt", "mesh.txt"},
                           *const tree[] = {"chain", "binomial", "flat"},
                           *const sync[] = {"at-once", "sender-all", "dummy", "receiver-partial"},
                           *const any_sync[] = {NULL, "native"}, *const segment[] = {"1k", "8k", NULL};
  const algorithm_names names = algorithms_for("bcast");
  const char *any = names.intra_name[draw((uint32_t)names.intra)];
  const char *const file = of(hosts, once_in(6) ? 3 : 2);
  p->one_site = strcmp(file, "mesh.txt") != 0; /* on few ranks: there MPI may have all-to-alls */
  p->may_be_own = once_in(3);
  const setting forced[] = {{"gbcast_intra", p->may_be_own ? any : of(tree, 3)},
                            {"gbcast_inter", names.inter_name[draw((uint32_t)names.inter)]},
                            {"gbcast_sync", p->may_be_own ? of(any_sync, p->one_site ? 2 : 1) : of(sync, 4)},
                            {"gbcast_segment", of(segment, 3)},
                            {"gbcast_check", once_in(4) ? "1" : NULL},
                            {"gbcast_refresh", once_in(6) ? "0.001" : NULL}};
  MUST(set_up_with(p->comm, file, forced, sizeof forced / sizeof *forced));
}

static void open_places(void) {
  const int rank = rank_in(MPI_COMM_WORLD);
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &places[WORLD].comm));
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &places[HALF].comm));
  MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &places[REVERSED].comm));
  MUST(MPI_Comm_dup(places[REVERSED].comm, &places[AGAIN].comm));
  for (int i = 0; i < COMMS; i++) {
    places[i].rank = rank_in(places[i].comm);
    places[i].size = size_of(places[i].comm);
    set_up_place(&places[i]);
  }
}

static size_t some_bytes(void) {
  switch (draw(12)) {
  case 0:
    return 0;
  case 1:
    return LONG - draw(LONG / 2);
  case 2:
  case 3:
    return draw(LONG / 10);
  default:
    return draw(1500);
  }
}

static void check(const under_way *u) {
  const place *p = &places[u->at];
  CHECK(data_are_right(&u->x, p->rank, p->size),
        "program %d: %s on communicator %d: %zu bytes from root %d%s%s%s", now.number, call_name[u->x.call],
        u->at, u->x.bytes, u->x.root, u->x.holes ? ", holes" : "", u->x.in_place ? ", in place" : "",
        u->x.uneven ? ", uneven" : "");
}

/* The call is over. */
static void ended(under_way *u) {
  u->active = false;
  check(u);
}

static void wait_for(under_way *u) {
  if (u->active) {
    MUST(gbcast_wait(&u->handle));
    ended(u);
  }
}

static void discard(under_way *u) {
  if (u->prepared && u->handle != GBCAST_HANDLE_NULL)
    MUST(gbcast_handle_free(&u->handle));
  if (u->prepared)
    end_call(&u->x);
  u->prepared = false;
}

static void begin(under_way *u) {
  *u = (under_way){.at = (int)draw(COMMS), .prepared = true, .handle = GBCAST_HANDLE_NULL};
  const place *p = &places[u->at];
  const enum form form = (enum form)draw(FORMS);
  u->x =
      (one_call){.call = (enum call)draw(CALLS), .bytes = some_bytes(), .root = (int)draw(1 << 20) % p->size};
  if (u->x.call == ALLTOALLV && p->one_site && !p->may_be_own)
    u->x.call = ALLTOALL;
  u->x.holes = once_in(3);
  u->x.uneven = once_in(2);
  u->x.in_place = once_in(3);
  u->x.key = draw(1 << 30);
  prepare_call(&u->x, p->comm);
  MUST(call_in_form(&u->x, p->comm, form, &u->handle));
  if (form == BLOCKING)
    check(u);
  u->active = form == AT_ONCE;
  u->starts = form == PERSISTENT ? 1 + (int)draw(3) : 0;
}

static void start(under_way *u) {
  wait_for(u);
  u->starts--;
  u->x.key++;
  fill_call(&u->x, places[u->at].comm);
  MUST(gbcast_start(&u->handle));
  u->active = true;
}

/* Looks at some calls, each rank at others. */
static void look(int count) {
  for (int looks = (int)xorshift(&now.mine, 4); looks > 0; looks--) {
    under_way *u = &calls[xorshift(&now.mine, (uint32_t)count)];
    int done = 0;
    if (!u->active)
      continue;
    MUST(gbcast_test(&u->handle, &done));
    if (done)
      ended(u);
  }
}

static void wait_for_some(int count, bool apart) {
  if (apart)
    for (int waits = (int)xorshift(&now.mine, 3); waits > 0; waits--)
      wait_for(&calls[xorshift(&now.mine, (uint32_t)count)]);
  else
    for (int waits = (int)draw(3); waits > 0; waits--)
      wait_for(&calls[draw((uint32_t)count)]);
}

/* Nothing blocks any more: each rank in its own order. */
static void end_all(int count) {
  gbcast_handle rest[MOST];
  const uint32_t first = xorshift(&now.mine, (uint32_t)count);
  for (int i = 0; i < count && xorshift(&now.mine, 8) > 0; i++)
    wait_for(&calls[(first + (uint32_t)i) % (uint32_t)count]);
  for (int i = 0; i < count; i++)
    rest[i] = calls[i].prepared ? calls[i].handle : GBCAST_HANDLE_NULL;
  MUST(gbcast_waitall(count, rest));
  for (int i = 0; i < count; i++) {
    if (!calls[i].active)
      continue;
    calls[i].handle = rest[i];
    ended(&calls[i]);
  }
}

static bool none_is_own(void) {
  for (int i = 0; i < COMMS; i++)
    if (places[i].may_be_own && places[i].size > 1)
      return false;
  return true;
}

/* Of all ranks: a half may have other settings than this one's. */
static bool is_apart(void) {
  int mine = none_is_own(), all;
  MUST(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  return all;
}

/* Calls may be under way on a communicator that is set up anew, or freed. */
static void run(bool last) {
  const int count = CALLS_LEAST + (int)draw(CALLS_MORE);
  bool apart = is_apart();
  for (int i = 0; i < count; i++) {
    begin(&calls[i]);
    look(i + 1);
    wait_for_some(i + 1, apart);
    under_way *again = &calls[draw((uint32_t)i + 1)];
    if (again->starts > 0)
      start(again);
    if (once_in(80))
      MUST(gbcast_refresh(places[draw(COMMS)].comm));
  }
  for (int i = 0; last && i < count; i++)
    if (!outlives_communicator(calls[i].x.call))
      wait_for(&calls[i]);
  for (int i = 0; last && i < COMMS; i++)
    MUST(MPI_Comm_free(&places[i].comm));
  end_all(count);
  for (int i = 0; i < count; i++)
    discard(&calls[i]);
}

/* first: of a batch. */
static void run_all(int first, int end) {
  for (now.number = first; now.number < end; now.number++) {
    now.all = 88172645463325252u + (uint64_t)now.number * 2654435761u;
    now.mine = now.all ^ (uint64_t)(rank_in(MPI_COMM_WORLD) + 1) * 0x9e3779b97f4a7c15u;
    const bool last = now.number % BATCH == BATCH - 1 || now.number + 1 == end;
    if (now.number % BATCH == 0)
      open_places();
    else
      set_up_place(&places[draw(COMMS)]);
    run(last);
  }
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  if (argc > 1) {
    run_all(atoi(argv[1]) / BATCH * BATCH, atoi(argv[1]) + (argc > 2 ? atoi(argv[2]) : 1));
  } else {
    run_all(0, (getenv("GB_TEST_FULL") != NULL ? FULL : BRIEF) / GB_ROUNDS_PART);
    run_all(ONCE_HUNG, ONCE_HUNG + BATCH);
  }
  MUST(MPI_Finalize());
  return 0;
}
