/* The command line of gbcast-cp. */
#ifndef GB_TOOLS_CP_ARGS_H
#define GB_TOOLS_CP_ARGS_H

#include "rank_tool.h"
#include "tools/cp/cp.h"

/* Every rank calls it and comes to the same result; only one is to print. */
enum gb_rank_action parse_cp_args(int argc, char **argv, bool prints, gb_cp_options *options);

#endif
