/* The options of gbcast-plan, contract section 2. Those of later versions are known, and refused by name. */
#include "args.h"
#include "numbers.h"

#include <argp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEY_INTER = 0x100,
  KEY_INTRA,
  KEY_SEGMENT,
  KEY_LANES,
  KEY_COMPARE,
  KEY_GRID,
  KEY_LIST,
  KEY_VERBOSE,
  KEY_LATER
};

static const struct argp_option options[] = {
    {"operation", 'o', "bcast|scatter", 0, "What to plan (default bcast)", 0},
    {"size", 'm', "BYTES", 0, "Message size, or block size of a scatter; k, M, G are 1024 (default 1M)", 0},
    {"root", 'r', "HOST|RANK", 0, "Who sends (default: the first host)", 0},
    {"algorithm", 'a', "INTER/INTRA", 0, "Force the algorithms of both levels", 0},
    {"inter", KEY_INTER, "NAME", 0, "Force the algorithm between sites", 0},
    {"intra", KEY_INTRA, "NAME[,CLUSTER]", 0,
     "Force the algorithm inside sites, or inside one; may be repeated", 0},
    {"segment", KEY_SEGMENT, "BYTES", 0, "Force the segment size", 0},
    {"lanes", KEY_LANES, "N", 0, "Force the number of leaders of each site that share a broadcast", 0},
    {"format", 'f', "text|json", 0, "How to print the plan (default text)", 0},
    {"compare", KEY_COMPARE, NULL, 0, "Print every candidate and its predicted time instead", 0},
    {"synthetic", KEY_GRID, "GRID", 0, "Plan for a grid such as 'switch:4 host:8' instead of HOSTS", 0},
    {"list", KEY_LIST, NULL, 0, "List the algorithms and end", 0},
    {"verbose", KEY_VERBOSE, NULL, 0, "Tell every default and assumption on stderr", 0},
    {"sync", KEY_LATER, "NAME", OPTION_HIDDEN, NULL, 0},
    {"live", KEY_LATER + 1, "SOURCE", OPTION_HIDDEN, NULL, 0},
    {"emit-c", KEY_LATER + 2, "FILE", OPTION_HIDDEN | OPTION_ARG_OPTIONAL, NULL, 0},
    {"diff", KEY_LATER + 3, "FILE", OPTION_HIDDEN, NULL, 0},
    {"list-settings", KEY_LATER + 4, NULL, OPTION_HIDDEN, NULL, 0},
    {"max-age", KEY_LATER + 5, "SECONDS", OPTION_HIDDEN, NULL, 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

typedef struct state {
  plan_args *args;
  bool algorithm, compare, format, failed;
} state;

/* One line on stderr. Returns what stops argp. */
__attribute__((format(printf, 2, 3))) static error_t usage(state *s, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("gbcast-plan: ", stderr);
  vfprintf(stderr, format, list);
  putc('\n', stderr);
  va_end(list);
  s->failed = true;
  return EINVAL;
}

static error_t set_bytes(state *s, const char *option, const char *text, uint64_t least, uint64_t *out) {
  if (!read_bytes(text, out) || *out < least) {
    return usage(s, "%s: '%s' is not a size; expected bytes%s, with k, M or G for multiples of 1024", option,
                 text, least > 0 ? ", at least 1" : "");
  }
  return 0;
}

static error_t set_lanes(state *s, const char *text, uint32_t *out) {
  if (!read_count(text, GBCAST_LANES_MOST, out)) {
    return usage(s, "--lanes: '%s' is not a number of lanes; expected 1 to %u", text, GBCAST_LANES_MOST);
  }
  return 0;
}

static error_t set_inter(state *s, const char *name, size_t length) {
  plan_args *a = s->args;
  if (length == 0) {
    return usage(s, "the name of an algorithm between sites is missing; --list shows them");
  }
  if (a->inter != NULL) {
    return usage(s, "the algorithm between sites is forced twice");
  }
  a->inter = strndup(name, length);
  return a->inter == NULL ? ENOMEM : 0;
}

/* Several --intra become one list: "flat,lyon;chain,ottawa". */
static error_t add_intra(state *s, const char *name) {
  plan_args *a = s->args;
  if (*name == '\0' || *name == ',') {
    return usage(s, "the name of an algorithm inside sites is missing; --list shows them");
  }
  size_t have = a->intra == NULL ? 0 : strlen(a->intra);
  char *grown = realloc(a->intra, have + strlen(name) + 2);
  if (grown == NULL) {
    return ENOMEM;
  }
  a->intra = grown;
  if (have > 0) {
    grown[have++] = ';';
  }
  memcpy(grown + have, name, strlen(name) + 1);
  return 0;
}

static error_t clash(state *s) {
  return usage(s, "--algorithm forces both levels; it goes with neither --inter nor --intra");
}

static error_t set_algorithm(state *s, const char *both) {
  const char *slash = strchr(both, '/');
  if (slash == NULL) {
    return usage(s, "--algorithm: '%s' is not INTER/INTRA", both);
  }
  if (s->args->inter != NULL || s->args->intra != NULL) {
    return clash(s);
  }
  s->algorithm = true;
  error_t rc = set_inter(s, both, (size_t)(slash - both));
  return rc != 0 ? rc : add_intra(s, slash + 1);
}

static error_t set_format(state *s, const char *name) {
  s->format = true;
  if (strcmp(name, "dot") == 0 || strcmp(name, "svg") == 0 || strcmp(name, "trace") == 0) {
    return usage(s, "--format=%s is not available in this version", name);
  }
  bool json = strcmp(name, "json") == 0;
  s->args->format = json ? GBCAST_JSON : GBCAST_TEXT;
  return json || strcmp(name, "text") == 0
             ? 0
             : usage(s, "--format: '%s' is unknown; expected text or json", name);
}

static error_t set_operation(state *s, const char *name) {
  if (strcmp(name, "alltoall") == 0) {
    return usage(s, "--operation=alltoall is not available in this version");
  }
  bool scatter = strcmp(name, "scatter") == 0, known = scatter || strcmp(name, "bcast") == 0;
  s->args->request.operation = scatter ? GBCAST_SCATTER : GBCAST_BCAST;
  return known ? 0 : usage(s, "--operation: '%s' is unknown; expected bcast or scatter", name);
}

static error_t set_hosts(state *s, const char *path) {
  if (s->args->hosts != NULL) {
    return usage(s, "one hosts file is expected; '%s' is another", path);
  }
  if (strcmp(path, "-") == 0) {
    return usage(s, "a hosts file on standard input is not available in this version");
  }
  s->args->hosts = path;
  return 0;
}

static error_t refuse_later(state *s, int key) {
  for (size_t i = 0; options[i].name != NULL; i++) {
    if (options[i].key == key) {
      return usage(s, "--%s is not available in this version", options[i].name);
    }
  }
  return ARGP_ERR_UNKNOWN;
}

static error_t at_end(state *s) {
  plan_args *a = s->args;
  if (s->compare && s->format && a->format == GBCAST_JSON) {
    return usage(s, "--compare is a table of text; --format=json lists the candidates anyway");
  }
  if ((a->hosts == NULL) == (a->synthetic == NULL) && !a->list) {
    return usage(s, a->hosts != NULL ? "--synthetic stands in place of a hosts file"
                                     : "the hosts file is missing; --help tells the usage");
  }
  a->format = s->compare ? GBCAST_COMPARE : a->format;
  a->request.inter = a->inter;
  a->request.intra = a->intra;
  return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *argp) {
  state *s = argp->input;
  gbcast_request *r = &s->args->request;
  if (s->algorithm && (key == KEY_INTER || key == KEY_INTRA || key == 'a')) {
    return clash(s);
  }
  switch (key) {
  case 'o':
    return set_operation(s, text);
  case 'm':
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
  case KEY_GRID:
    s->args->synthetic = text;
    return 0;
  case KEY_COMPARE:
  case KEY_LIST:
  case KEY_VERBOSE:
    *(key == KEY_COMPARE ? &s->compare : key == KEY_LIST ? &s->args->list : &s->args->verbose) = true;
    return 0;
  case ARGP_KEY_ARG:
    return set_hosts(s, text);
  case ARGP_KEY_END:
    return at_end(s);
  default:
    return key >= KEY_LATER && key < ARGP_KEY_END ? refuse_later(s, key) : ARGP_ERR_UNKNOWN;
  }
}

/* Visible, or argp does not find it. */
__attribute__((visibility("default"))) const char *argp_program_version = "gbcast-plan " GBCAST_VERSION;

bool parse_args(int argc, char **argv, plan_args *args) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "HOSTS\n--synthetic=GRID",
      .doc = "Shows how gbcast will broadcast or scatter over the grid that the file HOSTS describes, and "
             "how long that is predicted to take.\vExit status: 0 done, 1 the plan cannot be made, 2 wrong "
             "usage.",
  };
  *args = (plan_args){.request = {.operation = GBCAST_BCAST, .bytes = 1u << 20}, .format = GBCAST_TEXT};
  state s = {.args = args};
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
