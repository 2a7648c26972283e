/* The subcommands of gbcast-nws. Each gets its arguments with argv[0] "gbcast-nws NAME", reads its options
 * with argp, which exits for --help and for wrong usage, and returns an exit status. */
#ifndef GB_NWS_COMMANDS_COMMANDS_H
#define GB_NWS_COMMANDS_COMMANDS_H

enum gb_nws_exit { GB_NWS_EXIT_DONE = 0, GB_NWS_EXIT_CANNOT = 1, GB_NWS_EXIT_USAGE = 2 };

typedef int gb_nws_command(int argc, char **argv);

gb_nws_command gb_nws_command_extract, gb_nws_command_forecast, gb_nws_command_search;
gb_nws_command gb_nws_command_sense, gb_nws_command_serve, gb_nws_command_show;

#endif
