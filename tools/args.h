/* The command line of gbcast-plan. */
#ifndef GB_TOOLS_ARGS_H
#define GB_TOOLS_ARGS_H

#include <gbcast/plan.h>
#include <stdbool.h>

typedef struct plan_args {
  const char *hosts, *synthetic; /* one of them */
  gbcast_request request;
  enum gbcast_format format;
  const char *c_file;   /* where the plan goes as C as well as in `format`; NULL: nowhere */
  const char *live;     /* source of live values, or NULL */
  double max_age;       /* s */
  const char *diff;     /* an earlier plan to hold this one against, or NULL */
  bool operation, size; /* they were given */
  bool list, list_settings, verbose;
  char *inter, *intra; /* owned; the request points here */
} plan_args;

/* Ends the process for --help and --version. False after a message on stderr about wrong usage. */
bool parse_args(int argc, char **argv, plan_args *args);
void free_args(plan_args *args);

#endif
