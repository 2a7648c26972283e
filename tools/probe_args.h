/* The command line of gbcast-probe. */
#ifndef GB_TOOLS_PROBE_ARGS_H
#define GB_TOOLS_PROBE_ARGS_H

#include "probe/probe.h"
#include "rank_tool.h"

/* Every rank calls it and comes to the same result; only one is to print. */
enum gb_rank_action parse_probe_args(int argc, char **argv, bool prints, gb_probe_options *options);

#endif
