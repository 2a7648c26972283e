/* GBCAST_REFRESH: plans follow the hosts file while the job runs, on all ranks from the same call on, and the
 * data stay right. */
#include "tests/support/mpi/heard.h"
#include "tests/support/mpi/refresh.h"

/* Around the slow link, and no more when it is fast, whatever the root. */
static void follows(int root) {
  grid g = begin(root / each(), always);
  unsigned long long fast = plan_of(g.comm, root);
  some_calls(&g);
  CHECK(plan_of(g.comm, root) == fast, "root %d: nothing has changed but the plan", root);
  set_rate(&g, 2);
  until(&g, root, 2);
  CHECK(plan_of(g.comm, root) != fast, "root %d: the plan has not changed", root);
  set_rate(&g, 100);
  until(&g, root, 100);
  CHECK(plan_of(g.comm, root) == fast, "root %d: the old values give another plan", root);
  end(&g);
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
    some_calls(&g);
    CHECK(rate_of(&g) == 100, "%u Mbit/s in place of 100: a new plan", mbit);
    MUST(gbcast_refresh(g.comm)); /* reads all again, whatever it gains */
    others += plan_of(g.comm, 0) != old;
    end(&g);
  }
  CHECK(others > 0, "a plan from scratch is the same: nothing was shown");
}

/* Nothing, or hardly anything, while there is an update. */
static void short_calls(void) {
  grid g = begin(0, always);
  set_rate(&g, 2);
  for (int i = 0; i < 600; i++) /* all tags come round */
    broadcast(g.comm, (size_t)(i % 2), i % size_of(g.comm), (uint64_t)i);
  end(&g);
}

#ifndef GB_TEST_SMPI
static void call(MPI_Comm comm) {
  broadcast(comm, REFERENCE / 8, 0, 7);
  pause_for_a_look(comm);
}

/* How often rank 0 says so in a call; no other rank says anything. */
static int lines_of_a_call(const grid *g, const char *line) {
  char *text = heard(call, g->comm);
  int found = 0;
  for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
    found++;
  CHECK(rank_in(g->comm) == 0 || text[0] == '\0', "a rank other than 0 says:\n%s", text);
  free(text);
  MUST(MPI_Bcast(&found, 1, MPI_INT, 0, g->comm));
  return found;
}

/* It comes, however long a look is put off, and does not come again. */
static void says_once(const grid *g, const char *line) {
  int found = 0;
  while (found == 0)
    found = lines_of_a_call(g, line);
  for (int i = 0; i < 2; i++)
    found += lines_of_a_call(g, line);
  CHECK(found == 1, "'%s' %d times", line, found);
}

/* GBCAST_VERBOSE=1: a line for each change of plans, and one when there is nothing to be read any more. */
static void says_so(void) {
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  setenv("GBCAST_VERBOSE", "1", 1);
  grid g = begin(0, always);
  call(g.comm); /* says what is planned */
  CHECK(lines_of_a_call(&g, "gbcast: ") == 0, "nothing has changed");
  set_rate(&g, 2);
  says_once(&g, "link a -> b has 2000 us, 2000 kbit/s instead of 2000 us, 100000 kbit/s");
  if (rank_in(g.comm) == 0)
    CHECK(remove(g.path) == 0, "cannot remove %s", g.path);
  says_once(&g, "plans stay as they are");
  CHECK(lines_of_a_call(&g, "gbcast: ") == 0, "nothing has changed since the file went");
  set_rate(&g, 100);
  says_once(&g, "gbcast: from call ");
  end(&g);
  unsetenv("GBCAST_VERBOSE");
}
#endif

/* What can be given, and what is refused on all ranks. */
static void values(void) {
  static const char *const good[] = {"0", "60", "0.25", "5."};
  static const char *const bad[] = {"-1", "1s", "fast", "1e3", ".", "0,5", "99999999999"};
  grid g = begin(0, "0");
  for (size_t i = 0; i < sizeof good / sizeof *good + sizeof bad / sizeof *bad; i++) {
    bool is_good = i < sizeof good / sizeof *good;
    const char *value = is_good ? good[i] : bad[i - sizeof good / sizeof *good];
    MPI_Info info;
    int class = MPI_SUCCESS;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "gbcast_map", "order"));
    MUST(MPI_Info_set(info, "gbcast_refresh", value));
    int code = gbcast_setup(g.comm, g.path, info);
    MUST(MPI_Info_free(&info));
    if (code != MPI_SUCCESS)
      MUST(MPI_Error_class(code, &class));
    CHECK(class == (is_good ? MPI_SUCCESS : MPI_ERR_ARG), "GBCAST_REFRESH=%s: class %d", value, class);
    const gb_comm *c = gb_comm_known(g.comm);
    bool watches = is_good && strcmp(value, "0") != 0 && rank_in(g.comm) == 0;
    CHECK((c != NULL && c->refresh != NULL) == watches, "GBCAST_REFRESH=%s: who looks", value);
  }
  end(&g);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  int size = size_of(MPI_COMM_WORLD);
  values();
  short_calls();
  if (size > 2) {
    for (int root = 0; root < size; root += size / 5 + 1)
      follows(root);
    mixed(1, 300);
    stays_for_little();
#ifndef GB_TEST_SMPI
    says_so();
#endif
  }
  MUST(MPI_Finalize());
  return 0;
}
