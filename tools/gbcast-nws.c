/* gbcast-nws: the network's weather: its services, its readings and its forecasts. */
#include "close_stdout.h"
#include "nws/commands/commands.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command {
  const char *name, *what;
  gb_nws_command *run;
} commands[] = {
    {"extract", "Print stored measurements with their forecasts", gb_nws_command_extract},
    {"forecast", "Turn measurements into forecasts", gb_nws_command_forecast},
    {"search", "Print what a name server knows", gb_nws_command_search},
    {"sense", "Measure the network between this host and others", gb_nws_command_sense},
    {"serve", "Run a name server and a memory", gb_nws_command_serve},
    {"show", "Show what links are like now", gb_nws_command_show},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

/* Visible, or argp does not find it. */
__attribute__((visibility("default"))) const char *argp_program_version = "gbcast-nws " GBCAST_VERSION;

static void print_names(FILE *out) {
  for (size_t i = 0; i < COMMANDS; i++)
    fprintf(out, "%s%s", i == 0 ? " " : ", ", commands[i].name);
  putc('\n', out);
}

static const struct command *find(const char *name) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

/* The first word that is no option ends what is read here: the rest is the command's. */
static error_t parse_option(int key, char *word, struct argp_state *state) {
  if (key != ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  (void)word;
  *(int *)state->input = state->next - 1;
  state->next = state->argc;
  return 0;
}

/* Index of the command's name in argv, 0 when there is none. Does not return from --help. */
static int command_index(int argc, char **argv) {
  struct argp_option options[COMMANDS + 2] = {{.doc = "Commands:"}};
  for (size_t i = 0; i < COMMANDS; i++)
    options[i + 1] = (struct argp_option){
        .name = commands[i].name, .doc = commands[i].what, .flags = OPTION_DOC | OPTION_NO_USAGE};
  const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "COMMAND [ARGUMENT...]",
      .doc =
          "Measures, stores, shows and forecasts how fast a network is at the moment, in the manner of the "
          "Network Weather Service.\vEach COMMAND has a --help of its own. Exit status: 0 done, 1 it "
          "cannot be done, 2 wrong usage.",
  };
  int index = 0;
  argp_err_exit_status = GB_NWS_EXIT_USAGE;
  (void)argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &index);
  return index;
}

int main(int argc, char **argv) {
  if (atexit(close_stdout) != 0)
    return GB_NWS_EXIT_CANNOT;
  int at = command_index(argc, argv);
  const struct command *command = at > 0 ? find(argv[at]) : NULL;
  if (command == NULL) {
    if (at > 0)
      fprintf(stderr, "gbcast-nws: '%s' is no command; the commands are", argv[at]);
    else
      fputs("gbcast-nws: a command is missing; the commands are", stderr);
    print_names(stderr);
    return GB_NWS_EXIT_USAGE;
  }
  char title[32]; /* how the command is called in messages */
  (void)snprintf(title, sizeof title, "gbcast-nws %s", command->name);
  argv[at] = title;
  return command->run(argc - at, argv + at);
}
