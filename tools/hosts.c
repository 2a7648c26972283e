/* The hosts that gbcast-plan plans for. A batch system tells a job of its hosts in the environment. */
#include "hosts.h"
#include "platform/parse.h"

#include <stdlib.h>
#include <string.h>

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

static int from_slurm(gbcast_platform **out, gbcast_error *err) {
  const char *nodes = variable("SLURM_JOB_NODELIST"), *name = "SLURM_TASKS_PER_NODE";
  if (nodes == NULL) {
    return missing("slurm", "SLURM_JOB_NODELIST is not", err);
  }
  if (variable(name) == NULL) {
    name = "SLURM_NTASKS_PER_NODE";
  }
  return gb_job_slurm(nodes, variable(name), name, out, err);
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

static int read_stdin(gbcast_platform **out, gbcast_error *err) {
  static const char name[] = "<stdin>";
  const gb_place start = {name, 1, 1};
  char *text = NULL;
  size_t length = 0;
  int status = gb_read_file(NULL, &start, NULL, &text, &length, err);
  if (status == GBCAST_OK) {
    status = gbcast_platform_parse(text, length, name, out, err);
  }
  free(text);
  return status;
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
  int status = strcmp(args->hosts, "-") == 0 ? read_stdin(platform, err)
                                             : gbcast_platform_read(args->hosts, platform, err);
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
