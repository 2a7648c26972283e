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

/* The tags of a call, below 32768, the least that MPI promises: one for each tree's data, one for headers.
 * What one rank sends another stays in order, so tags may come round again; headers, which come from any
 * rank, carry the number of their call. */
enum { GB_TREES_MOST = 15 };
static inline int gb_data_tag(uint64_t sequence, uint32_t tree) {
  return (int)(sequence % 2048) * 16 + (int)tree;
}
static inline int gb_header_tag(uint64_t sequence) {
  return gb_data_tag(sequence, GB_TREES_MOST);
}

/* Receives what lies around from failed calls, before the communicator is freed. */
void gb_header_drain(MPI_Comm dup);

#endif
