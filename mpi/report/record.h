/* What is recorded of one call when it is over, for the counts and for the trace. */
#ifndef GB_MPI_REPORT_RECORD_H
#define GB_MPI_REPORT_RECORD_H

#include "mpi/job/job.h"
#include <stdbool.h>
#include <stdint.h>

/* Why a call was passed on to MPI. */
enum gb_passed {
  GB_PASSED_NOT,         /* it was not passed on: it ran on a plan of gbcast */
  GB_PASSED_DISABLED,    /* GBCAST_DISABLE */
  GB_PASSED_NO_HOSTS,    /* preloaded library: GBCAST_HOSTS is not set */
  GB_PASSED_NOT_ALL,     /* preloaded library: some ranks do not have it */
  GB_PASSED_REFUSED,     /* the settings or the hosts file cannot be used */
  GB_PASSED_ONE_CLUSTER, /* the planner has chosen MPI's own collective, inside one cluster */
  GB_PASSED_PLANNER,     /* the same, across clusters */
  GB_PASSED_OPERATOR,    /* gbcast does not combine with this operator, or operands of this type */
  GB_PASSED_EARLY,     /* preloaded library: a non-blocking call before a blocking one on the communicator */
  GB_PASSED_NO_THREAD, /* preloaded library: a non-blocking call without a progress thread */
  GB_PASSED_ALONE,     /* the communicator has one rank */
  GB_PASSED_INTER,     /* it is an inter-communicator */
  GB_PASSED_WORLDS,    /* it has ranks of several MPI_COMM_WORLDs */
  GB_PASSED_FULL,      /* MPI has no communicator left for gbcast's messages */
  GB_PASSED_ARGUMENT,  /* preloaded library: an argument is wrong, which MPI reports */
  GB_PASSED_ENDING,    /* in MPI_Finalize */
  GB_PASSED_WAYS
};

typedef struct gb_call_record {
  enum gb_call_kind kind;
  enum gb_call_form form;
  bool own; /* it is a function of gbcast.h, not one of MPI */
  enum gb_passed passed;
  int root;             /* rank */
  uint64_t bytes;       /* of the message, or of one block */
  uint64_t class_bytes; /* largest size of its size class. Without a plan this and the next two are 0 */
  uint64_t plan;        /* hash of its plan */
  double predicted;     /* predicted time for class_bytes, s */
  double start, end;    /* by MPI_Wtime() */
} gb_call_record;

/* A reason as one word for programs, and as a sentence for people. */
const char *gb_passed_word(enum gb_passed why);
const char *gb_passed_why(enum gb_passed why);

enum { GB_CALL_NAME = 40 };

/* Writes the name of the function that was called, such as "MPI_Ibcast" or "gbcast_bcast_init". */
void gb_call_name(enum gb_call_kind kind, enum gb_call_form form, bool own, char name[GB_CALL_NAME]);

/* Whether calls of this kind are planned by size. A barrier has no size, and the counts of calls such as
 * MPI_Scatterv() are not known to all ranks. */
bool gb_call_has_class(enum gb_call_kind kind);

#endif
