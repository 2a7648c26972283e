/* The hosts that gbcast-plan plans for: HOSTS, --synthetic and --from. */
#ifndef GB_TOOLS_HOSTS_H
#define GB_TOOLS_HOSTS_H

#include "args.h"

/* The platform; with both HOSTS and --from also *ranks, of the job on each of its hosts, to be freed. */
int read_hosts(const plan_args *args, gbcast_platform **platform, uint32_t **ranks, gbcast_error *err);

#endif
