/* Which host of the platform each rank runs on. Rank 0 only. */
#ifndef GB_MPI_JOB_MAPPING_H
#define GB_MPI_JOB_MAPPING_H

#include "platform/platform.h"
#include <mpi.h>

/* What every rank tells rank 0 about itself. */
typedef struct gb_identity {
  int world_rank; /* in the MPI_COMM_WORLD of rank 0, which fills it in; MPI_UNDEFINED: it is not there */
  int node;       /* lowest rank on its shared-memory node, in MPI_COMM_WORLD; -1: not known */
  int code;       /* of MPI_Get_processor_name() */
  char name[MPI_MAX_PROCESSOR_NAME];
} gb_identity;

/* Whether some ranks are in another MPI_COMM_WORLD than rank 0. */
bool gb_identities_apart(const gb_identity *rank, int size);

/* By processor name, as platform/platform.h has it. With `verbose` short forms are reported to stderr. */
int gb_map_by_name(const gbcast_platform *p, const gb_identity *rank, int size, int verbose,
                   uint32_t *rank_host, gbcast_error *err);

/* By rank in MPI_COMM_WORLD to the slots in file order, from the first again where there are more ranks: so
 * does Hydra. */
int gb_map_by_order(const gbcast_platform *p, const gb_identity *rank, int size, uint32_t *rank_host,
                    gbcast_error *err);

/* A processor name that can stand in a hosts file as it is. */
bool gb_is_plain_name(const char *name);

#endif
