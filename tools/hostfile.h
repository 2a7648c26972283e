/* The hosts in a form that mpiexec takes. */
#ifndef GB_TOOLS_HOSTFILE_H
#define GB_TOOLS_HOSTFILE_H

#include "platform/platform.h"

/* Prints the host of each slot, or of each rank of the job in `places` if there is one, a line each. mpiexec
 * of MPICH (-f) and Open MPI (--hostfile) and srun (SLURM_HOSTFILE, -m arbitrary) all read that; there is no
 * shorter form that two of them share. */
void print_hostfile(const gbcast_platform *platform, const gb_job_places *places, FILE *out);

#endif
