/* gbcast-nws forecast: measurements in, forecasts out. */
#include "nws/commands.h"

#include <argp.h>

int gb_nws_command_forecast(int argc, char **argv) {
  static const struct argp argp = {
      .args_doc = "[FILE]",
      .doc = "Reads lines `timestamp value` and prints, for each, the forecasts for the next.",
  };
  return argp_parse(&argp, argc, argv, 0, NULL, NULL) == 0 ? GB_NWS_EXIT_DONE : GB_NWS_EXIT_CANNOT;
}
