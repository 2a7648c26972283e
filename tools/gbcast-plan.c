/* gbcast-plan: prints what gbcast will do on a grid, before the job runs. */
#include "args.h"
#include "close_stdout.h"
#include "hostfile.h"
#include "hosts.h"
#include "live.h"
#include "plan/api/api.h"
#include "platform/text/text.h"

#include <errno.h>
#include <gbcast/plan.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_CANNOT = 1, EXIT_USAGE = 2 };

static int fail(int status, const gbcast_error *err) {
  if (status == GBCAST_EUSAGE) {
    fprintf(stderr, "gbcast-plan: %s\n", err->message);
    return EXIT_USAGE;
  }
  if (status == GBCAST_EMEMORY && err->message[0] == '\0') {
    fputs("gbcast-plan: out of memory\n", stderr);
  } else {
    fprintf(stderr, "%s\n", err->message);
  }
  return EXIT_CANNOT;
}

/* How many there are. */
static size_t tell_warnings(const gbcast_platform *platform) {
  const char *warning;
  size_t i = 0;
  for (; (warning = gbcast_platform_warning(platform, i)) != NULL; i++) {
    fprintf(stderr, "%s\n", warning);
  }
  return i;
}

static void tell_notes(const gbcast_platform *platform) {
  const char *note;
  for (size_t i = 0; (note = gbcast_platform_note(platform, i)) != NULL; i++) {
    fprintf(stderr, "%s\n", note);
  }
  (void)gbcast_platform_print_live(platform, stderr);
}

static void tell_checked(const gbcast_platform *platform, const char *path, size_t warnings) {
  printf("%s: %s, hosts: %u, slots: %u, sites: %u\n", path,
         warnings > 0 ? "no errors, but see the warnings" : "no mistakes", gbcast_platform_hosts(platform),
         gbcast_platform_slots(platform), gbcast_platform_clusters(platform));
}

static int print(const gbcast_plan *plan, enum gbcast_format format, FILE *out, gbcast_error *err) {
  int status = gbcast_plan_print(plan, format, out);
  if (status == GBCAST_EUSAGE) {
    (void)snprintf(err->message, sizeof err->message, "--emit-c is for broadcasts and all-to-alls");
  }
  return status;
}

typedef struct routine { /* to be written as C */
  const gbcast_plan *plan;
  int status;
  gbcast_error *err;
} routine;

static int write_routine(FILE *out, void *context) {
  routine *r = context;
  errno = 0;
  r->status = print(r->plan, GBCAST_C, out, r->err);
  return r->status == GBCAST_OK ? 0 : errno != 0 ? errno : EIO;
}

/* The file stays as it was when there is nothing to write. */
static int write_c(const gbcast_plan *plan, const char *path, gbcast_error *err) {
  routine r = {.plan = plan, .status = GBCAST_OK, .err = err};
  const int why = gb_write_file(path, write_routine, &r);
  if (why == 0 || r.status == GBCAST_EUSAGE || r.status == GBCAST_EMEMORY) {
    return r.status;
  }
  return gb_fail(err, GBCAST_EINPUT, "gbcast-plan: cannot write %s: %s", path, strerror(why));
}

/* The root of an earlier plan, as HOST or HOST#K; to be freed. */
static char *name_of(const gb_saved_end *rank) {
  const size_t room = strlen(rank->host) + 24;
  char *name = malloc(room);
  if (name != NULL) {
    (void)snprintf(name, room, rank->k > 0 ? "%s#%llu" : "%s", rank->host, (unsigned long long)rank->k);
  }
  return name;
}

/* Makes a plan that keeps the request's time limit. */
static int make_in_time(const gbcast_platform *platform, const gbcast_request *request, gbcast_plan **plan,
                        gbcast_error *err) {
  const int status = gbcast_plan_make(platform, request, plan, err);
  if (status == GBCAST_OK && request->within > 0 && gbcast_plan_predicted(*plan) > request->within) {
    return gb_fail(err, GBCAST_EINPUT,
                   "no plan was found that takes at most %g s; the fastest found takes %g s", request->within,
                   gbcast_plan_predicted(*plan));
  }
  return status;
}

/* What is not said is as in the earlier plan. */
static int plan_as_before(const gbcast_platform *platform, const gbcast_request *given, const plan_args *args,
                          const gb_saved *then, gbcast_plan **out, gbcast_error *err) {
  gbcast_request request = *given;
  char *root = NULL;
  request.operation = args->operation ? request.operation : then->operation;
  request.bytes = args->size ? request.bytes : then->bytes;
  if (args->size && !gb_has_size(request.operation)) {
    return gb_fail(err, GBCAST_EUSAGE, "--size: %s has no size", gb_operation_table[request.operation].noun);
  }
  if (request.root == NULL && request.operation != GBCAST_ALLTOALL && then->root.host != NULL) {
    request.root = root = name_of(&then->root);
    if (root == NULL) {
      return GBCAST_EMEMORY;
    }
  }
  const int status = make_in_time(platform, &request, out, err);
  free(root);
  return status;
}

static int plan_and_diff(const gbcast_platform *platform, const gbcast_request *request,
                         const plan_args *args, gbcast_error *err) {
  gb_saved then;
  gbcast_plan *plan = NULL;
  int status = gb_saved_read(args->diff, &then, err);
  if (status != GBCAST_OK) {
    return status;
  }
  status = plan_as_before(platform, request, args, &then, &plan, err);
  if (status == GBCAST_OK) {
    status = gb_plan_diff(&then, plan, stdout, err);
  }
  gbcast_plan_free(plan);
  gb_saved_release(&then);
  return status;
}

static int plan_and_print(const gbcast_platform *platform, const gbcast_request *given, const plan_args *args,
                          gbcast_error *err) {
  gbcast_request request = *given;
  gbcast_plan *plan = NULL;
  request.chosen_only = args->format != GBCAST_JSON && args->format != GBCAST_COMPARE;
  int status = make_in_time(platform, &request, &plan, err);
  if (status == GBCAST_OK) {
    status = gbcast_plan_check(plan, err);
  }
  if (status == GBCAST_OK && args->c_file != NULL) {
    status = write_c(plan, args->c_file, err);
  }
  if (status == GBCAST_OK) {
    status = print(plan, args->format, stdout, err);
    if (status == GBCAST_EINPUT) {
      status = GBCAST_OK; /* close_stdout says so, once */
    }
  }
  gbcast_plan_free(plan);
  return status;
}

static int plan_and_print_pareto(const gbcast_platform *platform, const gbcast_request *request,
                                 const plan_args *args, gbcast_error *err) {
  gb_pareto pareto;
  int status = gb_pareto_make(platform, request, &pareto, err);
  if (status != GBCAST_OK) {
    return status;
  }
  status = gb_pareto_print(&pareto, args->format, stdout);
  gb_pareto_free(&pareto);
  return status == GBCAST_EINPUT ? GBCAST_OK : status; /* close_stdout says so, once */
}

int main(int argc, char **argv) {
  if (atexit(close_stdout) != 0) {
    return EXIT_CANNOT;
  }
  plan_args args;
  if (!parse_args(argc, argv, &args)) {
    return EXIT_USAGE;
  }
  if (args.list || args.list_settings) {
    (args.list ? gbcast_list_algorithms : gbcast_list_settings)(stdout);
    free_args(&args);
    return EXIT_DONE;
  }
  gbcast_error err = {""};
  gbcast_platform *platform = NULL;
  gb_job_places places = {0};
  int status = read_hosts(&args, &platform, &places, &err);
  if (status == GBCAST_OK && args.live != NULL) {
    status = lay_live(platform, args.live, args.max_age, &err);
  }
  const size_t warnings = status == GBCAST_OK ? tell_warnings(platform) : 0;
  if (status == GBCAST_OK && args.verbose) {
    tell_notes(platform);
  }
  if (status == GBCAST_OK && args.check) {
    tell_checked(platform, args.hosts, warnings);
  } else if (status == GBCAST_OK && args.hostfile) {
    print_hostfile(platform, &places, stdout);
  } else if (status == GBCAST_OK) {
    gbcast_request request = args.request;
    request.ranks = places.ranks;
    request.rank_host = places.rank_host;
    request.relays = args.format != GBCAST_C && args.c_file == NULL; /* that is for an MPI job */
    status = (args.diff != NULL ? plan_and_diff
              : args.pareto     ? plan_and_print_pareto
                                : plan_and_print)(platform, &request, &args, &err);
  }
  gb_job_places_release(&places);
  gbcast_platform_free(platform);
  free_args(&args);
  return status == GBCAST_OK ? EXIT_DONE : fail(status, &err);
}
