/* gbcast-bench: what the collectives take on the machines of a job, and where a plan loses time.
 *
 *     GBCAST_HOSTS=hosts.txt mpiexec -f hostfile gbcast-bench COMMAND [OPTION...] */
#include "bench/gbcast-bench.h"
#include <gbcast/gbcast.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct command {
  const char *name;
  char *title; /* in messages, also those of getopt_long() */
  int (*run)(int argc, char **argv);
} commands[] = {
    {"real", (char[]){"gbcast-bench real"}, bench_real},
    {"edges", (char[]){"gbcast-bench edges"}, bench_edges},
};

static const char usage[] =
    "usage: mpiexec -n N gbcast-bench COMMAND [OPTION...]\n"
    "  real       time gbcast and the MPI library in turn\n"
    "  edges      time each edge of a plan, and compare it with the prediction\n"
    "Each COMMAND has a --help of its own.\n"
    "  -h, --help                     print this and end\n"
    "  -V, --version                  print the version and end\n"
    "Exit status: 0 done, 1 it cannot be measured or data were wrong, 2 wrong usage.\n";

/* What is not a command: help, the version, or a mistake. Returns the exit status. */
static int other(const char *word, int rank) {
  const bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
  const bool version = strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
  if (rank != 0)
    return help || version ? 0 : 2;
  if (version)
    printf("gbcast-bench %s\n", gbcast_version());
  else if (help)
    fputs(usage, stdout);
  else
    fprintf(stderr, "gbcast-bench: found '%s', expected the command real or edges; --help tells the usage\n",
            word);
  return help || version ? 0 : 2;
}

int main(int argc, char **argv) {
  const struct command *found = NULL;
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
    if (strcmp(argv[1], commands[i].name) == 0)
      found = &commands[i];
  if (found != NULL)
    argv[1] = found->title;
  int status = found != NULL ? found->run(argc - 1, argv + 1) : other(argc > 1 ? argv[1] : "nothing", rank);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("gbcast-bench: cannot write to standard output\n", stderr);
    status = 1;
  }
  MPI_Finalize();
  return status;
}
