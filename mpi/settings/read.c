/* The values of settings. In any locale. */
#include "mpi/settings/read.h"
#include "plan/alltoall/alltoall.h"
#include "platform/text/text.h"
#include <gbcast/plan.h>
#include <stdlib.h>
#include <string.h>

static void *field_of(const gb_setting *setting, gb_settings *s) {
  return (char *)s + setting->field;
}

static int refuse(const gb_setting *setting, const char *value, const char *expected, gbcast_error *err) {
  return gb_fail(err, GBCAST_EUSAGE, "%s=%s: expected %s", setting->name, value, expected);
}

static int copy_text(const char *text, size_t length, char **out, gbcast_error *err) {
  char *copy = strndup(text, length);
  if (copy == NULL)
    return gb_no_memory(err);
  free(*out);
  *out = copy;
  return GBCAST_OK;
}

int gb_setting_text(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  return copy_text(value, strlen(value), field_of(setting, out), err);
}

/* "0|1|2" is told as "0, 1 or 2". */
static int refuse_choice(const gb_setting *setting, const char *value, gbcast_error *err) {
  char words[64] = "";
  const char *last = strrchr(setting->value, '|');
  size_t length = 0;
  for (const char *at = setting->value; *at != '\0' && length + sizeof " or " < sizeof words; at++) {
    const char *between = at == last ? " or " : ", ";
    if (*at != '|')
      words[length++] = *at;
    else
      length = (size_t)(stpcpy(words + length, between) - words);
    words[length] = '\0';
  }
  return refuse(setting, value, words, err);
}

int gb_setting_choice(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  int *field = field_of(setting, out), number = 0;
  for (const char *word = setting->value;; number++) {
    size_t length = strcspn(word, "|");
    if (strlen(value) == length && strncmp(word, value, length) == 0) {
      *field = number;
      return GBCAST_OK;
    }
    if (word[length] == '\0')
      return refuse_choice(setting, value, err);
    word += length + 1;
  }
}

int gb_setting_level(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *last = strrchr(setting->value, '|') + 1, *why = NULL;
  uint32_t level = 0;
  if (!gb_read_count(value, strlen(value), &level, &why) || level <= (uint32_t)(*last - '0'))
    return gb_setting_choice(setting, value, out, err);
  *(int *)field_of(setting, out) = *last - '0';
  return GBCAST_OK;
}

int gb_setting_bytes(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *expected = NULL;
  bool ok = gb_read_size(value, strlen(value), field_of(setting, out), &expected);
  return ok ? GBCAST_OK : refuse(setting, value, expected, err);
}

int gb_setting_lanes(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *why = NULL;
  uint32_t *field = field_of(setting, out), lanes = 0;
  if (!gb_read_count(value, strlen(value), &lanes, &why) || lanes > GBCAST_LANES_MOST)
    return refuse(setting, value, "1 to 64 lanes", err);
  *field = lanes;
  return GBCAST_OK;
}

int gb_setting_age(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *why = NULL;
  double *field = field_of(setting, out);
  uint32_t seconds = 0;
  if (!gb_read_count(value, strlen(value), &seconds, &why))
    return refuse(setting, value, "a whole number of seconds, at least 1", err);
  *field = seconds;
  return GBCAST_OK;
}

int gb_setting_seconds(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  double *field = field_of(setting, out), number = 0, place = 1;
  const char *at = value;
  for (; *at >= '0' && *at <= '9'; at++)
    number = number * 10 + (*at - '0');
  if (at > value && *at == '.')
    for (at++; *at >= '0' && *at <= '9'; at++)
      number += (*at - '0') * (place /= 10);
  if (at == value || *at != '\0' || number > GB_MOST_TIME)
    return refuse(setting, value, "a number of seconds, such as 60 or 0.5", err);
  *field = number;
  return GBCAST_OK;
}

int gb_setting_objective(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  double *field = field_of(setting, out);
  if (!gb_read_objective(value, field))
    return refuse(setting, value, "time, cost or a number of seconds above 0", err);
  return GBCAST_OK;
}

int gb_setting_sync(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  gb_sync_choice choice;
  gbcast_error why = {""};
  if (gb_sync_read(value, &choice, &why) != GBCAST_OK)
    return gb_fail(err, GBCAST_EUSAGE, "%s: %s", setting->name, why.message);
  return gb_setting_text(setting, value, out, err);
}

int gb_setting_algorithms(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *slash = strchr(value, '/');
  if (slash == NULL || slash == value || slash[1] == '\0')
    return refuse(setting, value, "INTER/INTRA, such as extended-dijkstra/binomial", err);
  int rc = copy_text(value, (size_t)(slash - value), &out->inter, err);
  return rc == GBCAST_OK ? copy_text(slash + 1, strlen(slash + 1), &out->intra, err) : rc;
}
