/* The inputs that every rank plans from, as one block of bytes that rank 0 sends once for each communicator.
 */
#ifndef GB_MPI_INPUTS_H
#define GB_MPI_INPUTS_H

#include "platform/overlay.h"

/* Why the calls on a communicator are all left to MPI. */
enum gb_left {
  GB_LEFT_NOTHING,  /* they are not */
  GB_LEFT_DISABLED, /* GBCAST_DISABLE; the preloaded library: no hosts file */
  GB_LEFT_REFUSED,  /* the preloaded library: something is wrong with the settings or the hosts file */
  GB_LEFT_WORLDS,   /* ranks of other MPI_COMM_WORLDs than rank 0's, which cannot be placed */
  GB_LEFT_FULL      /* there are as many duplicates as there may be */
};

/* The same in words. */
const char *gb_left_why(enum gb_left left);

typedef struct gb_inputs {
  int code; /* MPI_SUCCESS, or the error class that every rank returns */
  enum gb_left left;
  bool by_nodes;  /* the ranks find their shared-memory nodes, and rank 0 sends again */
  bool by_names;  /* rank 0: the same, as those that were placed on one host by its name may be on several */
  uint64_t turn;  /* communicators that MPI_Finalize finds are closed in this order */
  uint32_t epoch; /* of news, which are platform and weather and nothing else; 0: of the set-up */
  int verbose;
  bool check;
  uint64_t segment;
  uint32_t lanes;
  char *inter, *intra, *sync; /* NULL: the planner chooses */
  char *platform;             /* canonical text; NULL when there is none */
  size_t platform_length;
  char *plans; /* GBCAST_PLAN, as plans.h has them, or NULL */
  size_t plans_length;
  gb_weather weather; /* to be laid over the platform; source NULL: no live values */
  uint32_t *rank_host;
  uint32_t rank_count;
} gb_inputs;

/* A platform as the text that every rank reads. GBCAST_EMEMORY. */
int gb_inputs_write(const gbcast_platform *p, char **text, size_t *length, gbcast_error *err);

/* Sets `bytes` to a block to be freed. GBCAST_EMEMORY. */
int gb_inputs_encode(const gb_inputs *inputs, char **bytes, size_t *length);

/* Writes the hash of what follows it, in a block of at least 8 bytes. */
void gb_inputs_seal(char *bytes, size_t length);

/* Checks the block's hash and copies what it says. false: it was damaged on its way, or memory ran out. */
bool gb_inputs_decode(const char *bytes, size_t length, gb_inputs *out);
void gb_inputs_release(gb_inputs *inputs);

/* The platform that the inputs say, which takes their weather over. */
int gb_inputs_platform(gb_inputs *inputs, gbcast_platform **out, gbcast_error *err);

#endif
