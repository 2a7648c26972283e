/* The hosts that a batch system has given to a job, from the words of its environment. */
#ifndef GB_PLATFORM_JOB_H
#define GB_PLATFORM_JOB_H

#include "platform/platform.h"

/* Each makes the platform that a hosts file of these hosts and slots describes; messages begin with the
 * variable's name, as that of a file would. GBCAST_EINPUT: it cannot be read. */

typedef struct gb_slurm_part { /* of a job: of a heterogeneous one a component, else all */
  const char *nodes;           /* n[01-03,7],gpu-a[1-2]b */
  const char *tasks; /* slots: "4(x2),3" are two hosts with 4 and one with 3, a number alone is for every
                        host; NULL: one each */
  const char *nodes_name, *tasks_name; /* of the variables */
} gb_slurm_part;

int gb_job_slurm(const gb_slurm_part *part, uint32_t parts, gbcast_platform **out, gbcast_error *err);

/* LSB_MCPU_HOSTS: n1 4 n2 4. */
int gb_job_lsf_counts(const char *hosts, gbcast_platform **out, gbcast_error *err);

/* LSB_HOSTS: n1 n1 n2, a word for each slot. */
int gb_job_lsf_words(const char *hosts, gbcast_platform **out, gbcast_error *err);

typedef struct gb_job_places { /* on the hosts of another platform; starts as {0} */
  uint32_t *ranks;             /* of the job on each host, 0 for those that are not in it */
  uint32_t *rank_host;         /* the host of each slot of the job, in their order */
} gb_job_places;

/* Places the job on the hosts of `p`. GBCAST_EINPUT: a host of the job is none of `p` (platform/match.h);
 * names that are not the same are told where `told` is not NULL. */
int gb_job_place(const gbcast_platform *p, const gbcast_platform *job, FILE *told, gb_job_places *places,
                 gbcast_error *err);
void gb_job_places_release(gb_job_places *places);

#endif
