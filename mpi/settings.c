/* The settings: environment variables, or MPI_Info keys of the same name in lower case. Read on rank 0 only.
 */
#include "mpi/settings.h"
#include "nws/client/weather.h"
#include "plan/alltoall.h"
#include "platform/overlay.h"
#include "platform/units.h"
#include <gbcast/plan.h>
#include <stdlib.h>
#include <string.h>

static const char *const setting_name[GB_SETTING_COUNT] = {
    "GBCAST_HOSTS",   "GBCAST_LIVE",    "GBCAST_MAX_AGE", "GBCAST_MAP",   "GBCAST_ALGORITHM",
    "GBCAST_INTER",   "GBCAST_INTRA",   "GBCAST_SEGMENT", "GBCAST_LANES", "GBCAST_SYNC",
    "GBCAST_VERBOSE", "GBCAST_DISABLE", "GBCAST_REFRESH",
};

static int read_key(MPI_Info info, const char *name, char **value) {
  char key[32];
  size_t i = 0;
  for (; name[i] != '\0' && i < sizeof key - 1; i++)
    key[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]); /* in any locale */
  key[i] = '\0';
  int length, found;
  int rc = MPI_Info_get_valuelen(info, key, &length, &found);
  if (rc != MPI_SUCCESS || !found)
    return rc;
  char *text = calloc((size_t)length + 1, 1); /* SMPI writes no zero at the end */
  if (text == NULL)
    return MPI_ERR_NO_MEM;
  rc = MPI_Info_get(info, key, length, text, &found);
  if (rc != MPI_SUCCESS || !found) {
    free(text);
    return rc;
  }
  free(*value);
  *value = text;
  return MPI_SUCCESS;
}

void gb_overrides_read(const char *hosts_path, MPI_Info info, gb_overrides *out) {
  *out = (gb_overrides){0};
  int rc = MPI_SUCCESS;
  for (int i = 0; rc == MPI_SUCCESS && info != MPI_INFO_NULL && i < GB_SETTING_COUNT; i++)
    rc = read_key(info, setting_name[i], &out->value[i]);
  if (rc == MPI_SUCCESS && hosts_path != NULL) {
    free(out->value[GB_SET_HOSTS]);
    out->value[GB_SET_HOSTS] = strdup(hosts_path);
    if (out->value[GB_SET_HOSTS] == NULL)
      rc = MPI_ERR_NO_MEM;
  }
  out->code = rc;
}

void gb_overrides_release(gb_overrides *overrides) {
  for (int i = 0; i < GB_SETTING_COUNT; i++)
    free(overrides->value[i]);
  gb_nws_weather_close(overrides->service);
  *overrides = (gb_overrides){0};
}

/* NULL when the setting is not given; an empty value counts as not given. */
static const char *value_of(const gb_overrides *overrides, enum gb_setting which) {
  const char *value = overrides->value[which] != NULL ? overrides->value[which] : getenv(setting_name[which]);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

int gb_settings_verbose(const gb_overrides *overrides) {
  const char *value = value_of(overrides, GB_SET_VERBOSE);
  if (value == NULL)
    return 0;
  return strlen(value) == 1 && value[0] >= '0' && value[0] <= '2' ? value[0] - '0' : -1;
}

static int refuse(gbcast_error *err, enum gb_setting which, const char *value, const char *expected) {
  return gb_fail(err, GBCAST_EUSAGE, "%s=%s: expected %s", setting_name[which], value, expected);
}

static int read_bytes(const char *value, uint64_t *out, gbcast_error *err) {
  static const char expected[] = "a size of at least 1 byte, such as 65536 or 64k";
  if (value[0] < '0' || value[0] > '9')
    return refuse(err, GB_SET_SEGMENT, value, expected);
  char *end;
  uint64_t number = strtoull(value, &end, 10);
  int shift = *end == 'k' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  if (shift != 0)
    end++;
  if (*end != '\0' || number == 0 || number > (UINT64_MAX >> 1) >> shift)
    return refuse(err, GB_SET_SEGMENT, value, expected);
  *out = number << shift;
  return GBCAST_OK;
}

static int read_lanes(const char *value, uint32_t *out, gbcast_error *err) {
  char *end = NULL;
  unsigned long number = value[0] >= '0' && value[0] <= '9' ? strtoul(value, &end, 10) : 0;
  if (end == NULL || *end != '\0' || number == 0 || number > GBCAST_LANES_MOST)
    return refuse(err, GB_SET_LANES, value, "1 to 64 lanes");
  *out = (uint32_t)number;
  return GBCAST_OK;
}

static int read_max_age(const char *value, double *out, gbcast_error *err) {
  uint32_t seconds = 0;
  const char *why = NULL;
  if (!gb_read_count(value, strlen(value), &seconds, &why))
    return refuse(err, GB_SET_MAX_AGE, value, "a whole number of seconds, at least 1");
  *out = seconds;
  return GBCAST_OK;
}

/* In any locale. */
static int read_seconds(const char *value, double *out, gbcast_error *err) {
  double number = 0, place = 1;
  const char *at = value;
  for (; *at >= '0' && *at <= '9'; at++)
    number = number * 10 + (*at - '0');
  if (at > value && *at == '.')
    for (at++; *at >= '0' && *at <= '9'; at++)
      number += (*at - '0') * (place /= 10);
  if (at == value || *at != '\0' || number > GB_MOST_TIME)
    return refuse(err, GB_SET_REFRESH, value, "a number of seconds, such as 60 or 0.5");
  *out = number;
  return GBCAST_OK;
}

static int copy_text(const char *text, size_t length, char **out, gbcast_error *err) {
  char *copy = strndup(text, length);
  if (copy == NULL)
    return gb_no_memory(err);
  free(*out);
  *out = copy;
  return GBCAST_OK;
}

static int read_sync(const char *value, char **out, gbcast_error *err) {
  gb_sync_choice choice;
  gbcast_error why = {""};
  if (gb_sync_read(value, &choice, &why) != GBCAST_OK)
    return gb_fail(err, GBCAST_EUSAGE, "GBCAST_SYNC: %s", why.message);
  return copy_text(value, strlen(value), out, err);
}

/* GBCAST_ALGORITHM=INTER/INTRA forces both levels; GBCAST_INTER and GBCAST_INTRA override it. */
static int read_algorithms(const gb_overrides *overrides, gb_settings *s, gbcast_error *err) {
  int rc = GBCAST_OK;
  const char *both = value_of(overrides, GB_SET_ALGORITHM);
  if (both != NULL) {
    const char *slash = strchr(both, '/');
    if (slash == NULL || slash == both || slash[1] == '\0')
      return refuse(err, GB_SET_ALGORITHM, both, "INTER/INTRA, such as extended-dijkstra/binomial");
    rc = copy_text(both, (size_t)(slash - both), &s->inter, err);
    if (rc == GBCAST_OK)
      rc = copy_text(slash + 1, strlen(slash + 1), &s->intra, err);
  }
  const char *one = value_of(overrides, GB_SET_INTER);
  if (rc == GBCAST_OK && one != NULL)
    rc = copy_text(one, strlen(one), &s->inter, err);
  one = value_of(overrides, GB_SET_INTRA);
  if (rc == GBCAST_OK && one != NULL)
    rc = copy_text(one, strlen(one), &s->intra, err);
  return rc;
}

static int read_all(const gb_overrides *overrides, gb_settings *s, gbcast_error *err) {
  const char *value = value_of(overrides, GB_SET_DISABLE);
  if (value != NULL && strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
    return refuse(err, GB_SET_DISABLE, value, "0 or 1");
  s->disabled = value != NULL && value[0] == '1';
  if (s->disabled) /* nothing else matters then */
    return GBCAST_OK;
  s->verbose = gb_settings_verbose(overrides);
  if (s->verbose < 0)
    return refuse(err, GB_SET_VERBOSE, value_of(overrides, GB_SET_VERBOSE), "0, 1 or 2");
  value = value_of(overrides, GB_SET_MAP);
  if (value != NULL && strcmp(value, "name") != 0 && strcmp(value, "order") != 0)
    return refuse(err, GB_SET_MAP, value, "name or order");
  s->map_by_order = value != NULL && value[0] == 'o';
  int rc = GBCAST_OK;
  value = value_of(overrides, GB_SET_SEGMENT);
  if (value != NULL)
    rc = read_bytes(value, &s->segment, err);
  value = value_of(overrides, GB_SET_LANES);
  if (rc == GBCAST_OK && value != NULL)
    rc = read_lanes(value, &s->lanes, err);
  value = value_of(overrides, GB_SET_SYNC);
  if (rc == GBCAST_OK && value != NULL)
    rc = read_sync(value, &s->sync, err);
  value = value_of(overrides, GB_SET_REFRESH);
  if (rc == GBCAST_OK && value != NULL)
    rc = read_seconds(value, &s->refresh, err);
  value = value_of(overrides, GB_SET_HOSTS);
  if (rc == GBCAST_OK && value != NULL)
    rc = copy_text(value, strlen(value), &s->hosts, err);
  value = value_of(overrides, GB_SET_LIVE);
  if (rc == GBCAST_OK && value != NULL)
    rc = copy_text(value, strlen(value), &s->live, err);
  s->max_age = GB_LIVE_MAX_AGE;
  value = value_of(overrides, GB_SET_MAX_AGE);
  if (rc == GBCAST_OK && value != NULL)
    rc = read_max_age(value, &s->max_age, err);
  return rc == GBCAST_OK ? read_algorithms(overrides, s, err) : rc;
}

int gb_settings_read(const gb_overrides *overrides, gb_settings *out, gbcast_error *err) {
  *out = (gb_settings){0};
  int rc = read_all(overrides, out, err);
  if (rc != GBCAST_OK)
    gb_settings_release(out);
  return rc;
}

void gb_settings_release(gb_settings *settings) {
  free(settings->hosts);
  free(settings->live);
  free(settings->inter);
  free(settings->intra);
  free(settings->sync);
  *settings = (gb_settings){0};
}
