/* How a command of gbcast-nws learns whom to ask: from its options, the environment and ~/.nwsrc. */
#ifndef GB_NWS_COMMANDS_CHOOSE_H
#define GB_NWS_COMMANDS_CHOOSE_H

#include "nws/client/client.h"

/* Takes what a command needs from the settings, which are gone afterwards. A gbcast_status; other than
 * GBCAST_OK: told in *err. */
typedef int gb_nws_chooser(void *context, const gb_nws_settings *settings, gbcast_error *err);

/* An exit status; GB_NWS_EXIT_DONE: all is chosen. What is wrong is said on standard error, behind `title`.
 */
int gb_nws_choose(const char *title, gb_nws_chooser *chooser, void *context);

#endif
