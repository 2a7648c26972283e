/* Which part of a link an edge that leads up may use, where others lead up over the same link. */
#ifndef GB_MPI_SCHEDULE_PARTS_UP_H
#define GB_MPI_SCHEDULE_PARTS_UP_H

#include "plan/core/core.h"

/* The part of the link of `parent` that `child` may use; by weight, over all children in all trees. */
double gb_part_of_parent(const gbcast_plan *plan, uint32_t child, uint32_t parent);

/* The part of the link from its site to that of `parent` that `child` may use; by weight, over all that send
 * between the two. */
double gb_part_of_site(const gbcast_plan *plan, uint32_t child, uint32_t parent);

#endif
