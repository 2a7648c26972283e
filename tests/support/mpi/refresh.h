/* Jobs whose hosts file changes while they run. Rank 0 writes it; every rank looks at its own plans. */
#ifndef GB_TESTS_SUPPORT_MPI_REFRESH_H
#define GB_TESTS_SUPPORT_MPI_REFRESH_H

#include "mpi/comm/version.h"
#include "tests/support/mpi/nothing_left.h"
#include <sys/stat.h>
#include <time.h>

enum { REFERENCE = 1 << 18 };

/* Three sites; what changes is the rate of the link between one and the next. */
typedef struct grid {
  char path[64], live[72]; /* of the hosts file, and of the live file where there is one */
  int site;
  MPI_Comm comm;
} grid;

/* In one step, so that rank 0 never reads half of it. */
static inline void write_file(const char *path, const char *text) {
  char other[96];
  snprintf(other, sizeof other, "%s.new", path);
  FILE *out = fopen(other, "w");
  CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0, "cannot write %s", other);
  CHECK(rename(other, path) == 0, "cannot move %s", other);
}

static inline int each(void) {
  return (size_of(MPI_COMM_WORLD) + 2) / 3;
}

static inline void describe(char text[1024], int site, unsigned mbit) {
  int end = 0;
  for (int name = 'a'; name <= 'c'; name++)
    end += snprintf(text + end, 100, "cluster %c\n%c[1-%d]\n", name, name, each());
  for (int i = 0; i < 3; i++)
    end += snprintf(text + end, 100, "link %c %c latency=2ms bandwidth=%uMbit/s\n", 'a' + i,
                    'a' + (i + 1) % 3, i == site ? mbit : 100);
}

static inline void set_rate(const grid *g, unsigned mbit) {
  char text[1024];
  describe(text, g->site, mbit);
  if (rank_in(g->comm) == 0)
    write_file(g->path, text);
}

/* Looks every so many seconds; live: GBCAST_LIVE, "file" for an empty file of the grid's own, or NULL: there
 * are no live values. They are good for max_age seconds. */
static inline grid begin_live(int site, const char *seconds, const char *live, const char *max_age) {
  char source[80];
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
  snprintf(g.live, sizeof g.live, "%s.live", g.path);
  snprintf(source, sizeof source, "file:%s", g.live);
  if (live != NULL && rank_in(g.comm) == 0)
    write_file(g.live, "");
  if (live != NULL) {
    MUST(MPI_Info_set(info, "gbcast_live", strcmp(live, "file") == 0 ? source : live));
    MUST(MPI_Info_set(info, "gbcast_max_age", max_age));
  }
  MUST(gbcast_setup(g.comm, g.path, info));
  MUST(MPI_Info_free(&info));
  return g;
}

static inline grid begin(int site, const char *seconds) {
  return begin_live(site, seconds, NULL, NULL);
}

static inline void remove_files(const grid *g) {
  if (rank_in(g->comm) == 0) {
    (void)remove(g->path);
    (void)remove(g->live);
  }
}

static inline void end(grid *g) {
  remove_files(g);
  MUST(MPI_Comm_free(&g->comm));
}

static inline void broadcast(MPI_Comm comm, size_t n, int root, uint64_t key) {
  unsigned char *buffer = allocate(n);
  memset(buffer, 0xA5, n);
  if (rank_in(comm) == root)
    fill(buffer, n, key);
  MUST(gbcast(buffer, n, root, comm));
  size_t at = differs(buffer, n, key);
  CHECK(at == n, "%zu bytes from root %d: byte %zu is wrong", n, root, at);
  free(buffer);
}

static inline void scatter(MPI_Comm comm, size_t block, int root, uint64_t key) {
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
static inline unsigned long long plan_of(MPI_Comm comm, int root) {
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
static inline unsigned rate_of(const grid *g) {
  const gb_comm *c = gb_comm_known(g->comm);
  CHECK(c != NULL, "set up, but not known");
  const gb_link *link = gb_platform_link(c->next_platform != NULL ? c->next_platform : c->platform,
                                         (uint32_t)g->site, (uint32_t)(g->site + 1) % 3);
  CHECK(link != NULL, "the link has gone");
  unsigned mine = (unsigned)(link->bandwidth * 8e-6 + 0.5), least, most;
  MUST(MPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED, MPI_MIN, g->comm));
  MUST(MPI_Allreduce(&mine, &most, 1, MPI_UNSIGNED, MPI_MAX, g->comm));
  CHECK(least == most, "%u Mbit/s here, %u elsewhere", mine, mine == least ? most : least);
  return mine;
}

/* Broadcasts from `root` until plans are made from a rate: how often is a matter of time, as a look that took
 * long is followed by a long rest. */
static inline void until(const grid *g, int root, unsigned mbit) {
  for (uint64_t i = 0; rate_of(g) != mbit; i++)
    broadcast(g->comm, REFERENCE / 8, root, i);
}

/* As many broadcasts as it takes until what has been found is in use, from all roots. */
static inline void some_calls(const grid *g) {
  for (int i = 0; i < 2 * GB_LAG + 2; i++)
    broadcast(g->comm, REFERENCE / 8, i % size_of(g->comm), (uint64_t)i);
}

/* A look at every broadcast but for such a rest. */
static const char always[] = "0.000001";

/* Mostly longer than rank 0 rests after a look: nothing may depend on it. */
static inline void pause_for_a_look(MPI_Comm comm) {
#ifndef GB_TEST_SMPI /* where looks take no time */
  if (rank_in(comm) == 0)
    (void)nanosleep(&(struct timespec){0, 200000000}, NULL);
#endif
  MUST(MPI_Barrier(comm));
}

/* The same numbers on every rank. */
static inline uint32_t next(uint32_t *state, uint32_t bound) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % bound;
}

#endif
