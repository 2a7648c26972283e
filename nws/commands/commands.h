/* The subcommands of gbcast-nws. Each gets its arguments with argv[0] "gbcast-nws NAME", reads its options
 * with argp, which exits for --help and for wrong usage, and returns an exit status. */
#ifndef GB_NWS_COMMANDS_COMMANDS_H
#define GB_NWS_COMMANDS_COMMANDS_H

#include "nws/client/client.h"

enum gb_nws_exit { GB_NWS_EXIT_DONE = 0, GB_NWS_EXIT_CANNOT = 1, GB_NWS_EXIT_USAGE = 2 };

typedef int gb_nws_command(int argc, char **argv);

gb_nws_command gb_nws_command_extract, gb_nws_command_forecast, gb_nws_command_search;
gb_nws_command gb_nws_command_sense, gb_nws_command_serve, gb_nws_command_show;

/* ---- Shared by them: the daemon to query, from options, the environment and ~/.nwsrc, and messages ---- */

/* Takes what a command needs from the settings, which are freed afterwards. A gbcast_status, with a message
 * in *err. */
typedef int gb_nws_chooser(void *context, const gb_nws_settings *settings, gbcast_error *err);

/* An exit status, GB_NWS_EXIT_DONE on success. Errors are printed behind `title`. */
int gb_nws_choose(const char *title, gb_nws_chooser *chooser, void *context);

/* Reads a port, or 0: the system chooses. */
bool gb_nws_read_port(const char *text, uint16_t *out);

/* A line on standard error: "title: message". */
void gb_nws_print_error(const char *title, const char *message);

#endif
