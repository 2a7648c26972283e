/* The hosts that gbcast-plan plans for: HOSTS, --synthetic and --from. */
#ifndef GB_TOOLS_HOSTS_H
#define GB_TOOLS_HOSTS_H

#include "args.h"
#include "platform/platform.h"

/* The platform; with both HOSTS and --from also the job's places on its hosts, to be released. */
int read_hosts(const plan_args *args, gbcast_platform **platform, gb_job_places *places, gbcast_error *err);

#endif
