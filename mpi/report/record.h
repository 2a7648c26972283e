/* What is known of one call when it is over: for the counts and for the trace. */
#ifndef GB_MPI_REPORT_RECORD_H
#define GB_MPI_REPORT_RECORD_H

#include "mpi/job/job.h"
#include <stdbool.h>
#include <stdint.h>

/* Why a call is passed on to MPI. */
enum gb_passed {
  GB_PASSED_NOT,         /* a plan of gbcast is run */
  GB_PASSED_DISABLED,    /* GBCAST_DISABLE */
  GB_PASSED_NO_HOSTS,    /* preloaded library: GBCAST_HOSTS is not set */
  GB_PASSED_NOT_ALL,     /* preloaded library: some ranks lack it */
  GB_PASSED_REFUSED,     /* the settings or the hosts file cannot be used */
  GB_PASSED_ONE_CLUSTER, /* the planner has chosen MPI's own, in one cluster ... */
  GB_PASSED_PLANNER,     /* ... or elsewhere */
  GB_PASSED_OPERATOR,    /* gbcast does not combine with this operator, or operands of this type */
  GB_PASSED_EARLY,     /* preloaded library: a non-blocking call before a blocking one on the communicator */
  GB_PASSED_NO_THREAD, /* preloaded library: a non-blocking call without a progress thread */
  GB_PASSED_ALONE,     /* one rank */
  GB_PASSED_INTER,     /* an inter-communicator */
  GB_PASSED_WORLDS,    /* ranks of several MPI_COMM_WORLDs */
  GB_PASSED_FULL,      /* there is no communicator left for its messages */
  GB_PASSED_ARGUMENT,  /* preloaded library: an argument is wrong, which MPI will say */
  GB_PASSED_ENDING,    /* in MPI_Finalize */
  GB_PASSED_WAYS
};

typedef struct gb_call_record {
  enum gb_call_kind kind;
  enum gb_call_form form;
  bool own; /* a function of gbcast.h, not MPI's */
  enum gb_passed passed;
  int root;             /* rank */
  uint64_t bytes;       /* of the message, or of one block */
  uint64_t class_bytes; /* this and what follows is of its plan, else 0 */
  uint64_t plan;        /* its hash */
  double predicted;     /* s, for class_bytes */
  double start, end;    /* MPI_Wtime() */
} gb_call_record;

/* The reason as a word for programs, and in words for people. */
const char *gb_passed_word(enum gb_passed why);
const char *gb_passed_why(enum gb_passed why);

enum { GB_CALL_NAME = 40 };

/* "MPI_Ibcast", "gbcast_ibcast", "gbcast_bcast_init". */
void gb_call_name(enum gb_call_kind kind, enum gb_call_form form, bool own, char name[GB_CALL_NAME]);

/* Whether calls are planned by their size: a barrier has none, and the counts of some calls are not known to
 * all ranks. */
bool gb_call_has_class(enum gb_call_kind kind);

#endif
