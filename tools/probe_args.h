/* The command line of gbcast-probe. */
#ifndef GB_TOOLS_PROBE_ARGS_H
#define GB_TOOLS_PROBE_ARGS_H

#include "probe/probe.h"

enum gb_probe_action { GB_PROBE_RUN, GB_PROBE_SAID, GB_PROBE_USAGE };

/* Every rank calls it and comes to the same result; only one is to print. GB_PROBE_SAID: help or
 * version, all is done. GB_PROBE_USAGE: wrong usage, said on stderr. */
enum gb_probe_action parse_probe_args(int argc, char **argv, bool prints, gb_probe_options *options);

#endif
