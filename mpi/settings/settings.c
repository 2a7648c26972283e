/* All settings, and those in the environment. */
#include "mpi/settings/settings.h"
#include "platform/text/text.h"
#include <gbcast/plan.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char prefix[] = "GBCAST_";

enum { PREFIX = sizeof prefix - 1, LONGEST = 64 };

const gb_setting *gb_setting_nearest(const char *name) {
  const gb_setting *nearest = NULL, *s;
  unsigned best = GB_FAR;
  name += PREFIX;
  for (size_t i = 0; (s = gb_setting_at(i)) != NULL; i++)
    if (gb_nearer(name, strlen(name), s->name + PREFIX, &best))
      nearest = s;
  return nearest;
}

int gb_settings_init(gb_settings *out, gbcast_error *err) {
  const gb_setting *s;
  *out = (gb_settings){0};
  int rc = GBCAST_OK;
  for (size_t i = 0; rc == GBCAST_OK && (s = gb_setting_at(i)) != NULL; i++)
    if (s->fallback != NULL)
      rc = s->read(s, s->fallback, out, err);
  return rc;
}

void gb_settings_release(gb_settings *settings) {
  free(settings->hosts);
  free(settings->live);
  free(settings->plan);
  free(settings->inter);
  free(settings->intra);
  free(settings->sync);
  free(settings->stats);
  free(settings->trace);
  *settings = (gb_settings){0};
}

void gbcast_list_settings(FILE *out) {
  static const char row[] = "%-16s  %-27s  %-7s  %s\n";
  const gb_setting *s;
  fprintf(out, row, "Setting", "Value", "Default", "Meaning");
  for (size_t i = 0; (s = gb_setting_at(i)) != NULL; i++)
    fprintf(out, row, s->name, s->value, s->fallback != NULL ? s->fallback : "-", s->meaning);
}

static bool is_setting(const char *name, size_t length) {
  const gb_setting *s;
  for (size_t i = 0; (s = gb_setting_at(i)) != NULL; i++)
    if (strlen(s->name) == length && strncmp(s->name, name, length) == 0)
      return true;
  return false;
}

void gb_settings_find_unknown(void (*report)(void *context, const char *message), void *context) {
  for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
    const size_t length = strcspn(*variable, "=");
    char name[LONGEST], message[3 * LONGEST];
    if (strncmp(*variable, prefix, PREFIX) != 0 || is_setting(*variable, length))
      continue;
    (void)snprintf(name, sizeof name, "%.*s", (int)length, *variable);
    const gb_setting *nearest = gb_setting_nearest(name);
    if (nearest != NULL)
      (void)snprintf(message, sizeof message, "%s is no setting; did you mean %s?", name, nearest->name);
    else
      (void)snprintf(message, sizeof message, "%s is no setting; gbcast-plan --list-settings lists them",
                     name);
    report(context, message);
  }
}

int gb_setting_read(const gb_setting *setting, gb_settings *out, gbcast_error *err) {
  const char *value = getenv(setting->name);
  return value != NULL && value[0] != '\0' ? setting->read(setting, value, out, err) : GBCAST_OK;
}
