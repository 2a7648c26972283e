/* Shared by the subcommands: the daemon to query, from options, the environment and ~/.nwsrc, and messages.
 */
#ifndef GB_NWS_COMMANDS_CHOOSE_H
#define GB_NWS_COMMANDS_CHOOSE_H

#include "nws/client/client.h"

/* Takes what a command needs from the settings, which are freed afterwards. A gbcast_status, with a message
 * in *err. */
typedef int gb_nws_chooser(void *context, const gb_nws_settings *settings, gbcast_error *err);

/* An exit status, GB_NWS_EXIT_DONE on success. Errors are printed behind `title`. */
int gb_nws_choose(const char *title, gb_nws_chooser *chooser, void *context);

/* A line on standard error: "title: message". */
void gb_nws_print_error(const char *title, const char *message);

#endif
