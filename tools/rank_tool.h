/* What commands that are MPI programs share: every rank reads the same command line, and one of them prints.
 * argp must not end the process of one rank alone, so help and version are options like the others. */
#ifndef GB_TOOLS_RANK_TOOL_H
#define GB_TOOLS_RANK_TOOL_H

#include <argp.h>
#include <stdbool.h>

enum { GB_KEY_HELP = 0x1000, GB_KEY_USAGE, GB_KEY_VERSION };

/* The last lines of a table of options. */
#define GB_RANK_OPTIONS                                                                                      \
  {"help", GB_KEY_HELP, NULL, 0, "Give this help list", -1},                                                 \
      {"usage", GB_KEY_USAGE, NULL, 0, "Give a short usage message", -1},                                    \
      {"version", GB_KEY_VERSION, NULL, 0, "Print program version", -1}, {                                   \
    NULL, 0, NULL, 0, NULL, 0                                                                                \
  }

typedef struct gb_rank_args {
  const char *program; /* what messages begin with */
  bool prints;         /* on one rank */
  int asked;           /* GB_KEY_HELP, GB_KEY_USAGE, GB_KEY_VERSION or 0 */
} gb_rank_args;

enum gb_rank_action {
  GB_RANK_RUN,
  GB_RANK_SAID, /* help or version: all is done */
  GB_RANK_USAGE /* wrong usage, said on stderr */
};

/* Says what is wrong with the usage, in the form of printf, and returns EINVAL. */
__attribute__((format(printf, 2, 3))) error_t gb_rank_usage(gb_rank_args *args, const char *format, ...);

/* For keys that a parser does not know itself: takes those of GB_RANK_OPTIONS. */
error_t gb_rank_option(gb_rank_args *args, int key);

/* Reads the command line; `input` is what the parser finds in argp_state.input, and holds `args`. Every rank
 * comes to the same result. */
enum gb_rank_action gb_rank_parse(const struct argp *argp, int argc, char **argv, gb_rank_args *args,
                                  void *input);

/* Begins MPI, with MPI_THREAD_FUNNELED. false: that is impossible, said on stderr. */
bool gb_rank_start(const char *program, int *argc, char ***argv, int *rank);

/* Ends MPI. Returns the exit status: 0 done, 1 failed (or standard output cannot be written), 2 wrong usage.
 */
int gb_rank_finish(const char *program, enum gb_rank_action action, bool done);

#endif
