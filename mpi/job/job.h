/* What a process knows of its job, below any communicator of the library: which MPI library it runs with,
 * which ranks share memory, on which host each rank is, and how errors leave; and what a communicator and the
 * executor share. */
#ifndef GB_MPI_JOB_JOB_H
#define GB_MPI_JOB_JOB_H

#include "mpi/job/collectives.h"
#include "mpi/job/error.h"
#include "mpi/job/group_ranks.h"
#include "mpi/job/library.h"
#include "mpi/job/machine.h"
#include "mpi/job/mapping.h"
#include "mpi/job/node.h"
#include "mpi/job/terminal.h"
#include "mpi/job/wire.h"

#endif
