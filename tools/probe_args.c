/* The options of gbcast-probe(1). */
#include "probe_args.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_HOSTS = 0x100, KEY_MERGE, KEY_CHECK, KEY_SIZES, KEY_BUDGET, KEY_QUIET };
enum { SIZE_MOST = 256 << 20 };

static const struct argp_option options[] = {
    {"hosts", KEY_HOSTS, "FILE", 0, "Measure the sites of this hosts file (default: find the sites)", 0},
    {"merge", KEY_MERGE, "FILE", 0,
     "Measure the sites of this hosts file, and update its numbers and nothing else", 0},
    {"check", KEY_CHECK, "FILE", 0,
     "Measure some of what this hosts file says, and tell which of its lines are wrong by how much", 0},
    {"output", 'o', "FILE", 0, "Write the hosts file here (default: standard output; with --merge, its file)",
     0},
    {"sizes", KEY_SIZES, "BYTES,...", 0,
     "Message sizes, rising; k, M are 1024 (default 256,1k,4k,16k,64k,256k,1M)", 0},
    {"budget", KEY_BUDGET, "SECONDS", 0,
     "Measure no longer than this (default: as long as enough samples take)", 0},
    {"quiet", KEY_QUIET, NULL, 0, "Show no progress and name no outliers on stderr", 0},
    GB_RANK_OPTIONS,
};

typedef struct state {
  gb_probe_options *options;
  gb_rank_args args;
  int file; /* KEY_HOSTS, KEY_MERGE, KEY_CHECK or 0 */
} state;

static error_t set_sizes(state *s, const char *list) {
  gb_probe_options *o = s->options;
  o->size_count = 0;
  for (const char *at = list;; at++) {
    size_t length = strcspn(at, ",");
    const char *why = NULL;
    uint64_t bytes = 0;
    if (o->size_count == GB_PROBE_SIZES)
      return gb_rank_usage(&s->args, "--sizes: at most %d sizes are measured", GB_PROBE_SIZES);
    if (!gb_read_size(at, length, &bytes, &why))
      return gb_rank_usage(&s->args, "--sizes: found '%.*s', expected %s", (int)length, at, why);
    if (bytes > SIZE_MOST)
      return gb_rank_usage(&s->args, "--sizes: '%.*s' is too large; at most 256M are measured", (int)length,
                           at);
    if (o->size_count > 0 && bytes <= o->size[o->size_count - 1])
      return gb_rank_usage(&s->args, "--sizes: '%.*s' is not above the size before it", (int)length, at);
    o->size[o->size_count++] = bytes;
    at += length;
    if (*at == '\0')
      return 0;
  }
}

static error_t set_budget(state *s, const char *text) {
  char *end = NULL;
  double seconds = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(seconds) || seconds <= 0 || seconds > 86400)
    return gb_rank_usage(&s->args, "--budget: found '%s', expected seconds above 0, at most 86400", text);
  s->options->budget = seconds;
  return 0;
}

static error_t set_file(state *s, int key, const char *path) {
  if (s->file != 0 && s->file != key)
    return gb_rank_usage(&s->args, "expected one of --hosts, --merge and --check, found two of them");
  s->file = key;
  s->options->hosts = path;
  s->options->merge = key == KEY_MERGE;
  s->options->check = key == KEY_CHECK;
  return 0;
}

static error_t check_together(state *s) {
  gb_probe_options *o = s->options;
  if (o->check && o->output != NULL)
    return gb_rank_usage(&s->args, "--check writes no file; it does not go with --output");
  if (o->merge && o->output == NULL)
    o->output = o->hosts;
  return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *argp) {
  state *s = argp->input;
  switch (key) {
  case KEY_HOSTS:
  case KEY_MERGE:
  case KEY_CHECK:
    return set_file(s, key, text);
  case 'o':
    s->options->output = text;
    return 0;
  case KEY_SIZES:
    return set_sizes(s, text);
  case KEY_BUDGET:
    return set_budget(s, text);
  case KEY_QUIET:
    s->options->quiet = true;
    return 0;
  case ARGP_KEY_END:
    return check_together(s);
  case ARGP_KEY_ARG:
    return gb_rank_usage(
        &s->args, "found '%s'; a hosts file is given with --hosts=%s, no other word is expected", text, text);
  default:
    return gb_rank_option(&s->args, key);
  }
}

enum gb_rank_action parse_probe_args(int argc, char **argv, bool prints, gb_probe_options *out) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .doc =
          "Measures the network between the ranks of an MPI job and writes the hosts file that gbcast plans "
          "from. Run it with mpiexec, one rank on each host.\vExit status: 0 done, 1 it cannot be measured "
          "or "
          "written, 2 wrong usage.",
  };
  static const uint64_t sizes[] = {256, 1024, 4096, 16384, 65536, 262144, 1048576};
  *out = (gb_probe_options){
      .budget = INFINITY, .size_count = sizeof sizes / sizeof *sizes, .version = GBCAST_VERSION};
  memcpy(out->size, sizes, sizeof sizes);
  state s = {.options = out, .args = {.program = GBCAST_PROGRAM, .prints = prints}};
  return gb_rank_parse(&argp, argc, argv, &s.args, &s);
}
