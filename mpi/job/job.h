/* What a process knows of its job, below any communicator of the library: which MPI library it runs with,
 * which ranks share memory, on which host each rank is, and how errors leave; and what a communicator and the
 * executor share. */
#ifndef GB_MPI_JOB_JOB_H
#define GB_MPI_JOB_JOB_H

#include "mpi/job/library.h"
#include "mpi/job/machine.h"
#include "mpi/job/mapping.h"
#include "mpi/job/wire.h"
#include <mpi.h>
#include <stdio.h>

/* All collectives: a line for each, those with counts first, which are one at each end, or ARRAYS; and the
 * forms in which they are called. DO gets the name of a collective, and that of MPI's. */
#define GB_EACH_BY_COUNTS(ONE, ARRAYS)                                                                       \
  ONE(bcast, Bcast)                                                                                          \
  ONE(scatter, Scatter)                                                                                      \
  ARRAYS(scatterv, Scatterv)                                                                                 \
  ONE(gather, Gather)                                                                                        \
  ARRAYS(gatherv, Gatherv)                                                                                   \
  ONE(allgather, Allgather)                                                                                  \
  ARRAYS(allgatherv, Allgatherv)                                                                             \
  ONE(alltoall, Alltoall)                                                                                    \
  ARRAYS(alltoallv, Alltoallv)                                                                               \
  ONE(reduce, Reduce)                                                                                        \
  ONE(allreduce, Allreduce)                                                                                  \
  ONE(reduce_scatter_block, Reduce_scatter_block)

#define GB_EACH_COUNTED(DO) GB_EACH_BY_COUNTS(DO, DO)
#define GB_EACH_COLLECTIVE(DO) GB_EACH_COUNTED(DO) DO(barrier, Barrier)

#define GB_CALL_KIND(name, title) GB_CALL_##name,
enum gb_call_kind { GB_EACH_COLLECTIVE(GB_CALL_KIND) GB_CALL_KINDS };

enum gb_call_form {
  GB_CALL_BLOCKING,
  GB_CALL_AT_ONCE, /* non-blocking */
  GB_CALL_LATER    /* persistent */
};

/* Errors leave through the communicator's handler, as those of MPI do. */

/* Calls the error handler of `comm`, and returns `code` when that comes back. MPI_SUCCESS: does nothing. */
int gb_raise(MPI_Comm comm, int code);

/* For a rank that has no memory to go on while the others wait for it on the program's own communicator,
 * where they would take what comes next for something else: ends the job. Returns MPI_ERR_NO_MEM if that
 * comes back. */
int gb_give_up(MPI_Comm comm);

/* The error class of an MPI error code. */
int gb_class_of_code(int code);

/* The MPI error class for a gbcast_status. */
int gb_class_of_status(int status);

/* The ranks of a communicator as they are numbered in a group, or in another communicator.
 *
 * Local. (*in)[r] is the rank that rank r of `comm` has there, or MPI_UNDEFINED; `size` of them, to be freed.
 * An MPI error code, after which *in is NULL. */
int gb_group_ranks(MPI_Comm comm, int size, MPI_Group group, int **in);
int gb_comm_ranks(MPI_Comm comm, int size, MPI_Comm other, int **in);

/* The ranks that share memory with each other: those of one node. */

/* Collective: the ranks that share memory with this one, in ascending order. The group is to be freed. */
int gb_nodes_group(MPI_Comm comm, MPI_Group *group);

/* Collective: the lowest of these ranks. */
int gb_nodes_leader(MPI_Comm comm, int *leader);

/* Local: the lowest rank of `comm` that is in the group; MPI_UNDEFINED if none is. */
int gb_nodes_first(MPI_Group group, MPI_Comm comm, int *leader);

/* The terminal of who has started the job, for programs that show progress: stderr, or the terminal to which
 * the launcher's stderr goes, which is to be closed. NULL: there is none, or the launcher runs on another
 * machine. */
FILE *gb_job_terminal(void);

#endif
