/* The options of gbcast-cp(1). As in gbcast-probe, help and version are options like the others: argp must
 * not end the process of one rank alone. */
#include "tools/cp_args.h"
#include "mpi/job/job.h"
#include "platform/text/text.h"

#include <argp.h>
#include <stdarg.h>

enum {
  KEY_MEMORY = 0x100,
  KEY_RESUME,
  KEY_REPLACE,
  KEY_VERIFY,
  KEY_JSON,
  KEY_QUIET,
  KEY_HELP,
  KEY_USAGE,
  KEY_VERSION
};

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
    {"help", KEY_HELP, NULL, 0, "Give this help list", -1},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", -1},
    {"version", KEY_VERSION, NULL, 0, "Print program version", -1},
    {NULL, 0, NULL, 0, NULL, 0},
};

typedef struct parser {
  gb_cp_options *options;
  bool prints, said;
  int asked; /* KEY_HELP, KEY_USAGE, KEY_VERSION or 0 */
} parser;

__attribute__((format(printf, 2, 3))) static error_t usage(parser *s, const char *format, ...) {
  s->said = true;
  if (!s->prints)
    return EINVAL;
  va_list list;
  va_start(list, format);
  fputs("gbcast-cp: ", stderr);
  vfprintf(stderr, format, list);
  putc('\n', stderr);
  va_end(list);
  return EINVAL;
}

static error_t set_memory(parser *s, const char *text) {
  const char *why = NULL;
  if (!gb_read_size(text, strlen(text), &s->options->memory, &why))
    return usage(s, "--memory: found '%s', expected %s", text, why);
  if (s->options->memory < GB_CP_MEMORY_LEAST)
    return usage(s, "--memory: found '%s', expected 4M at least", text);
  return 0;
}

static error_t set_path(parser *s, const char *path) {
  gb_cp_options *o = s->options;
  if (*path == '\0')
    return usage(s, "found an empty name, expected SOURCE and DESTINATION");
  if (o->destination != NULL)
    return usage(s, "found '%s' behind SOURCE and DESTINATION; one file or folder is copied", path);
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
  case KEY_HELP:
  case KEY_USAGE:
  case KEY_VERSION:
    s->asked = s->asked == 0 ? key : s->asked;
    return 0;
  case ARGP_KEY_ARG:
    return set_path(s, text);
  case ARGP_KEY_END:
    if (o->destination == NULL && s->asked == 0)
      return usage(s, "expected SOURCE and DESTINATION, found %s; --help tells more",
                   o->source == NULL ? "neither" : "only one of them");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void say_version(void) {
  char library[GB_VERSION_TEXT];
  gb_library_name(library);
  printf("gbcast-cp " GBCAST_VERSION ", %s\n", library);
}

enum gb_cp_action parse_cp_args(int argc, char **argv, bool prints, gb_cp_options *out) {
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
  parser s = {.options = out, .prints = prints};
  unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP | (prints ? 0 : ARGP_NO_ERRS);
  error_t rc = argp_parse(&argp, argc, argv, flags, NULL, &s);
  if (rc != 0) {
    if (prints && !s.said && rc != EINVAL) /* argp has named unknown options itself */
      fprintf(stderr, "gbcast-cp: %s\n", strerror(rc));
    return GB_CP_USAGE;
  }
  if (s.asked == 0)
    return GB_CP_RUN;
  if (prints && s.asked == KEY_VERSION)
    say_version();
  else if (prints)
    argp_help(&argp, stdout,
              s.asked == KEY_USAGE ? (unsigned)ARGP_HELP_USAGE
                                   : ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC,
              (char[]){"gbcast-cp"});
  return GB_CP_SAID;
}
