/* --merge: reads the file before the measurement, and makes the text that replaces it afterwards. */
#include "probe/lead.h"

#include <stdlib.h>
#include <string.h>

static void tell(void *context, const char *message) {
  (void)context;
  fprintf(stderr, "%s\n", message);
}

int gb_lead_read_merged(gb_lead *l, gbcast_error *err) {
  const char *path = l->options->hosts;
  const gb_place start = {path, 1, 1};
  int status = gb_read_file(path, &start, NULL, &l->text, &l->text_length, err);
  if (status == GBCAST_OK)
    status = gb_platform_parse(l->text, l->text_length, path, tell, NULL, &l->platform, err);
  if (status == GBCAST_OK && l->platform->assumed_mesh)
    status = gb_fail_at(err, &start,
                        "found no cluster and no link line, expected numbers that --merge can update; "
                        "for a file without numbers use --hosts=%s",
                        path);
  return status;
}

/* Fails if somebody has edited the file during the measurement, so that the edit is not lost. */
static int check_unchanged(const gb_lead *l, gbcast_error *err) {
  const char *path = l->options->hosts;
  const gb_place start = {path, 1, 1};
  char *text = NULL;
  size_t length = 0;
  int status = gb_read_file(path, &start, NULL, &text, &length, err);
  if (status == GBCAST_OK && (length != l->text_length || memcmp(text, l->text, length) != 0))
    status = gb_fail(
        err, GBCAST_EUSAGE,
        "'%s' was changed during the measurement, so it is left as it is; run gbcast-probe again", path);
  free(text);
  return status;
}

/* Names on stderr the measured numbers that the new text lacks. */
static int tell_unplaced(const gb_lead *l, const char *text, size_t length, const gbcast_platform *now,
                         gbcast_error *err) {
  gbcast_platform *merged = NULL;
  int status = gbcast_platform_parse(text, length, l->options->hosts, &merged, err);
  if (status == GBCAST_OK && !l->options->quiet) {
    gb_lead_say(l, "%s", "");
    gb_probe_tell_unplaced(merged, now, stderr);
  }
  gbcast_platform_free(merged);
  return status;
}

int gb_lead_merge(const gb_lead *l, const gbcast_platform *now, char **text, size_t *length,
                  gbcast_error *err) {
  FILE *out = open_memstream(text, length);
  int status = out != NULL ? gb_probe_merge(l->text, l->text_length, l->options->hosts, now, out, err)
                           : gb_no_memory(err);
  if (out != NULL && fclose(out) != 0 && status == GBCAST_OK)
    status = gb_no_memory(err);
  if (status == GBCAST_OK)
    status = check_unchanged(l, err);
  return status == GBCAST_OK ? tell_unplaced(l, *text, *length, now, err) : status;
}
