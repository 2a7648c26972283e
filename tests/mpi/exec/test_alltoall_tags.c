/* The messages of an all-to-all can be told apart by their tags: each rank's one block for another, what is
 * nobody's, the words about steps, and those of barriers. */
#include "tests/support/mpi/check.h"
#include "tests/support/mpi/sending.h"

enum { BLOCK = 1000, MESSAGES = 10000 };

typedef struct message { /* that this rank has sent in the present call */
  int to, tag, bytes;
} message;
static message sent[MESSAGES];
static int sent_count;

static void note(int count, int to, int tag) {
  CHECK(sent_count < MESSAGES, "more messages than this test has room for");
  sent[sent_count++] = (message){to, tag, count};
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
SENDING(__wrap_MPI_Isend, __real_MPI_Isend, note(count, to, tag))
SENDING(__wrap_MPI_Issend, __real_MPI_Issend, note(count, to, tag))
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

/* By the distance of a tag from that of blocks: how many messages without bytes. */
typedef struct words {
  int count[256];
} words;

static int with_tag(int tag, int bytes, int to) {
  int count = 0;
  for (int i = 0; i < sent_count; i++)
    count += sent[i].tag == tag && sent[i].bytes == bytes && (to < 0 || sent[i].to == to);
  return count;
}

/* The tag with which each other rank is sent one block, and only that; -1: there is none. */
static int tag_of_blocks(void) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int i = 0; i < sent_count; i++) {
    bool once = sent[i].bytes == BLOCK && with_tag(sent[i].tag, 0, -1) == 0;
    for (int to = 0; to < size; to++)
      once = once && (to == rank || with_tag(sent[i].tag, BLOCK, to) == 1);
    if (once)
      return sent[i].tag;
  }
  return -1;
}

/* A second use of the plan: the first says more. Returns how many messages besides, with as many bytes, this
 * rank has sent. */
static int observe(const char *sync, words *said) {
  const int size = size_of(MPI_COMM_WORLD);
  char *send = allocate((size_t)size * BLOCK), *receive = allocate((size_t)size * BLOCK);
  memset(send, 0, (size_t)size * BLOCK);
  MUST(set_up_with(MPI_COMM_WORLD, "alltoall.txt", &(setting){"gbcast_sync", sync}, 1));
  for (int use = 0; use < 2; use++) {
    sent_count = 0;
    MUST(gbcast_alltoall(send, BLOCK, MPI_BYTE, receive, BLOCK, MPI_BYTE, MPI_COMM_WORLD));
  }
  const int tag = tag_of_blocks();
  CHECK(tag >= 0, "%s: no tag is that of one block for each rank", sync);
  int others = 0;
  *said = (words){{0}};
  for (int i = 0; i < sent_count; i++) {
    const int distance = sent[i].tag - tag;
    others += distance != 0 && sent[i].bytes == BLOCK;
    CHECK(distance >= 0 && distance < 256, "%s: tag %d next to blocks with %d", sync, sent[i].tag, tag);
    said->count[distance] += sent[i].bytes == 0;
  }
  MUST(MPI_Allreduce(MPI_IN_PLACE, said->count, 256, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  MUST(MPI_Allreduce(MPI_IN_PLACE, &others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  free(send);
  free(receive);
  return others;
}

static bool says_anything(const words *w) {
  int sum = 0;
  for (int i = 0; i < 256; i++)
    sum += w->count[i];
  return sum > 0;
}

int main(int argc, char **argv) {
  words none, steps, barriers, both;
  MUST(MPI_Init(&argc, &argv));
  CHECK(observe("no-sync", &none) == 0 && !says_anything(&none), "no-sync: more than blocks was sent");
  CHECK(observe("dummy", &none) > 0, "dummy: nothing but blocks was sent");
  CHECK(observe("sender-all", &steps) == 0 && says_anything(&steps), "sender-all: no words");
  CHECK(observe("barrier-all", &barriers) == 0 && says_anything(&barriers), "barrier-all: no words");
  CHECK(observe("barrier-partial-sender", &both) == 0 && says_anything(&both), "barriers and words: none");
  for (int i = 0; i < 256; i++)
    CHECK(steps.count[i] == 0 || barriers.count[i] == 0,
          "words of steps and of barriers share the tag %d above that of blocks", i);
  MUST(MPI_Finalize());
  return 0;
}
