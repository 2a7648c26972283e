/* The command line of gbcast-cp. */
#ifndef GB_TOOLS_CP_ARGS_H
#define GB_TOOLS_CP_ARGS_H

#include "tools/cp/cp.h"

enum gb_cp_action { GB_CP_RUN, GB_CP_SAID, GB_CP_USAGE };

/* Every rank calls it and comes to the same result; only one is to print. GB_CP_SAID: help or version, all is
 * done. GB_CP_USAGE: wrong usage, said on stderr. */
enum gb_cp_action parse_cp_args(int argc, char **argv, bool prints, gb_cp_options *options);

#endif
