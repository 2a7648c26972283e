/* gbcast-import: makes hosts files and live lines from files of other programs. */
#include "close_stdout.h"
#include "tools/import/import.h"

#include <argp.h>
#include <stdlib.h>

enum { EXIT_DONE = 0, EXIT_CANNOT = 1, EXIT_USAGE = 2 };

enum { KEY_FROM = 0x100, KEY_TO };

/* Visible, or argp does not find it. */
__attribute__((visibility("default"))) const char *argp_program_version = "gbcast-import " GBCAST_VERSION;

typedef struct import_args {
  const char *format, *from, *to;
  char **files; /* NULL behind the last */
} import_args;

static const struct argp_option options[] = {
    {"from", KEY_FROM, "HOST", 0, "Where the measurements began, instead of what the files say", 0},
    {"to", KEY_TO, "HOST", 0, "Where they went", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *text, struct argp_state *state) {
  import_args *args = state->input;
  switch (key) {
  case KEY_FROM:
    args->from = text;
    return 0;
  case KEY_TO:
    args->to = text;
    return 0;
  case ARGP_KEY_ARGS:
    args->format = state->argv[state->next];
    args->files = state->argv + state->next + 1;
    return 0;
  case ARGP_KEY_END:
    if (args->format == NULL)
      argp_error(state, "a format is missing");
    else if (args->files[0] == NULL)
      argp_error(state, "a file is missing; - is standard input");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void say(const char *message) {
  (void)fprintf(stderr, "gbcast-import: %s\n", message);
}

static int read_file(gb_import *m, gb_import_reader *reader, const char *path, gbcast_error *err) {
  const bool standard = strcmp(path, "-") == 0;
  const char *name = standard ? "<stdin>" : path;
  char *text = NULL;
  size_t length = 0;
  int status = gb_read_file(standard ? NULL : path, &(gb_place){name, 1, 1}, NULL, &text, &length, err);
  if (status == GBCAST_OK)
    status = reader(m, name, text, length, err);
  free(text);
  return status;
}

static int import_all(gb_import *m, const import_args *args, gbcast_error *err) {
  gb_import_reader *reader = NULL;
  int status = gb_import_find_format(args->format, &reader, err);
  for (char **file = args->files; *file != NULL && status == GBCAST_OK; file++)
    status = read_file(m, reader, *file, err);
  return status == GBCAST_OK ? gb_import_finish(m, err) : status;
}

int main(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "FORMAT FILE...",
      .doc = "Prints a hosts file, or lines of a live file, from files of other programs. A FILE may be -, "
             "standard input.\v"
             "Formats: slurm (topology.conf, topology.yaml) and simgrid (a platform) become hosts files; "
             "iperf3 (-J), pscheduler (JSON) "
             "and ping (its output) become live lines.\n\n"
             "What cannot be translated is named on standard error.\n\n"
             "Exit status: 0 done, 1 a file cannot be read or used, 2 wrong usage.",
  };
  import_args args = {0};
  gbcast_error err = {""};
  if (atexit(close_stdout) != 0)
    return EXIT_CANNOT;
  argp_err_exit_status = EXIT_USAGE;
  (void)argp_parse(&argp, argc, argv, 0, NULL, &args);
  gb_import m = {.from = args.from, .to = args.to};
  int status = import_all(&m, &args, &err);
  for (uint32_t i = 0; i < m.remarks.count; i++)
    say(m.remarks.line[i]);
  if (m.silent > 0)
    (void)fprintf(stderr, "gbcast-import: %u more such remarks\n", (unsigned)m.silent);
  if (status == GBCAST_OK)
    status = gb_import_write(&m, args.format, args.files, stdout, &err);
  if (status != GBCAST_OK)
    say(err.message);
  gb_import_release(&m);
  return status == GBCAST_OK ? EXIT_DONE : status == GBCAST_EUSAGE ? EXIT_USAGE : EXIT_CANNOT;
}
