/* What rank 0 says on stderr when something cannot be done. */
#ifndef GB_MPI_COMM_COMPLAIN_H
#define GB_MPI_COMM_COMPLAIN_H

struct gb_comm;

/* Rank 0: prints why something cannot be done, or why calls are passed on to MPI. */
void gb_comm_complain(const struct gb_comm *c, const char *why);
void gb_comm_tell_left(const struct gb_comm *c);

#endif
