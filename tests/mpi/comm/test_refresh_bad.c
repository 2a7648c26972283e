/* GBCAST_REFRESH where files are not what they should be, calls fail, or the communicator goes: nothing
 * breaks and nobody waits. */
#include "tests/support/mpi/refresh.h"
#include <netinet/in.h>
#include <sys/socket.h>

/* What may be where a file of rank 0 was. */
enum { MISSING, PIPE, FOLDER, GARBAGE, EMPTY, HALF, HUGE, KINDS };

static void put(const char *path, int what, const char *text) {
  char half[1024];
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  (void)remove(path);
  switch (what) {
  case PIPE: /* nobody writes into it */
    CHECK(mkfifo(path, 0600) == 0, "no pipe");
    break;
  case FOLDER:
    CHECK(mkdir(path, 0700) == 0, "no folder");
    break;
  case GARBAGE:
    write_file(path, "cluster a\n\x01[1-\nlink\n");
    break;
  case EMPTY:
    write_file(path, "");
    break;
  case HALF:
    snprintf(half, sizeof half, "%.*s", (int)strlen(text) / 2, text);
    write_file(path, half);
    break;
  case HUGE:
    write_file(path, text);
    CHECK(truncate(path, (off_t)1 << 40) == 0, "no large file");
    break;
  default: /* MISSING */
    break;
  }
}

static void some_calls(const grid *g) {
  for (int i = 0; i < 4; i++)
    broadcast(g->comm, REFERENCE / 8, i % size_of(g->comm), (uint64_t)i);
}

/* A file that cannot be read, or waits for a writer, changes nothing; and when it is back all goes on. */
static void survives(void) {
  grid g = begin(0, always);
  char text[1024], *at;
  describe(text, g.site, 2);
  for (int what = 0; what < KINDS; what++) {
    put(g.path, what, text);
    some_calls(&g);
    CHECK(rate_of(&g) == 100, "a bad file (%d) has changed the plan", what);
    put(g.path, MISSING, NULL);
    set_rate(&g, 100);
  }
  at = strstr(text, "b[1-");
  CHECK(at != NULL, "no hosts of b");
  *at = 'd'; /* a host that the job does not run on */
  if (rank_in(g.comm) == 0)
    write_file(g.path, text);
  some_calls(&g);
  CHECK(rate_of(&g) == 100, "other hosts have changed the plan");
  set_rate(&g, 2);
  until(&g, 0, 2);
  end(&g);
}

/* Live values that stop coming hold until they are too old, here never or soon. */
static void live(bool never) {
  grid g = begin_live(0, always, "file", never ? "1000000" : "1");
  static const char slow[] = "a b 2 2 0\nb a 2 2 0\n";
  for (int what = 0; what < KINDS; what++) {
    put(g.live, MISSING, NULL);
    if (rank_in(g.comm) == 0)
      write_file(g.live, slow);
    until(&g, 0, 2);
    put(g.live, what, slow);
    /* Half the file is a good one that says enough, an empty one is good and says nothing. */
    bool holds = what == HALF || (never && what != EMPTY);
    if (!holds)
      until(&g, 0, 100);
    else {
      some_calls(&g);
      pause_for_a_look(g.comm);
      some_calls(&g);
      CHECK(rate_of(&g) == 2, "a live file of kind %d: its last values are forgotten", what);
    }
  }
  end(&g);
}

#ifndef GB_TEST_SMPI /* where no service is asked */
/* A weather service that takes connections and says nothing, and one that is not there at all: all else is
 * followed as ever. */
static void mute_service(bool listens) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  char source[64];
  int service = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(service >= 0 && bind(service, (struct sockaddr *)&address, sizeof address) == 0, "no socket");
  CHECK(!listens || listen(service, 100) == 0, "cannot listen");
  CHECK(getsockname(service, (struct sockaddr *)&address, &length) == 0, "no port");
  snprintf(source, sizeof source, "nws://127.0.0.1:%d", ntohs(address.sin_port));
  grid g = begin_live(0, always, source, "1");
  some_calls(&g);
  pause_for_a_look(g.comm);
  some_calls(&g);
  CHECK(rate_of(&g) == 100, "a service that says nothing has changed the plan");
  set_rate(&g, 2);
  until(&g, 0, 2);
  end(&g);
  (void)close(service);
}
#endif

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

/* One rank calls with another size, of which no plan has been used, when there have been news, or in the call
 * that tells them: some ranks then have them and others not. All come back, and soon it works again, with the
 * same plans everywhere. */
static void after_errors(int odd_one, bool moved) {
  grid g = begin(0, always);
  int size = size_of(g.comm), rank = rank_in(g.comm), any;
  char *buffer = allocate(REFERENCE);
  broadcast(g.comm, 1000, 0, 1);
  set_rate(&g, 2);
  if (moved)
    until(&g, 0, 2);
  else
    pause_for_a_look(g.comm);
  int bad = gbcast(buffer, rank == odd_one ? 2999 : 3000, 0, g.comm) != MPI_SUCCESS;
  MUST(MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  CHECK(any != 0, "nobody noticed that rank %d differs", odd_one);
  until_good(g.comm, 1, buffer, REFERENCE, 77);
  for (int i = 0; rate_of(&g) != 2; i++)
    broadcast(g.comm, REFERENCE / 8, i % size, 5);
  end(&g);
  free(buffer);
}

/* Any rank may call with another size at any time, whatever rank 0 has in mind. No class of sizes is used
 * twice. */
static void errors_at_random(uint32_t seed) {
  grid g = begin(0, always);
  uint32_t state = seed, size = (uint32_t)size_of(g.comm);
  char *buffer = calloc(1 << 20, 1);
  CHECK(buffer != NULL, "no memory");
  for (size_t n = 1000; n < 200000; n += n / 3) {
    uint32_t odd = next(&state, size), root = next(&state, size), kind = next(&state, 4);
    if (next(&state, 3) == 0)
      set_rate(&g, next(&state, 2) == 0 ? 2 : 100);
    size_t other = kind == 0 ? n - 1 : kind == 1 ? n / 2 : n;
    (void)gbcast(buffer, (uint32_t)rank_in(g.comm) == odd ? other : n, (int)root, g.comm);
    until_good(g.comm, (int)next(&state, size), buffer, n + n * 3 / 20, n);
  }
  end(&g);
  free(buffer);
}

int main(int argc, char **argv) {
#ifdef GB_TEST_SMPI /* is slow */
  const uint32_t seeds = 2;
#else
  const uint32_t seeds = 6;
#endif
  MUST(MPI_Init(&argc, &argv));
  int size = size_of(MPI_COMM_WORLD);
  if (size > 2) {
    survives();
    live(true);
    live(false);
#ifndef GB_TEST_SMPI
    mute_service(true);
    mute_service(false);
#endif
    is_freed();
    for (int odd = 0; odd < size; odd += size / 6 + 1) {
      after_errors(odd, false);
      after_errors(odd, true);
    }
    for (uint32_t seed = 1; seed < seeds; seed++)
      errors_at_random(seed);
  }
  MUST(MPI_Finalize());
  return 0;
}
