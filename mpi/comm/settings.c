/* Where the settings come from: environment variables, or MPI_Info keys of the same name in lower case. Read
 * on rank 0 only.
 */
#include "mpi/comm/settings.h"
#include "nws/client/client.h"
#include "platform/platform.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char prefix[] = "GBCAST_";

enum { PREFIX = sizeof prefix - 1, LONGEST = 64 };

/* In any locale. */
static void write_key(const char *name, char key[LONGEST]) {
  size_t i = 0;
  for (; name[i] != '\0' && i < LONGEST - 1; i++)
    key[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
  key[i] = '\0';
}

static int read_key(MPI_Info info, const char *name, char **value) {
  char key[LONGEST];
  write_key(name, key);
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
  *value = text;
  return MPI_SUCCESS;
}

/* Of all keys that begin as ours do, in either case. */
static int tell_unknown_keys(MPI_Info info) {
  int count, rc = MPI_Info_get_nkeys(info, &count);
  for (int i = 0; rc == MPI_SUCCESS && i < count; i++) {
    char key[MPI_MAX_INFO_KEY + 1] = "", meant[LONGEST];
    const gb_setting *s;
    rc = MPI_Info_get_nthkey(info, i, key);
    if (rc != MPI_SUCCESS || strncasecmp(key, prefix, PREFIX) != 0)
      continue;
    s = gb_setting_nearest(key);
    if (s != NULL)
      write_key(s->name, meant);
    if (s == NULL)
      fprintf(stderr, "gbcast: the MPI_Info key %s is no setting; gbcast-plan --list-settings lists them\n",
              key);
    else if (strcmp(key, meant) != 0)
      fprintf(stderr, "gbcast: the MPI_Info key %s is no setting; did you mean %s?\n", key, meant);
  }
  return rc;
}

static int read_keys(MPI_Info info, char **value) {
  const gb_setting *s;
  int rc = tell_unknown_keys(info);
  for (size_t i = 0; rc == MPI_SUCCESS && (s = gb_setting_at(i)) != NULL; i++)
    rc = read_key(info, s->name, &value[i]);
  return rc;
}

static int read_overrides(const char *hosts_path, MPI_Info info, gb_overrides *out) {
  size_t count = 0;
  do
    count++;
  while (gb_setting_at(count) != NULL);
  out->value = calloc(count, sizeof *out->value);
  if (out->value == NULL)
    return MPI_ERR_NO_MEM;
  int rc = info != MPI_INFO_NULL ? read_keys(info, out->value) : MPI_SUCCESS;
  if (rc != MPI_SUCCESS || hosts_path == NULL)
    return rc;
  char **hosts = &out->value[gb_setting_number("GBCAST_HOSTS")];
  free(*hosts);
  *hosts = strdup(hosts_path);
  return *hosts == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

void gb_overrides_read(const char *hosts_path, MPI_Info info, gb_overrides *out) {
  *out = (gb_overrides){0};
  out->code = read_overrides(hosts_path, info, out);
}

void gb_overrides_release(gb_overrides *overrides) {
  for (size_t i = 0; overrides->value != NULL && gb_setting_at(i) != NULL; i++)
    free(overrides->value[i]);
  free((void *)overrides->value);
  gb_nws_weather_close(overrides->service);
  *overrides = (gb_overrides){0};
}

/* An empty value counts as not given. */
static int read_one(const gb_overrides *overrides, size_t number, gb_settings *out, gbcast_error *err) {
  const gb_setting *s = gb_setting_at(number);
  const char *given = overrides->value != NULL ? overrides->value[number] : NULL;
  const char *value = given != NULL ? given : getenv(s->name);
  return value != NULL && value[0] != '\0' ? s->read(s, value, out, err) : GBCAST_OK;
}

static int read_all(const gb_overrides *overrides, gb_settings *out, gbcast_error *err) {
  int rc = read_one(overrides, gb_setting_number("GBCAST_DISABLE"), out, err);
  for (size_t i = 0; rc == GBCAST_OK && !out->disabled && gb_setting_at(i) != NULL; i++)
    rc = read_one(overrides, i, out, err); /* if gbcast is disabled, no other setting matters */
  return rc;
}

/* Puts `folder` before relative paths behind the scheme. separator: between two paths, or "". */
static bool anchor(char **value, const char *scheme, const char *separator, const char *folder) {
  char *text = NULL, *rest = NULL;
  size_t length = 0;
  if (*value == NULL || strncmp(*value, scheme, strlen(scheme)) != 0)
    return true;
  FILE *out = open_memstream(&text, &length);
  bool ok = out != NULL && fputs(scheme, out) >= 0, first = true;
  for (char *path = strtok_r(*value + strlen(scheme), separator, &rest); ok && path != NULL;
       path = strtok_r(NULL, separator, &rest), first = false) {
    const bool absolute = path[0] == '/';
    ok = fprintf(out, "%s%s%s%s", first ? "" : separator, absolute ? "" : folder, absolute ? "" : "/",
                 path) >= 0;
  }
  ok = out != NULL && fclose(out) == 0 && ok;
  free(*value);
  *value = text;
  return ok;
}

/* The program may have changed its folder since MPI_Init(). */
static int anchor_all(const gb_overrides *overrides, gb_settings *out, gbcast_error *err) {
  const char *folder = overrides->preload != NULL ? overrides->preload->folder : NULL;
  char *here = folder != NULL ? getcwd(NULL, 0) : NULL;
  const bool moved = folder != NULL && (here == NULL || strcmp(here, folder) != 0);
  free(here);
  return !moved || (anchor(&out->hosts, "", "", folder) && anchor(&out->live, "file:", "", folder) &&
                    anchor(&out->plan, "", ":", folder))
             ? GBCAST_OK
             : gb_no_memory(err);
}

int gb_settings_read(const gb_overrides *overrides, gb_settings *out, gbcast_error *err) {
  int rc = gb_settings_init(out, err);
  if (rc == GBCAST_OK)
    rc = read_all(overrides, out, err);
  if (rc == GBCAST_OK)
    rc = anchor_all(overrides, out, err);
  if (rc != GBCAST_OK)
    gb_settings_release(out);
  return rc;
}

void gb_settings_read_one(const char *name, gb_settings *out) {
  (void)gb_setting_read(gb_setting_at(gb_setting_number(name)), out, NULL);
}

static void tell(void *context, const char *message) {
  (void)context;
  fprintf(stderr, "gbcast: %s\n", message);
}

void gb_settings_tell_unknown(void) {
  gb_settings_find_unknown(tell, NULL);
}
