/* What travels before the data the first time that a plan is used, so that ranks that do not agree say so
 * instead of waiting for each other.
 *
 * START announces a stream: the receiver knows from it which plan the sender follows and how much will come.
 * ABORT says that nothing (more) comes from that rank in this call. */
#ifndef GB_MPI_HEADER_H
#define GB_MPI_HEADER_H

#include <mpi.h>
#include <stdint.h>

enum gb_header_kind { GB_HEADER_START, GB_HEADER_ABORT };

typedef struct gb_header {
  uint64_t sequence;        /* of the call; one left from an older call is dropped */
  uint64_t hash;            /* of the plan */
  uint64_t bytes;           /* of the operation: message, or block */
  uint64_t length, segment; /* of the stream that follows */
  int32_t kind, code;       /* code: why, in an ABORT */
  uint32_t tree, unused;
} gb_header;

/* Tags, below 32768, the least that MPI promises: one for each tree's data in a call, and one for all
 * headers, which carry the number of their call. What one rank sends another stays in order, so tags of data
 * may come round again. */
enum { GB_TREES_MOST = 15, GB_HEADER_TAG = 15 };
static inline int gb_data_tag(uint64_t sequence, uint32_t tree) {
  return (int)(sequence % 2048) * 16 + (int)tree;
}

/* Before the communicator is freed: stops listening, and receives what lies around from failed calls. */
void gb_header_close(MPI_Request *listen, MPI_Comm dup);

#endif
