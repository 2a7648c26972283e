/* The groups of cases, one a file. All are collective over the place's communicator. */
#ifndef GB_CONFORMANCE_CASES_H
#define GB_CONFORMANCE_CASES_H

#include "calls.h"
#include "record.h"
#include "types.h"

/* Not significant at a rank: what is given there in place of arguments. MPI must not look at them. */
#define NO_BUFFER NULL
enum { NO_COUNT = -1 };
#define NO_TYPE MPI_DATATYPE_NULL

/* Runs `cases` on many communicators. */
typedef void cases(record *r, const place *at);
void everywhere(record *r, cases *run);

cases bcast_cases, scatter_cases, scatterv_cases, gather_cases, allgather_cases, alltoall_cases,
    alltoallv_cases, reduction_cases;

void inter_cases(record *r); /* inter-communicators */
void error_cases(record *r);

/* Past 2^31 elements or bytes; on two ranks. false: there is not enough memory. */
bool large_cases(record *r);

#endif
