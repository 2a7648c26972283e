/* The options of gbcast-plan(1). */
#include "args.h"
#include "args_set.h"
#include "plan/api/api.h"
#include "platform/live/live.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEY_INTER = 0x100,
  KEY_INTRA,
  KEY_SEGMENT,
  KEY_LANES,
  KEY_SYNC,
  KEY_OBJECTIVE,
  KEY_PARETO,
  KEY_CHECK,
  KEY_COMPARE,
  KEY_EMIT,
  KEY_GRID,
  KEY_FROM,
  KEY_LIVE,
  KEY_MAX_AGE,
  KEY_DIFF,
  KEY_LIST,
  KEY_LIST_SETTINGS,
  KEY_VERBOSE
};

#define BAR_NAME(constant, name, ...) "|" name

static const struct argp_option options[] = {
    {"operation", 'o', &(GB_EACH_OPERATION(BAR_NAME))[1], 0, "What to plan (default bcast)", 0},
    {"size", 'm', "BYTES", 0,
     "Message size (allgather, reduce-scatter: all blocks), or block size of a scatter, gather or "
     "all-to-all; k, M, G are "
     "1024 (default 1M)",
     0},
    {"root", 'r', "HOST|RANK", 0, "Who sends (default: the first host)", 0},
    {"algorithm", 'a', "INTER/INTRA", 0, "Force the algorithms of both levels", 0},
    {"inter", KEY_INTER, "NAME", 0, "Force the algorithm between sites", 0},
    {"intra", KEY_INTRA, "NAME[,CLUSTER]", 0,
     "Force the algorithm inside sites, or inside one; may be repeated", 0},
    {"segment", KEY_SEGMENT, "BYTES", 0, "Force the segment size", 0},
    {"lanes", KEY_LANES, "N", 0, "Force the number of leaders of each site that share a broadcast", 0},
    {"sync", KEY_SYNC, "NAME[:BLOCK]", 0, "Force how the phases of an all-to-all are kept apart", 0},
    {"objective", KEY_OBJECTIVE, "time|cost|SECONDS", 0,
     "What the plan is to be best in: the least time (default), the least cost, or the least cost of what "
     "takes at most so many seconds; HOSTS has to have prices (egress=, hire=)",
     0},
    {"pareto", KEY_PARETO, NULL, 0,
     "Print the plans that no other one beats in both time and cost instead, as text, json or svg", 0},
    {"format", 'f', "text|json|dot|svg|trace|html|hostfile", 0,
     "How to print the plan (default text); hostfile: the hosts alone, for mpiexec of MPICH and Open MPI and "
     "for Slurm",
     0},
    {"check", KEY_CHECK, NULL, 0, "Print all mistakes of HOSTS, or that there are none, and end", 0},
    {"compare", KEY_COMPARE, NULL, 0, "Print every candidate and its predicted time instead", 0},
    {"diff", KEY_DIFF, "FILE", 0,
     "Print what has changed against an earlier plan, printed with --format=json, instead; operation, size "
     "and root are by default those of that plan",
     0},
    {"emit-c", KEY_EMIT, "FILE", OPTION_ARG_OPTIONAL,
     "Write a C routine for this plan that needs only MPI to FILE, or to standard output in place of the "
     "plan",
     0},
    {"synthetic", KEY_GRID, "GRID", 0, "Plan for a grid such as 'switch:4 host:8' instead of HOSTS", 0},
    {"from", KEY_FROM, "slurm|pbs|lsf", 0,
     "Take the hosts of the batch system's job that this runs in; with HOSTS, plan for those of them only",
     0},
    {"live", KEY_LIVE, "SOURCE", 0,
     "Lay live values over the links: nws://HOST[:PORT], file:PATH, or - for standard input", 0},
    {"max-age", KEY_MAX_AGE, "SECONDS", 0, "Of live values; older ones do not count (default 600)", 0},
    {"list", KEY_LIST, NULL, 0, "List the algorithms and end", 0},
    {"list-settings", KEY_LIST_SETTINGS, NULL, 0,
     "List the environment variables that a job reads, and their defaults, and end", 0},
    {"verbose", KEY_VERBOSE, NULL, 0, "Tell every default and assumption on stderr", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t at_end(args_state *s) {
  plan_args *a = s->args;
  if (s->compare && s->format && a->format != GBCAST_TEXT) {
    return wrong_usage(s, "--compare is a table of text; --format=json lists the candidates anyway");
  }
  if (a->synthetic != NULL && (a->hosts != NULL || a->from != FROM_NONE)) {
    return wrong_usage(s, "--synthetic stands in place of %s", a->hosts != NULL ? "a hosts file" : "--from");
  }
  if (a->hosts == NULL && a->synthetic == NULL && a->from == FROM_NONE && !a->list && !a->list_settings) {
    return wrong_usage(s, "the hosts file is missing; --help tells the usage");
  }
  if (a->hosts != NULL && a->live != NULL && strcmp(a->hosts, "-") == 0 && strcmp(a->live, "-") == 0) {
    return wrong_usage(s, "the hosts file and --live cannot both be standard input");
  }
  if (a->check && a->hosts == NULL) {
    return wrong_usage(s, "--check is for a hosts file, which is missing");
  }
  if (a->hostfile && (s->compare || s->emit || a->diff != NULL)) {
    return wrong_usage(
        s, "--format=hostfile prints no plan; it goes with none of --compare, --diff and --emit-c");
  }
  if (s->emit && a->request.operation != GBCAST_BCAST && a->request.operation != GBCAST_ALLTOALL) {
    return wrong_usage(s, "--emit-c is for broadcasts and all-to-alls");
  }
  if (a->size && !gb_has_size(a->request.operation)) {
    return wrong_usage(s, "--size: %s has no size", gb_operation_table[a->request.operation].noun);
  }
  if (s->emit && a->c_file == NULL && (s->compare || s->format)) {
    return wrong_usage(
        s,
        "--emit-c without a file takes the place of the plan; it goes with neither --format nor --compare");
  }
  if (a->pareto && (s->compare || s->emit || a->diff != NULL || a->request.within > 0)) {
    return wrong_usage(s, "--pareto goes with none of --compare, --diff, --emit-c and --objective");
  }
  if (a->pareto && (a->hostfile || (s->format && a->format != GBCAST_TEXT && a->format != GBCAST_JSON &&
                                    a->format != GBCAST_SVG))) {
    return wrong_usage(s, "--pareto prints text, json or svg");
  }
  if (a->pareto && a->request.operation == GBCAST_ALLTOALL) {
    return wrong_usage(s, "--pareto: an all-to-all has one plan, whatever the objective");
  }
  if (a->diff != NULL && (s->emit || s->compare || s->format)) {
    return wrong_usage(
        s, "--diff takes the place of the plan; it goes with none of --format, --compare and --emit-c");
  }
  a->format = s->emit && a->c_file == NULL ? GBCAST_C : s->compare ? GBCAST_COMPARE : a->format;
  a->request.inter = a->inter;
  a->request.intra = a->intra;
  return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *argp) {
  args_state *s = argp->input;
  gbcast_request *r = &s->args->request;
  if (s->algorithm && (key == KEY_INTER || key == KEY_INTRA || key == 'a')) {
    return algorithm_clash(s);
  }
  switch (key) {
  case 'o':
    return set_operation(s, text);
  case 'm':
    s->args->size = true;
    return set_bytes(s, "--size", text, 0, &r->bytes);
  case 'r':
    r->root = text;
    return 0;
  case 'a':
    return set_algorithm(s, text);
  case 'f':
    return set_format(s, text);
  case KEY_INTER:
    return set_inter(s, text, strlen(text));
  case KEY_INTRA:
    return add_intra(s, text);
  case KEY_SEGMENT:
    return set_bytes(s, "--segment", text, 1, &r->segment);
  case KEY_LANES:
    return set_lanes(s, text, &r->lanes);
  case KEY_SYNC:
    r->sync = text;
    return 0;
  case KEY_OBJECTIVE:
    return set_objective(s, text);
  case KEY_PARETO:
    s->args->pareto = true;
    return 0;
  case KEY_EMIT:
    return set_emit(s, text);
  case KEY_GRID:
    s->args->synthetic = text;
    return 0;
  case KEY_FROM:
    return set_from(s, text);
  case KEY_LIVE:
    return set_live(s, text);
  case KEY_MAX_AGE:
    return set_max_age(s, text);
  case KEY_DIFF:
    s->args->diff = text;
    return 0;
  case KEY_CHECK:
    s->args->check = true;
    return 0;
  case KEY_COMPARE:
    s->compare = true;
    return 0;
  case KEY_LIST:
    s->args->list = true;
    return 0;
  case KEY_LIST_SETTINGS:
    s->args->list_settings = true;
    return 0;
  case KEY_VERBOSE:
    s->args->verbose = true;
    return 0;
  case ARGP_KEY_ARG:
    return set_hosts(s, text);
  case ARGP_KEY_END:
    return at_end(s);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Visible, or argp does not find it. */
__attribute__((visibility("default"))) const char *argp_program_version = "gbcast-plan " GBCAST_VERSION;

bool parse_args(int argc, char **argv, plan_args *args) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "HOSTS\n--from=slurm|pbs|lsf [HOSTS]\n--synthetic=GRID",
      .doc = "Shows how a collective operation of gbcast will cross the grid that the file HOSTS "
             "(or standard input: -) describes, and how long that is predicted to take.\vExit status: 0 "
             "done, 1 the plan cannot be "
             "made, 2 wrong usage.",
  };
  *args = (plan_args){.request = {.operation = GBCAST_BCAST, .bytes = 1u << 20},
                      .format = GBCAST_TEXT,
                      .max_age = GB_LIVE_MAX_AGE};
  args_state s = {.args = args};
  argp_err_exit_status = 2;
  error_t rc = argp_parse(&argp, argc, argv, 0, NULL, &s);
  if (rc != 0) {
    if (!s.failed) {
      fprintf(stderr, "gbcast-plan: %s\n", strerror(rc));
    }
    free_args(args);
    return false;
  }
  return true;
}

void free_args(plan_args *args) {
  free(args->inter);
  free(args->intra);
  args->inter = args->intra = NULL;
}
