/* GBCAST_REFRESH: plans follow the hosts file while the job runs, on all ranks from the same call on, and the
 * data stay right. Rank 0 writes the file; every rank looks at its own plans. */
#include "nothing_left.h"
#include <fcntl.h>
#include <sys/stat.h>

enum { REFERENCE = 1 << 18 };

/* Three sites; what changes is the rate of the link between one and the next. */
typedef struct grid {
  char path[64];
  int site;
  MPI_Comm comm;
} grid;

/* In one step, so that rank 0 never reads half of it. */
static void write_file(const char *path, const char *text) {
  char other[80];
  snprintf(other, sizeof other, "%s.new", path);
  FILE *out = fopen(other, "w");
  CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0, "cannot write %s", other);
  CHECK(rename(other, path) == 0, "cannot move %s", other);
}

static int each(void) {
  return (size_of(MPI_COMM_WORLD) + 2) / 3;
}

static void describe(char text[1024], int site, unsigned mbit) {
  int end = 0;
  for (char name = 'a'; name <= 'c'; name++)
    end += snprintf(text + end, 100, "cluster %c\n%c[1-%d]\n", name, name, each());
  for (int i = 0; i < 3; i++)
    end += snprintf(text + end, 100, "link %c %c latency=2ms bandwidth=%uMbit/s\n", 'a' + i,
                    'a' + (i + 1) % 3, i == site ? mbit : 100);
}

static void set_rate(const grid *g, unsigned mbit) {
  char text[1024];
  describe(text, g->site, mbit);
  if (rank_in(g->comm) == 0)
    write_file(g->path, text);
}

/* Looks every so many seconds. */
static grid begin(int site, const char *seconds) {
  grid g = {.path = "/tmp/gbcast-refresh-XXXXXX", .site = site};
  MPI_Info info;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &g.comm));
  MUST(MPI_Comm_set_errhandler(g.comm, MPI_ERRORS_RETURN));
  if (rank_in(g.comm) == 0) {
    int fd = mkstemp(g.path);
    CHECK(fd >= 0 && close(fd) == 0, "no temporary file %s", g.path);
  }
  set_rate(&g, 100);
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_map", "order"));
  MUST(MPI_Info_set(info, "gbcast_refresh", seconds));
  MUST(gbcast_setup(g.comm, g.path, info));
  MUST(MPI_Info_free(&info));
  return g;
}

static void end(grid *g) {
  if (rank_in(g->comm) == 0)
    (void)remove(g->path);
  MUST(MPI_Comm_free(&g->comm));
}

static void broadcast(MPI_Comm comm, size_t n, int root, uint64_t key) {
  unsigned char *buffer = allocate(n);
  memset(buffer, 0xA5, n);
  if (rank_in(comm) == root)
    fill(buffer, n, key);
  MUST(gbcast(buffer, n, root, comm));
  size_t at = differs(buffer, n, key);
  CHECK(at == n, "%zu bytes from root %d: byte %zu is wrong", n, root, at);
  free(buffer);
}

static void scatter(MPI_Comm comm, size_t block, int root, uint64_t key) {
  size_t all = block * (size_t)size_of(comm);
  unsigned char *from = allocate(all), *mine = allocate(block);
  fill(from, all, key);
  MUST(gbcast_scatter(from, (MPI_Count)block, MPI_BYTE, mine, (MPI_Count)block, MPI_BYTE, root, comm));
  CHECK(memcmp(mine, from + block * (size_t)rank_in(comm), block) == 0, "scatter from root %d: wrong bytes",
        root);
  free(from);
  free(mine);
}

/* The hash of the plan for a broadcast: the same on every rank. */
static unsigned long long plan_of(MPI_Comm comm, int root) {
  char *text;
  unsigned long long mine = 0, least, most;
  MUST(gbcast_explain(comm, REFERENCE, root, &text));
  const char *at = strstr(text, "plan ");
  CHECK(at != NULL && sscanf(at, "plan %llx", &mine) == 1, "no hash in:\n%s", text);
  free(text);
  MUST(MPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, comm));
  MUST(MPI_Allreduce(&mine, &most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, comm));
  CHECK(least == most, "plan %016llx here, %016llx elsewhere", mine, mine == least ? most : least);
  return mine;
}

/* The rate that the next call is planned from, in Mbit/s: the same on every rank. */
static unsigned rate_of(const grid *g) {
  const gb_comm *c = gb_comm_known(g->comm);
  CHECK(c != NULL, "set up, but not known");
  const gb_link *link = gb_platform_link(c->coming != NULL ? c->coming : c->platform, (uint32_t)g->site,
                                         (uint32_t)(g->site + 1) % 3);
  CHECK(link != NULL, "the link has gone");
  unsigned mine = (unsigned)(link->bandwidth * 8e-6 + 0.5), least, most;
  MUST(MPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED, MPI_MIN, g->comm));
  MUST(MPI_Allreduce(&mine, &most, 1, MPI_UNSIGNED, MPI_MAX, g->comm));
  CHECK(least == most, "%u Mbit/s here, %u elsewhere", mine, mine == least ? most : least);
  return mine;
}

/* Broadcasts from `root` until plans are made from a rate: how often is a matter of time, as a look that took
 * long is followed by a long rest. */
static void until(const grid *g, int root, unsigned mbit) {
  for (uint64_t i = 0; rate_of(g) != mbit; i++)
    broadcast(g->comm, REFERENCE / 8, root, i);
}

/* A look at every broadcast but for such a rest. */
static const char always[] = "0.000001";

/* Around the slow link, and no more when it is fast. Rank 0 tells at once; others have to be offered. */
static void follows(int root) {
  grid g = begin(root / each(), always);
  unsigned long long fast = plan_of(g.comm, root);
  for (int i = 0; i < 5; i++)
    broadcast(g.comm, REFERENCE / 8, root, 3);
  CHECK(plan_of(g.comm, root) == fast, "root %d: nothing has changed but the plan", root);
  set_rate(&g, 2);
  until(&g, root, 2);
  CHECK(plan_of(g.comm, root) != fast, "root %d: the plan has not changed", root);
  set_rate(&g, 100);
  until(&g, root, 100);
  CHECK(plan_of(g.comm, root) == fast, "root %d: the old values give another plan", root);
  end(&g);
}

/* The same numbers on every rank. */
static uint32_t next(uint32_t *state, uint32_t bound) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % bound;
}

/* Two communicators, many roots and sizes, scatters in between, while the file goes to and fro. */
static void mixed(uint32_t seed, int calls) {
  static const unsigned rate[] = {100, 2, 20};
  static const size_t length[] = {0, 1, 13, 3000, 40000, 200000};
  grid g[2] = {begin(0, always), begin(1, "0.001")};
  uint32_t state = seed, size = (uint32_t)size_of(MPI_COMM_WORLD), news = 0;
  int few = (int)size / 5 + 1; /* every so many ranks is a root: each plan costs all of them its time */
  unsigned before[2] = {100, 100};
  for (int i = 0; i < calls || news < 4; i++) {
    uint32_t which = next(&state, 2), kind = next(&state, 8);
    size_t n = length[next(&state, 6)];
    int root = (int)next(&state, size) / few * few;
    if (kind == 0)
      set_rate(&g[which], rate[next(&state, 3)]);
    if (kind < 6)
      broadcast(g[which].comm, n, root, (uint64_t)i);
    else
      scatter(g[which].comm, n / size, root, (uint64_t)i);
    unsigned now = rate_of(&g[which]);
    news += now != before[which];
    before[which] = now;
  }
  end(&g[1]);
  end(&g[0]);
}

/* A plan for the new values, but too little to gain. */
static void stays_for_little(void) {
  int others = 0;
  for (unsigned mbit = 99; mbit > 90; mbit -= 3) {
    grid g = begin(0, always);
    unsigned long long old = plan_of(g.comm, 0);
    set_rate(&g, mbit);
    broadcast(g.comm, REFERENCE, 0, 9);
    CHECK(rate_of(&g) == 100, "%u Mbit/s in place of 100: a new plan", mbit);
    MUST(gbcast_refresh(g.comm)); /* reads all again, whatever it gains */
    others += plan_of(g.comm, 0) != old;
    end(&g);
  }
  CHECK(others > 0, "a plan from scratch is the same: nothing was shown");
}

/* What may be where the file was. */
static void put(const grid *g, int what) {
  static const char garbage[] = "cluster a\n\x01[1-\nlink\n";
  char text[1024], *at;
  if (rank_in(g->comm) == 0) {
    describe(text, g->site, 2);
    CHECK(remove(g->path) == 0, "cannot remove %s", g->path);
    if (what == 1)
      CHECK(mkfifo(g->path, 0600) == 0, "no pipe");
    if (what == 2)
      CHECK(mkdir(g->path, 0700) == 0, "no folder");
    if (what == 3)
      write_file(g->path, garbage);
    if (what == 4)
      write_file(g->path, "");
    if (what == 5) { /* other hosts */
      at = strstr(text, "b[1-");
      CHECK(at != NULL, "no hosts of b");
      *at = 'd';
      write_file(g->path, text);
    }
    if (what == 6) { /* half of it */
      text[strlen(text) / 2] = '\0';
      write_file(g->path, text);
    }
    if (what == 7) { /* endless */
      write_file(g->path, text);
      CHECK(truncate(g->path, (off_t)1 << 40) == 0, "no large file");
    }
  }
}

/* A file that cannot be read, or waits for a writer, changes nothing; and when it is back all goes on. */
static void survives(void) {
  grid g = begin(0, always);
  for (int what = 0; what < 8; what++) {
    put(&g, what);
    for (int i = 0; i < 4; i++)
      broadcast(g.comm, REFERENCE / 8, i % size_of(g.comm), (uint64_t)what);
    CHECK(rate_of(&g) == 100, "a bad file (%d) has changed the plan", what);
    if (rank_in(g.comm) == 0)
      (void)remove(g.path);
    set_rate(&g, 100);
  }
  set_rate(&g, 2);
  until(&g, 0, 2);
  end(&g);
}

/* A communicator that is freed with news and offers under way. */
static void is_freed(void) {
  int size = size_of(MPI_COMM_WORLD);
  for (int calls = 1; calls < 5; calls++) {
    grid g = begin(0, always);
    set_rate(&g, 2);
    for (int i = 0; i < calls; i++)
      broadcast(g.comm, 50000, i % (size - 1) + 1, (uint64_t)calls);
    end(&g);
  }
}

/* One rank calls with another size, of which no plan has been used, with news under way. All come back, and
 * soon it works again, with the same plans everywhere. */
static void after_errors(int odd_one, bool moved) {
  grid g = begin(0, always);
  int size = size_of(g.comm), rank = rank_in(g.comm), any = 1, calls = 0;
  char buffer[300000];
  broadcast(g.comm, 1000, 0, 1);
  set_rate(&g, 2);
  if (moved)
    until(&g, 0, 2);
  if (!moved && size > 3) /* an offer */
    broadcast(g.comm, 1000, 3, 1);
  int bad = gbcast(buffer, rank == odd_one ? 3000 : 200000, 0, g.comm) != MPI_SUCCESS;
  MUST(MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  CHECK(any != 0, "nobody noticed that rank %d differs", odd_one);
  for (; any != 0; calls++) {
    CHECK(calls < 4, "the calls after the error still fail");
    if (rank == 1)
      fill(buffer, sizeof buffer, 77);
    bad = gbcast(buffer, sizeof buffer, 1, g.comm) != MPI_SUCCESS;
    CHECK(bad || differs(buffer, sizeof buffer, 77) == sizeof buffer, "wrong bytes after an error");
    MUST(MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  }
  for (int i = 0; rate_of(&g) != 2; i++)
    broadcast(g.comm, REFERENCE / 8, i % size, 5);
  end(&g);
}

/* What carries no news works all the same. */
static void nothing_to_carry(void) {
  grid g = begin(0, always);
  set_rate(&g, 2);
  for (int i = 0; i < 300; i++) /* all tags come round */
    broadcast(g.comm, (size_t)(i % 2), i % size_of(g.comm), (uint64_t)i);
  end(&g);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  int size = size_of(MPI_COMM_WORLD);
  nothing_to_carry();
  if (size > 2) {
    for (int root = 0; root < size; root += size / 5 + 1)
      follows(root);
    mixed(1, 300);
    stays_for_little();
    survives();
    is_freed();
    for (int odd = 0; odd < size; odd += size / 3 + 1) {
      after_errors(odd, false);
      after_errors(odd, true);
    }
  }
  MUST(MPI_Finalize());
  return 0;
}
