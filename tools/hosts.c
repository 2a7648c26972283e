/* The hosts that gbcast-plan plans for. A batch system tells a job of its hosts in the environment. */
#include "hosts.h"
#include "platform/text/text.h"

#include <stdlib.h>
#include <string.h>

enum { COMPONENTS_MOST = 1024 }; /* of a heterogeneous Slurm job; Slurm has a limit of 128 */

/* A variable of the job; an empty one is none. */
static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value != NULL && *value != '\0' ? value : NULL;
}

static int missing(const char *system, const char *names, gbcast_error *err) {
  (void)snprintf(err->message, sizeof err->message,
                 "gbcast-plan: --from=%s: %s set; it has to run inside a job of that batch system", system,
                 names);
  return GBCAST_EINPUT;
}

enum { NAME_ROOM = 64 }; /* of a variable of Slurm */

typedef struct slurm_part {
  char nodes_name[NAME_ROOM], tasks_name[NAME_ROOM];
} slurm_part;

/* The variables of a part of a Slurm job, whose names end in `suffix`. Which tells the nodes has to be set.
 */
static int read_part(const char *suffix, slurm_part *names, gb_slurm_part *part, gbcast_error *err) {
  (void)snprintf(names->nodes_name, NAME_ROOM, "SLURM_JOB_NODELIST%s", suffix);
  (void)snprintf(names->tasks_name, NAME_ROOM, "SLURM_TASKS_PER_NODE%s", suffix);
  if (variable(names->tasks_name) == NULL) {
    (void)snprintf(names->tasks_name, NAME_ROOM, "SLURM_NTASKS_PER_NODE%s", suffix);
  }
  *part = (gb_slurm_part){.nodes = variable(names->nodes_name),
                          .tasks = variable(names->tasks_name),
                          .nodes_name = names->nodes_name,
                          .tasks_name = names->tasks_name};
  char why[NAME_ROOM + 16];
  (void)snprintf(why, sizeof why, "%s is not", names->nodes_name);
  return part->nodes != NULL ? GBCAST_OK : missing("slurm", why, err);
}

/* The number of components of a heterogeneous job; 0: it is not one. `kind` is HET, or as it was called
 * before Slurm 20.02, PACK. */
static int read_components(const char *kind, uint32_t *count, gbcast_error *err) {
  char name[NAME_ROOM];
  const char *why = NULL;
  (void)snprintf(name, sizeof name, "SLURM_%s_SIZE", kind);
  const char *text = variable(name);
  *count = 0;
  if (text == NULL || (gb_read_count(text, strlen(text), count, &why) && *count <= COMPONENTS_MOST)) {
    return GBCAST_OK;
  }
  (void)snprintf(err->message, sizeof err->message, "%s:1:1: found '%.40s', expected a number from 1 to %d",
                 name, text, COMPONENTS_MOST);
  return GBCAST_EINPUT;
}

static int from_slurm(gbcast_platform **out, gbcast_error *err) {
  const char *kind = "HET";
  uint32_t components = 0;
  int status = read_components(kind, &components, err);
  if (status == GBCAST_OK && components == 0) {
    kind = "PACK";
    status = read_components(kind, &components, err);
  }
  const uint32_t parts = components > 0 ? components : 1;
  gb_slurm_part *part = calloc(parts, sizeof *part);
  slurm_part *names = calloc(parts, sizeof *names);
  if (status == GBCAST_OK && (part == NULL || names == NULL)) {
    status = GBCAST_EMEMORY;
  }
  for (uint32_t i = 0; status == GBCAST_OK && i < parts; i++) {
    char suffix[NAME_ROOM / 2] = "";
    if (components > 0) {
      (void)snprintf(suffix, sizeof suffix, "_%s_GROUP_%u", kind, (unsigned)i);
    }
    status = read_part(suffix, &names[i], &part[i], err);
  }
  if (status == GBCAST_OK) {
    status = gb_job_slurm(part, parts, out, err);
  }
  free(part);
  free(names);
  return status;
}

static int from_pbs(gbcast_platform **out, gbcast_error *err) {
  const char *path = variable("PBS_NODEFILE");
  return path != NULL ? gbcast_platform_read(path, out, err) : missing("pbs", "PBS_NODEFILE is not", err);
}

static int from_lsf(gbcast_platform **out, gbcast_error *err) {
  const char *path = variable("LSB_DJOB_HOSTFILE"), *counts = variable("LSB_MCPU_HOSTS"),
             *words = variable("LSB_HOSTS");
  if (path != NULL) {
    return gbcast_platform_read(path, out, err);
  }
  if (counts != NULL) {
    return gb_job_lsf_counts(counts, out, err);
  }
  return words != NULL ? gb_job_lsf_words(words, out, err)
                       : missing("lsf", "none of LSB_DJOB_HOSTFILE, LSB_MCPU_HOSTS and LSB_HOSTS is", err);
}

static void tell(void *context, const char *message) {
  (void)context;
  fprintf(stderr, "%s\n", message);
}

static int read_job(enum batch_system system, gbcast_platform **out, gbcast_error *err) {
  switch (system) {
  case FROM_SLURM:
    return from_slurm(out, err);
  case FROM_PBS:
    return from_pbs(out, err);
  default:
    return from_lsf(out, err);
  }
}

int read_hosts(const plan_args *args, gbcast_platform **platform, gb_job_places *places, gbcast_error *err) {
  if (args->synthetic != NULL) {
    return gbcast_platform_synthetic(args->synthetic, platform, err);
  }
  if (args->hosts == NULL) {
    return read_job(args->from, platform, err);
  }
  const char *path = strcmp(args->hosts, "-") != 0 ? args->hosts : NULL;
  int status = gb_platform_check(path, args->check ? tell : NULL, NULL, platform, err);
  gbcast_platform *job = NULL;
  if (status == GBCAST_OK && args->from != FROM_NONE) {
    status = read_job(args->from, &job, err);
  }
  if (job != NULL) {
    status = gb_job_place(*platform, job, args->verbose ? stderr : NULL, places, err);
  }
  gbcast_platform_free(job);
  return status;
}
