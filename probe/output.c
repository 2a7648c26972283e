/* Writes the file. */
#include "platform/text/text.h"
#include "probe/lead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int cannot_write(const char *path, int why, gbcast_error *err) {
  return gb_fail(err, GBCAST_EINPUT, "gbcast-probe: cannot write '%s': %s", path, strerror(why));
}

int gb_lead_try_output(const char *path, gbcast_error *err) {
  const int why = gb_try_file(path);
  return why == 0 ? GBCAST_OK : cannot_write(path, why, err);
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

typedef struct file_text {
  const char *begin;
  size_t length;
} file_text;

static int write_text(FILE *out, void *context) {
  const file_text *t = context;
  return fwrite(t->begin, 1, t->length, out) == t->length ? 0 : errno;
}

static int write_file(const char *path, const char *begin, size_t length, gbcast_error *err) {
  const int why = gb_write_file(path, write_text, &(file_text){begin, length});
  return why == 0 ? GBCAST_OK : cannot_write(path, why, err);
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
    status = cannot_write("standard output", errno, err);
  free(text);
  return status;
}
