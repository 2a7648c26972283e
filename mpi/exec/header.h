/* The headers with which ranks tell each other about a call, besides its data. */
#ifndef GB_MPI_EXEC_HEADER_H
#define GB_MPI_EXEC_HEADER_H

#include "plan/core/core.h"
#include <stdbool.h>
#include <stdint.h>

enum gb_header_kind {
  GB_HEADER_START, /* to a child: a stream follows, and is sent to its end */
  GB_HEADER_HELLO, /* to a parent: this rank waits for its stream */
  GB_HEADER_ABORT, /* to all: the call has failed here, and no more streams start */
  GB_HEADER_GONE,  /* the answer to a rank that still waits in a call that this rank has left */
  GB_HEADER_OFFER, /* from rank 0: `length` bytes of inputs follow, to be announced by this rank as a root */
  GB_HEADER_POISON /* to all: MPI has failed here, so all later calls on this communicator fail */
};

typedef struct gb_header {
  uint64_t sequence;        /* of the call */
  uint64_t hash;            /* of the plan */
  uint64_t bytes;           /* of the operation: the message, or the block of one rank */
  uint64_t length, segment; /* bytes; START: of the stream and its segments; OFFER: of the inputs */
  int32_t kind, code;       /* code: ABORT, POISON: the error class */
  int32_t root, operation;
  uint32_t tree;
  uint32_t agreeing; /* START: the plan is used for the first time */
} gb_header;

/* Whether a header is valid. */
bool gb_header_is_sound(const gb_header *header);

/* Tags, all below 32768, the least upper bound that MPI guarantees. In each call every tree has a tag for its
 * data, and another one for a plan's first use, so that such a stream never matches receives that were posted
 * without an announcement. Two tags are for headers, which carry the number of their call, one for the last
 * message of all (sweep.c), and one for offers. Messages from one rank to another stay in order, so the tags
 * of data may be reused after 128 calls; and so may those of updates (update.h), except that a call whose
 * update would have GB_LAST_TAG carries none. */
enum { GB_HEADER_TAG = 127, GB_LAST_TAG = 255, GB_HELLO_TAG = 383, GB_OFFER_TAG = 639 };
/* HELLOs have a tag and a receive of their own: in SimGrid a receive matches what was sent first, so that a
 * HELLO from far away would delay STARTs from nearby. */
enum { GB_EAR_HEADERS, GB_EAR_HELLOS, GB_EARS };
static inline int gb_ear_tag(unsigned ear) {
  return ear == GB_EAR_HEADERS ? GB_HEADER_TAG : GB_HELLO_TAG;
}
static inline int gb_data_tag(uint64_t sequence, bool agreeing, uint32_t tree) {
  return (int)(sequence % 128) * 256 + (agreeing ? 128 : 0) + (int)tree; /* GB_TREES_MOST is below 128 */
}
static inline int gb_update_tag(uint64_t sequence) {
  return (int)(sequence % 128) * 256 + GB_LAST_TAG;
}

#endif
