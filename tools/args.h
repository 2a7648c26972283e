/* The command line of gbcast-plan. */
#ifndef GB_TOOLS_ARGS_H
#define GB_TOOLS_ARGS_H

#include <gbcast/plan.h>
#include <stdbool.h>

enum batch_system { FROM_NONE, FROM_SLURM, FROM_PBS, FROM_LSF };

typedef struct plan_args {
  const char *hosts, *synthetic; /* one of them, or neither where there is a batch system */
  enum batch_system from;        /* with `hosts` its job takes part, else it is all there is */
  gbcast_request request;
  enum gbcast_format format;
  const char *c_file;   /* where the plan goes as C as well as in `format`; NULL: nowhere */
  const char *live;     /* source of live values, or NULL */
  double max_age;       /* s */
  const char *diff;     /* an earlier plan to hold this one against, or NULL */
  bool operation, size; /* they were given */
  bool hostfile;        /* the hosts in the place of a plan */
  bool check;           /* the mistakes of the hosts file */
  bool pareto;          /* the plans that no other one beats in both time and cost */
  bool list, list_settings, verbose;
  char *inter, *intra; /* owned; the request points here */
} plan_args;

/* Ends the process for --help and --version. False after a message on stderr about wrong usage. */
bool parse_args(int argc, char **argv, plan_args *args);
void free_args(plan_args *args);

#endif
