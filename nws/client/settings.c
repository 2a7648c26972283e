#include "nws/client/settings.h"

#include "platform/text/text.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char blanks[] = " \t\r";

typedef struct settings_line {
  char *start, *at; /* a copy, in which names and values get their ends */
  const char *file;
  uint32_t number;
  gb_nws_warn *warn;
  void *context;
} settings_line;

static bool expected(const settings_line *l, const char *what) {
  gbcast_error err;
  gb_place where = {l->file, l->number, (uint32_t)(l->at - l->start) + 1};
  (void)gb_fail_at(&err, &where, "expected %s; the line is passed over", what);
  if (l->warn != NULL)
    l->warn(l->context, err.message);
  return false;
}

static void skip_blanks(settings_line *l) {
  l->at += strspn(l->at, blanks);
}

static bool ends(const settings_line *l) {
  return *l->at == '\0' || *l->at == '#';
}

/* What stands between quotes moves to the front of them. */
static bool read_quoted(settings_line *l) {
  char *out = l->at;
  for (l->at++; *l->at != '\0' && *l->at != '"'; *out++ = *l->at++)
    if (*l->at == '\\' && *++l->at == '\0')
      break;
  if (*l->at == '\0')
    return expected(l, "a quote (\") at the end of the value");
  l->at++;
  *out = '\0';
  return true;
}

static bool read_value(settings_line *l, char **value) {
  *value = l->at;
  if (*l->at == '\0')
    return expected(l, "a value: one word, or text in quotes (\")");
  if (*l->at == '"')
    return read_quoted(l);
  l->at += strcspn(l->at, blanks);
  if (*l->at != '\0')
    *l->at++ = '\0';
  return true;
}

/* NAME = value; false when the line is empty, a comment or bad. */
static bool read_line(settings_line *l, char **name, char **value) {
  skip_blanks(l);
  if (ends(l))
    return false;
  *name = l->at;
  l->at += strcspn(l->at, " \t\r=\"");
  char *name_end = l->at;
  if (name_end == *name)
    return expected(l, "the name of a setting");
  skip_blanks(l);
  if (*l->at != '=')
    return expected(l, "= behind the name");
  l->at++;
  *name_end = '\0';
  skip_blanks(l);
  if (!read_value(l, value))
    return false;
  skip_blanks(l);
  return ends(l) || expected(l, "the end of the line, or quotes around the value");
}

int gb_nws_settings_parse(gb_nws_settings *out, const char *text, size_t length, const char *file,
                          gb_nws_warn *warn, void *context) {
  gb_view rest = {text, length};
  for (uint32_t number = 1; rest.length > 0; number++) {
    gb_view line = gb_view_before(rest, '\n', &rest);
    char *copy = gb_arena_copy(&out->arena, line.at, line.length), *name = NULL, *value = NULL;
    if (copy == NULL)
      return GBCAST_EMEMORY;
    settings_line l = {copy, copy, file, number, warn, context};
    if (strlen(copy) < line.length)
      (void)expected(&l, "text without NUL bytes");
    else if (read_line(&l, &name, &value)) {
      struct gb_nws_setting *list = gb_grow(out->setting, out->count, &out->capacity, sizeof *list);
      if (list == NULL)
        return GBCAST_EMEMORY;
      out->setting = list;
      list[out->count++] = (struct gb_nws_setting){name, value};
    }
  }
  return GBCAST_OK;
}

/* Reads the file; a pipe without a writer would keep its reader waiting. */
static int read_file(const char *path, char **text, size_t *length, gbcast_error *err) {
  const gb_place start = {path, 1, 1};
  struct stat about;
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
    return gb_fail_at(err, &start, "found no regular file");
  return gb_read_file(path, &start, NULL, text, length, err);
}

int gb_nws_settings_read(gb_nws_settings *out, gb_nws_warn *warn, void *context) {
  const char *home = getenv("HOME");
  *out = (gb_nws_settings){0};
  if (home == NULL || home[0] == '\0')
    return GBCAST_OK;
  char *path = gb_arena_alloc(&out->arena, strlen(home) + sizeof "/.nwsrc");
  if (path == NULL)
    return GBCAST_EMEMORY;
  (void)sprintf(path, "%s/.nwsrc", home);
  if (access(path, F_OK) != 0)
    return GBCAST_OK;
  char *text = NULL;
  size_t length = 0;
  gbcast_error err = {""};
  int status = read_file(path, &text, &length, &err);
  if (status == GBCAST_OK)
    status = gb_nws_settings_parse(out, text, length, path, warn, context);
  else if (status == GBCAST_EINPUT && warn != NULL)
    warn(context, err.message);
  free(text);
  return status == GBCAST_EMEMORY ? status : GBCAST_OK;
}

void gb_nws_settings_release(gb_nws_settings *settings) {
  free(settings->setting);
  gb_arena_release(&settings->arena);
  *settings = (gb_nws_settings){0};
}

const char *gb_nws_setting(const gb_nws_settings *settings, const char *name) {
  const char *value = getenv(name);
  for (uint32_t i = settings->count; value == NULL && i > 0; i--)
    if (strcmp(settings->setting[i - 1].name, name) == 0)
      value = settings->setting[i - 1].value;
  return value;
}

int gb_nws_setting_port(const gb_nws_settings *settings, const char *name, uint16_t otherwise, uint16_t *out,
                        gbcast_error *err) {
  const char *text = gb_nws_setting(settings, name);
  *out = otherwise;
  if (text == NULL || gb_nws_port_read(gb_view_of(text), out))
    return GBCAST_OK;
  return gb_fail(err, GBCAST_EINPUT, "%s: found '%s', expected a port from 1 to 65535", name, text);
}

int gb_nws_setting_name_server(const gb_nws_settings *settings, const char *text, gb_nws_address *out,
                               gbcast_error *err) {
  uint16_t port = 0;
  const char *given = text != NULL ? text : gb_nws_setting(settings, "NAME_SERVER");
  if (given == NULL)
    return gb_fail(err, GBCAST_EUSAGE,
                   "no name server: give one as HOST[:PORT], or set NAME_SERVER in the environment or in "
                   "~/.nwsrc");
  int status = gb_nws_setting_port(settings, "NAME_SERVER_PORT", GB_NWS_NAME_SERVER_PORT, &port, err);
  if (status != GBCAST_OK || gb_nws_address_read(gb_view_of(given), port, out))
    return status;
  return gb_fail(err, text != NULL ? GBCAST_EUSAGE : GBCAST_EINPUT,
                 "found '%s'%s, expected a name server as HOST[:PORT]", given,
                 text == NULL ? " for NAME_SERVER" : "");
}
