/* GBCAST_REFRESH where files are not what they should be, ranks disagree, or the communicator goes: nothing
 * breaks and nobody waits. */
#include "tests/support/mpi/leaks.h"
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

/* A communicator that is freed with an update under way. */
static void is_freed(void) {
  int size = size_of(MPI_COMM_WORLD);
  for (int calls = 1; calls < 3 * GB_LAG; calls += 3) {
    grid g = begin(0, always);
    set_rate(&g, 2);
    for (int i = 0; i < calls; i++)
      broadcast(g.comm, 50000, i % (size - 1) + 1, (uint64_t)calls);
    end(&g);
  }
}

/* One rank calls with another size, of which no plan has been used, before an update or in its middle: all
 * return an error, and gbcast_refresh() makes all anew. */
static void after_errors(int odd_one, int calls) {
  grid g = begin(0, always);
  int rank = rank_in(g.comm);
  char *buffer = allocate(REFERENCE);
  broadcast(g.comm, 1000, 0, 1);
  set_rate(&g, 2);
  for (int i = 0; i < calls; i++)
    broadcast(g.comm, REFERENCE / 8, 0, 2);
  int class = class_of(gbcast(buffer, rank == odd_one ? 2999 : 3000, 0, g.comm));
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; class == MPI_SUCCESS && i < 1000; i++) /* of a rank that waits for nobody */
    class = class_of(gbcast_bcast(buffer, 5, MPI_BYTE, rank, g.comm));
  CHECK(class == MPI_ERR_ARG, "rank %d differs after %d calls: class %d", odd_one, calls, class);
  MUST(gbcast_refresh(g.comm));
  until(&g, 0, 2);
  set_rate(&g, 100);
  until(&g, 1, 100);
  end(&g);
  free(buffer);
}

int main(int argc, char **argv) {
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
    for (int odd = 0; odd < size; odd += size / 6 + 1)
      after_errors(odd, 4 * (odd % 3));
    leave_all_to_finalize();
  }
  MUST(MPI_Finalize());
  return 0;
}
