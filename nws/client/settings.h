/* What the programs of the Network Weather Service take from their surroundings: NAME_SERVER,
 * NAME_SERVER_PORT, SENSOR_MEMORY, ... each from the environment, or else from ~/.nwsrc:
 *
 *      # a comment
 *      NAME_SERVER = ns.example.org:8090
 *      MEMORY_DIR  = "/var/lib/nws \"old\""        one word, or quoted with \ before " and \
 */
#ifndef GB_NWS_CLIENT_SETTINGS_H
#define GB_NWS_CLIENT_SETTINGS_H

#include "nws/wire/wire.h"
#include <gbcast/error.h>

typedef struct gb_nws_settings {
  struct gb_nws_setting {
    char *name, *value;
  } * setting;
  uint32_t count, capacity;
  gb_arena arena;
} gb_nws_settings;

/* Called for each invalid line, which is ignored, with FILE:LINE:COLUMN and what was expected there. */
typedef void gb_nws_warn(void *context, const char *message);

/* The settings in a file's text. GBCAST_EMEMORY is the only error. To be released in any case. */
int gb_nws_settings_parse(gb_nws_settings *out, const char *text, size_t length, const char *file,
                          gb_nws_warn *warn, void *context);

/* Reads ~/.nwsrc, if it exists. A file that cannot be read is reported and counts as empty. */
int gb_nws_settings_read(gb_nws_settings *out, gb_nws_warn *warn, void *context);
void gb_nws_settings_release(gb_nws_settings *settings);

/* The value, or NULL. The last line with this name counts. */
const char *gb_nws_setting(const gb_nws_settings *settings, const char *name);

/* The port in a setting, or `otherwise` without one. GBCAST_EINPUT: it is no port. */
int gb_nws_setting_port(const gb_nws_settings *settings, const char *name, uint16_t otherwise, uint16_t *out,
                        gbcast_error *err);

/* The name server in `text`, or, if that is NULL, in NAME_SERVER; its default port is NAME_SERVER_PORT or
 * 8090. GBCAST_EUSAGE: `text` is invalid, or both are missing; GBCAST_EINPUT: a setting is invalid. */
int gb_nws_setting_name_server(const gb_nws_settings *settings, const char *text, gb_nws_address *out,
                               gbcast_error *err);

#endif
