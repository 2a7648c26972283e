/* The inputs that every rank plans from. Rank 0 sends them as a block of bytes, once for each communicator.
 */
#ifndef GB_MPI_COMM_INPUTS_H
#define GB_MPI_COMM_INPUTS_H

#include "mpi/settings/settings.h"
#include "platform/live/live.h"

/* The most duplicates that a process may have. MPICH has 2,048 communicators for a process, so these leave
 * nearly all to the program. Few communicators carry long broadcasts: that of all ranks, one for each
 * site, and a few more. */
#define GB_DUPLICATES_MOST 64

typedef struct gb_inputs {
  int code;             /* MPI_SUCCESS, or the error class that every rank returns */
  uint8_t left;         /* an enum gb_passed, as gb_comm.left */
  bool by_nodes;        /* the ranks have to find their shared-memory nodes, and rank 0 sends again */
  bool by_names;        /* rank 0: by_nodes is set to check that ranks of one host's name share a node */
  uint64_t close_order; /* MPI_Finalize closes communicators in ascending order */
  gb_settings settings; /* GBCAST_REFRESH is 0 where there is no hosts file. Other ranks get no paths */
  bool trace;           /* GBCAST_TRACE ... */
  bool gathers;         /* ... and the communicator is the one to gather the events */
  char *platform;       /* canonical text; NULL when there is none */
  size_t platform_length;
  char *plans; /* of GBCAST_PLAN, in the form of plans.h, or NULL */
  size_t plans_length;
  gb_weather weather; /* live values to be laid over the platform; source NULL: none */
  uint32_t *rank_host;
  uint32_t rank_count;
} gb_inputs;

/* Writes a platform as the text that every rank reads. GBCAST_EMEMORY. */
int gb_inputs_write(const gbcast_platform *p, char **text, size_t *length, gbcast_error *err);

/* Sets `bytes` to a block to be freed. GBCAST_EMEMORY. */
int gb_inputs_encode(const gb_inputs *inputs, char **bytes, size_t *length);

/* Writes the hash of what follows it, in a block of at least 8 bytes. */
void gb_inputs_seal(char *bytes, size_t length);

/* Checks the block's hash and decodes the block. false: it was damaged on its way, or memory ran out. */
bool gb_inputs_decode(const char *bytes, size_t length, gb_inputs *out);
void gb_inputs_release(gb_inputs *inputs);

/* Whether ranks that were placed on the hosts of one platform are so on the other's. */
bool gb_inputs_same_hosts(const gbcast_platform *a, const gbcast_platform *b);

/* Makes the platform of the inputs, and moves their live values into it. */
int gb_inputs_platform(gb_inputs *inputs, gbcast_platform **out, gbcast_error *err);

#endif
