#include "nws/commands/commands.h"

#include <stdio.h>

void gb_nws_print_error(const char *title, const char *message) {
  fprintf(stderr, "%s: %s\n", title, message);
}

static void warn(void *context, const char *message) {
  const char *const *title = context;
  gb_nws_print_error(*title, message);
}

int gb_nws_choose(const char *title, gb_nws_chooser *chooser, void *context) {
  gb_nws_settings settings;
  gbcast_error err = {"out of memory"};
  int status = gb_nws_settings_read(&settings, warn, &title);
  if (status == GBCAST_OK)
    status = chooser(context, &settings, &err);
  gb_nws_settings_release(&settings);
  if (status == GBCAST_OK)
    return GB_NWS_EXIT_DONE;
  gb_nws_print_error(title, err.message);
  return status == GBCAST_EUSAGE ? GB_NWS_EXIT_USAGE : GB_NWS_EXIT_CANNOT;
}

bool gb_nws_read_port(const char *text, uint16_t *out) {
  bool zero = text[0] == '0' && text[strspn(text, "0")] == '\0';
  *out = 0;
  return zero || gb_nws_port_read(gb_view_of(text), out);
}
