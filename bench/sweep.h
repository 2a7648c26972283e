/* What benchmarks of gbcast next to the MPI library share that go through operations and sizes: options,
 * rounds, and the main program. A line for each size. */
#ifndef GB_BENCH_SWEEP_H
#define GB_BENCH_SWEEP_H

#include "bench/moment.h"
#include "bench/numbers.h"
#include <getopt.h>
#include <stdio.h>

enum { BY_MPI, BY_GBCAST, SIDES };
enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 1001 };

typedef struct sweep {
  bench_call c;
  shared_clock clock;
  long wrong; /* calls that failed or left wrong data on this rank */
  /* options */
  bool wanted[BENCH_OPERATIONS], help;
  size_t least, most, factor;
  int rounds;
  double seconds; /* for one size, about */
  size_t own;     /* the value of the program's own option; 1: it is given, where it takes none */
} sweep;

typedef struct sweep_program {
  const char *name, *usage;
  struct option own; /* has the letter t */
  bool clocked;      /* compares clocks always; otherwise only with its own option */
  void (*print_head)(void);
  long (*measure)(sweep *b); /* one line; how many calls went wrong on all ranks */
} sweep_program;

/* Rounds of both sides that fit in the time, odd; the same on all ranks, as `both` is: s. */
static inline int rounds_for(const sweep *b, double both) {
  double fit = both > 0 ? b->seconds / both : MOST_ROUNDS;
  int rounds = fit < LEAST_ROUNDS ? LEAST_ROUNDS : fit > b->rounds ? b->rounds : (int)fit;
  return rounds | 1;
}

/* All sizes of one operation; how many calls went wrong. */
static inline long sweep_sizes(const sweep_program *p, sweep *b, enum bench_operation operation) {
  long wrong = 0;
  b->c.operation = operation;
  bool ready = allocate(&b->c, b->most);
  if (!ready && b->c.rank == 0)
    fprintf(stderr, "%s: no memory for messages of %zu bytes; a smaller --max may do\n", p->name, b->most);
  const bool sized = operation != BENCH_BARRIER;
  b->c.size = sized ? b->least : 0;
  for (bool more = ready; more; more = sized && b->c.size <= b->most) {
    wrong += p->measure(b);
    b->c.size *= b->factor;
  }
  release(&b->c);
  return wrong + !ready;
}

static inline bool read_options(const sweep_program *p, int argc, char **argv, sweep *b) {
  const struct option known[] = {{"operation", 1, NULL, 'o'}, {"min", 1, NULL, 'm'},
                                 {"max", 1, NULL, 'M'},       {"factor", 1, NULL, 'f'},
                                 {"root", 1, NULL, 'r'},      {"rounds", 1, NULL, 'n'},
                                 {"seconds", 1, NULL, 's'},   p->own,
                                 {"help", 0, NULL, 'h'},      {NULL, 0, NULL, 0}};
  static const size_t largest = 1 << 30; /* MPI's counts are int */
  bool bad = false, wrong = false;
  opterr = b->c.rank == 0;
  for (int c; (c = getopt_long(argc, argv, p->own.has_arg ? "o:m:M:f:r:n:s:ht:" : "o:m:M:f:r:n:s:ht", known,
                               NULL)) != -1;
       wrong |= bad, bad = false) {
    switch (c) {
    case 'o':
      for (enum bench_operation i = BENCH_BCAST; i < BENCH_OPERATIONS; i++)
        b->wanted[i] = i == operation_of(optarg);
      bad |= operation_of(optarg) == BENCH_OPERATIONS;
      break;
    case 'm':
      b->least = number(optarg, 1, largest, &bad);
      break;
    case 'M':
      b->most = number(optarg, 1, largest, &bad);
      break;
    case 'f':
      b->factor = number(optarg, 2, largest, &bad);
      break;
    case 'r':
      b->c.root = (int)number(optarg, 0, (size_t)b->c.ranks - 1, &bad);
      break;
    case 'n':
      b->rounds = (int)number(optarg, LEAST_ROUNDS, MOST_ROUNDS, &bad);
      break;
    case 's':
      b->seconds = (double)number(optarg, 0, 86400, &bad);
      break;
    case 't':
      b->own = p->own.has_arg ? number(optarg, 0, largest, &bad) : 1;
      break;
    case 'h':
      b->help = true;
      break;
    default: /* getopt_long() has named it */
      wrong = true;
    }
    if (bad)
      tell_value(p->name, b->c.rank, c, optarg);
  }
  if (b->least > b->most && b->c.rank == 0)
    fprintf(stderr, "%s: --min=%zu is above --max=%zu\n", p->name, b->least, b->most);
  return no_word_left(p->name, b->c.rank, argc, argv, optind) && !wrong && b->least <= b->most;
}

/* Between MPI_Init() and MPI_Finalize(); returns the exit status. `b`: the options as they are when none is
 * given. */
static inline int sweep_main(const sweep_program *p, int argc, char **argv, sweep b) {
  long wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &b.c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.c.ranks);
  bool good = read_options(p, argc, argv, &b);
  if (!good || b.help) {
    if (good && b.c.rank == 0)
      fputs(p->usage, stdout);
    return good ? 0 : 2;
  }
  if (b.c.rank == 0) {
    print_job(&b.c);
    p->print_head();
  }
  if (p->clocked || b.own > 0)
    b.clock = make_clock(b.c.rank, b.c.ranks);
  for (enum bench_operation i = BENCH_BCAST; i < BENCH_OPERATIONS; i++)
    wrong += b.wanted[i] ? sweep_sizes(p, &b, i) : 0;
  return wrong != 0;
}

#endif
