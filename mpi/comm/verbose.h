/* What rank 0 says on stderr: for GBCAST_VERBOSE, and when something cannot be done. */
#ifndef GB_MPI_COMM_VERBOSE_H
#define GB_MPI_COMM_VERBOSE_H

#include "plan/core/core.h"

struct gb_comm;
struct gb_settings;

/* 1: gbcast, the MPI library and the hosts file, once in a process. */
void gb_verbose_introduce(const struct gb_comm *c, const struct gb_settings *settings);

/* 1: one line for a new plan; 2: the whole plan. native: MPI's own collective is run. */
void gb_verbose_plan(const struct gb_comm *c, const gbcast_plan *plan, int root, bool native);

/* Why new plans are made, in a line to be freed: what was used last takes so many seconds by the old plans,
 * and by the new ones. NULL: out of memory. */
char *gb_verbose_change(const gbcast_platform *old, const gbcast_platform *new, double before, double after);

/* Rank 0: prints why something cannot be done, or why calls are passed on to MPI. */
void gb_comm_complain(const struct gb_comm *c, const char *why);
void gb_comm_tell_left(const struct gb_comm *c);

#endif
