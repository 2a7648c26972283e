/* The options of gbcast-cp(1). */
#include "cp_args.h"
#include "platform/text/text.h"

enum { KEY_MEMORY = 0x100, KEY_RESUME, KEY_REPLACE, KEY_VERIFY, KEY_JSON, KEY_QUIET };

static const struct argp_option options[] = {
    {"compress", 'z', NULL, 0, "Compress data where that makes the copy faster", 0},
    {"follow", 'L', NULL, 0, "Copy what symbolic links in SOURCE point to, not the links", 0},
    {"resume", KEY_RESUME, NULL, 0,
     "Send only what differs from what a copy that was stopped has left, or from what is to be replaced", 0},
    {"replace", KEY_REPLACE, NULL, 0, "Replace a folder that is there already, with all that is in it", 0},
    {"verify", KEY_VERIFY, NULL, 0, "Read everything from the disk again, and compare it with SOURCE", 0},
    {"memory", KEY_MEMORY, "BYTES", 0, "For data on the way, on each host (default 64M, at least 4M)", 0},
    {"json", KEY_JSON, NULL, 0, "Print the result on standard output, as JSON", 0},
    {"quiet", KEY_QUIET, NULL, 0, "Show no progress on a terminal", 0},
    GB_RANK_OPTIONS,
};

typedef struct parser {
  gb_cp_options *options;
  gb_rank_args args;
} parser;

static error_t set_memory(parser *s, const char *text) {
  const char *why = NULL;
  if (!gb_read_size(text, strlen(text), &s->options->memory, &why))
    return gb_rank_usage(&s->args, "--memory: found '%s', expected %s", text, why);
  if (s->options->memory < GB_CP_MEMORY_LEAST)
    return gb_rank_usage(&s->args, "--memory: found '%s', expected 4M at least", text);
  return 0;
}

static error_t set_path(parser *s, const char *path) {
  gb_cp_options *o = s->options;
  if (*path == '\0')
    return gb_rank_usage(&s->args, "found an empty name, expected SOURCE and DESTINATION");
  if (o->destination != NULL)
    return gb_rank_usage(&s->args, "found '%s' behind SOURCE and DESTINATION; one file or folder is copied",
                         path);
  if (o->source == NULL)
    o->source = path;
  else
    o->destination = path;
  return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *argp) {
  parser *s = argp->input;
  gb_cp_options *o = s->options;
  switch (key) {
  case 'z':
    o->compress = true;
    return 0;
  case 'L':
    o->follow = true;
    return 0;
  case KEY_RESUME:
    o->resume = true;
    return 0;
  case KEY_REPLACE:
    o->replace = true;
    return 0;
  case KEY_VERIFY:
    o->verify = true;
    return 0;
  case KEY_JSON:
    o->json = true;
    return 0;
  case KEY_QUIET:
    o->quiet = true;
    return 0;
  case KEY_MEMORY:
    return set_memory(s, text);
  case ARGP_KEY_ARG:
    return set_path(s, text);
  case ARGP_KEY_END:
    if (o->destination == NULL && s->args.asked == 0)
      return gb_rank_usage(&s->args, "expected SOURCE and DESTINATION, found %s; --help tells more",
                           o->source == NULL ? "neither" : "only one of them");
    return 0;
  default:
    return gb_rank_option(&s->args, key);
  }
}

enum gb_rank_action parse_cp_args(int argc, char **argv, bool prints, gb_cp_options *out) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "SOURCE DESTINATION",
      .doc =
          "Copies a file or a folder from the host of rank 0 to the hosts of all ranks. Run it with mpiexec, "
          "one rank on each host. If DESTINATION ends with /, SOURCE is copied into that folder.\v"
          "DESTINATION appears on a host when all of it is there. Exit status: 0 it is on all hosts, "
          "1 it is not, 2 wrong usage.",
  };
  *out = (gb_cp_options){.memory = GB_CP_MEMORY};
  parser s = {.options = out, .args = {.program = GBCAST_PROGRAM, .prints = prints}};
  return gb_rank_parse(&argp, argc, argv, &s.args, &s);
}
