/* What ranks tell each other about a call, besides its data. */
#ifndef GB_MPI_EXEC_HEADER_H
#define GB_MPI_EXEC_HEADER_H

#include "plan/core/core.h"
#include <stdbool.h>
#include <stdint.h>

enum gb_header_kind {
  GB_HEADER_START, /* a stream follows, and it follows in full: to a child */
  GB_HEADER_HELLO, /* I wait for your stream: to a parent */
  GB_HEADER_ABORT, /* the call has failed here, and no further stream starts: to everybody */
  GB_HEADER_GONE,  /* this rank has left that call: the answer to who still waits in it */
  GB_HEADER_OFFER, /* inputs to announce when you are the root, `length` bytes of them, follow: from rank 0 */
  GB_HEADER_POISON /* MPI has failed here, so all later calls on this communicator fail: to everybody */
};

typedef struct gb_header {
  uint64_t sequence;        /* of the call */
  uint64_t hash;            /* of the plan */
  uint64_t bytes;           /* of the operation: message, or block */
  uint64_t length, segment; /* START: of the stream; OFFER: of what follows */
  int32_t kind, code;       /* code: why, in an ABORT or a POISON; an error class */
  int32_t root, operation;
  uint32_t tree;
  uint32_t agreeing; /* START: the stream belongs to a first use */
} gb_header;

/* Whether a rank that follows these rules can have sent it. */
bool gb_header_is_sound(const gb_header *header);

/* Tags, below 32768, the least that MPI promises: one for each tree's data in a call, apart for a plan's
 * first use, so that such a stream never meets receives that were posted without asking; two for all headers,
 * which carry the number of their call; one for the last message of all (sweep.c), and one for offers. What
 * one rank sends another stays in order, so tags of data may come round again; and so may those of a call's
 * update (update.h), of which the calls that would have the last message's carry none. */
enum { GB_HEADER_TAG = 127, GB_LAST_TAG = 255, GB_HELLO_TAG = 383, GB_OFFER_TAG = 639 };
/* HELLOs have a tag and a receive of their own: in SimGrid a receive takes what was sent first, and one that
 * waited for a HELLO from far away would keep STARTs from near by waiting. */
enum { GB_EAR_HEADERS, GB_EAR_HELLOS, GB_EARS };
static inline int gb_ear_tag(unsigned ear) {
  return ear == GB_EAR_HEADERS ? GB_HEADER_TAG : GB_HELLO_TAG;
}
static inline int gb_data_tag(uint64_t sequence, bool agreeing, uint32_t tree) {
  return (int)(sequence % 128) * 256 + (agreeing ? 128 : 0) + (int)tree; /* GB_TREES_MOST below 128 */
}
static inline int gb_update_tag(uint64_t sequence) {
  return (int)(sequence % 128) * 256 + GB_LAST_TAG;
}

#endif
