/* What travels before the data the first time that a plan is used, so that ranks that do not agree say so instead of
 * waiting for each other.
 *
 * START announces a stream: the receiver knows from it which plan the sender follows and how much will come. ABORT says
 * that nothing (more) comes from that rank in this call. */
#ifndef GB_MPI_HEADER_H
#define GB_MPI_HEADER_H

#include <mpi.h>
#include <stdint.h>

enum gb_header_kind { GB_HEADER_START, GB_HEADER_ABORT };

typedef struct gb_header {
  uint64_t sequence; /* of the call; one from an older call is dropped */
  uint64_t hash;     /* of the plan */
  uint64_t bytes;    /* of the operation: message, or block */
  uint64_t length, segment; /* of the stream that follows */
  int32_t kind, code; /* code: why, in an ABORT */
  uint32_t tree, unused;
} gb_header;

/* The tags of a call: data and headers. Below 32768, the least that MPI promises. */
static inline int gb_data_tag(uint64_t sequence) { return (int)(sequence % 16384) * 2; }
static inline int gb_header_tag(uint64_t sequence) { return gb_data_tag(sequence) + 1; }

/* Receives what lies around from failed calls, before the communicator is freed. */
void gb_header_drain(MPI_Comm dup);

#endif
