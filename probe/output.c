/* Writes the file. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "probe/lead.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Makes a new file with a unique name beside `path`, for text that is not complete yet. Returns its
 * descriptor, or -1 with errno set; *name is to be given to free(). */
static int temporary(const char *path, char **name) {
  size_t length = strlen(path);
  *name = malloc(length + sizeof ".XXXXXX");
  if (*name == NULL)
    return -1;
  memcpy(*name, path, length);
  memcpy(*name + length, ".XXXXXX", sizeof ".XXXXXX");
  return mkstemp(*name);
}

/* Pipes and devices are written directly, not replaced. */
static bool is_special(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static int cannot_write(const char *path, gbcast_error *err) {
  return gb_fail(err, GBCAST_EINPUT, "gbcast-probe: cannot write '%s': %s", path, strerror(errno));
}

int gb_lead_try_output(const char *path, gbcast_error *err) {
  char *name = NULL;
  if (is_special(path))
    return access(path, W_OK) == 0 ? GBCAST_OK : cannot_write(path, err);
  char *target = realpath(path, NULL); /* of a symbolic link, as in write_file() */
  int fd = temporary(target != NULL ? target : path, &name);
  int status = fd < 0 ? cannot_write(path, err) : GBCAST_OK;
  if (fd >= 0) {
    (void)close(fd);
    (void)unlink(name);
  }
  free(name);
  free(target);
  return status;
}

static int print(gb_lead *l, FILE *out, gbcast_error *err) {
  char when[32] = "", *notes = NULL;
  time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc) != NULL)
    (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
  (void)fflush(l->notes);
  notes = l->notes_text;
  gb_probe_report report = {.platform = l->platform,
                            .groups = l->groups.count > 0 ? &l->groups : NULL,
                            .task = l->task,
                            .task_count = l->task_count,
                            .flow = l->flow,
                            .flow_count = l->flow_count,
                            .size = l->options->size,
                            .size_count = l->options->size_count,
                            .version = l->options->version,
                            .when = when,
                            .ranks = l->x->size,
                            .seconds = gb_lead_elapsed(l),
                            .budget = l->options->budget,
                            .window = l->x->window,
                            .notes = notes != NULL ? notes : ""};
  return gb_probe_write(&report, out, err);
}

/* Makes the text of the file and the platform in it. If the measurements do not join all sites, gbcast-plan
 * would refuse the file, so none is written. */
static int make_text(gb_lead *l, char **text, size_t *length, gbcast_platform **platform, gbcast_error *err) {
  gbcast_error why = {""};
  FILE *out = open_memstream(text, length);
  int status = out != NULL ? print(l, out, err) : gb_no_memory(err);
  if (out != NULL && fclose(out) != 0 && status == GBCAST_OK)
    status = gb_no_memory(err);
  if (status == GBCAST_OK &&
      gbcast_platform_parse(*text, *length, "the hosts file", platform, &why) != GBCAST_OK)
    status = gb_fail(err, GBCAST_EUSAGE, "too little was measured for a hosts file, so none is written: %s",
                     why.message);
  return status;
}

int gb_lead_parse_measured(gb_lead *l, gbcast_platform **out, gbcast_error *err) {
  char *text = NULL;
  size_t length = 0;
  const int status = make_text(l, &text, &length, out, err);
  free(text);
  return status;
}

/* The permissions for the file: those of the file that it replaces, or else those that the umask allows. */
static mode_t mode_for(const char *path) {
  struct stat about;
  if (stat(path, &about) == 0)
    return about.st_mode & 0777;
  const mode_t mask = umask(0); /* there is no other way to read it */
  (void)umask(mask);
  return 0666 & ~mask;
}

/* Writes a file beside `path` and renames it when it is complete. If `path` is a symbolic link, the file that
 * it points to is replaced. */
static int write_file(const char *path, const char *text, size_t length, gbcast_error *err) {
  char *name = NULL, *target = realpath(path, NULL);
  const bool special = is_special(path);
  const char *place = target != NULL ? target : path;
  const int fd = special ? open(path, O_WRONLY) : temporary(place, &name);
  FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
  bool good = out != NULL && fwrite(text, 1, length, out) == length && fflush(out) == 0;
  if (good && !special)
    (void)fchmod(fd, mode_for(place));
  int status = good ? GBCAST_OK : cannot_write(path, err);
  if (out != NULL ? fclose(out) != 0 : fd >= 0 && close(fd) != 0)
    status = status != GBCAST_OK ? status : cannot_write(path, err);
  if (name != NULL && fd >= 0) {
    if (status == GBCAST_OK && rename(name, place) != 0)
      status = cannot_write(path, err);
    if (status != GBCAST_OK)
      (void)unlink(name);
  }
  free(name);
  free(target);
  return status;
}

int gb_lead_write(gb_lead *l, gbcast_error *err) {
  const char *path = l->options->output;
  gbcast_platform *platform = NULL;
  char *text = NULL;
  size_t length = 0;
  int status = make_text(l, &text, &length, &platform, err);
  if (status == GBCAST_OK && l->options->merge) {
    free(text);
    text = NULL;
    status = gb_lead_merge(l, platform, &text, &length, err);
  }
  gbcast_platform_free(platform);
  if (status == GBCAST_OK && path != NULL)
    status = write_file(path, text, length, err);
  else if (status == GBCAST_OK && (fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0))
    status = cannot_write("standard output", err);
  free(text);
  return status;
}
