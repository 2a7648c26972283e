/* Messages of different kinds never have the same tag, in whatever calls of whatever plans; nor have data of
 * different trees, of a first use and a later one, or of calls that follow each other closely. */
#include "mpi/exec/exchanging.h"
#include "mpi/exec/header.h"
#include "mpi/exec/update.h"
#include "tests/support/mpi/check.h"

enum { TAGS = 32768 }; /* which every MPI has */

typedef struct holder { /* of a tag */
  const char *kind;     /* NULL: nobody */
  uint64_t sequence;    /* of the last call that used it; */
  unsigned number;      /* which of the kind's in that call: tree, first use or not */
} holder;
static holder holders[TAGS];

enum { APART = 127 }; /* calls whose data may be on the way at the same time */

static void claim(int tag, const char *kind, uint64_t sequence, unsigned number) {
  CHECK(tag >= 0 && tag < TAGS, "%s: tag %d", kind, tag);
  holder *h = &holders[tag];
  if (h->kind != NULL) {
    CHECK(strcmp(h->kind, kind) == 0, "%s and %s share tag %d", kind, h->kind, tag);
    const bool same = h->sequence == sequence && h->number == number;
    CHECK(same || sequence - h->sequence > APART, "%s: tag %d has two uses in calls %llu and %llu", kind, tag,
          (unsigned long long)h->sequence, (unsigned long long)sequence);
  }
  *h = (holder){kind, sequence, number};
}

static void claim_call(uint64_t sequence) {
  for (uint32_t tree = 0; tree < GB_TREES_MOST; tree++)
    for (unsigned agreeing = 0; agreeing < 2; agreeing++)
      claim(gb_data_tag(sequence, agreeing != 0, tree), "data", sequence, 2 * tree + agreeing);
  if (gb_update_tag(sequence) != GB_LAST_TAG) /* such a call carries none: update.c */
    claim(gb_update_tag(sequence), "news", sequence, 0);
}

static void claim_fixed(void) {
  claim(gb_ear_tag(GB_EAR_HEADERS), "headers", 0, 0);
  claim(gb_ear_tag(GB_EAR_HELLOS), "HELLOs", 0, 0);
  claim(GB_LAST_TAG, "the last word", 0, 0);
  claim(GB_OFFER_TAG, "offers", 0, 0);
  CHECK(gb_ear_tag(GB_EAR_HEADERS) == GB_HEADER_TAG && gb_ear_tag(GB_EAR_HELLOS) == GB_HELLO_TAG,
        "a rank listens for other tags than those of headers");
}

/* An all-to-all has uses in place of trees. */
_Static_assert(GB_FOR_SYNC_MOST <= GB_TREES_MOST, "words have tags that are not data's");
_Static_assert(GB_FOR_BLOCK != GB_FOR_DUMMY && GB_FOR_BLOCK != GB_FOR_BARRIER &&
                   GB_FOR_DUMMY != GB_FOR_BARRIER && GB_FOR_SYNC > GB_FOR_BLOCK &&
                   GB_FOR_SYNC > GB_FOR_DUMMY && GB_FOR_SYNC > GB_FOR_BARRIER &&
                   GB_FOR_SYNC < GB_FOR_SYNC_MOST,
               "messages of an all-to-all share a tag");

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  claim_fixed();
  for (uint64_t sequence = 1; sequence < 1000; sequence++)
    claim_call(sequence);
  memset(holders, 0, sizeof holders);
  claim_fixed();
  for (uint64_t sequence = UINT32_MAX - 500ull; sequence < UINT32_MAX + 500ull; sequence++)
    claim_call(sequence);
  MUST(MPI_Finalize());
  return 0;
}
