/* The formats, and which function reads them. */
#include "tools/import/readers.h"

static const struct {
  const char *name;
  gb_import_reader *read;
} formats[] = {
    {"slurm", gb_import_slurm},           {"simgrid", gb_import_simgrid}, {"iperf3", gb_import_iperf3},
    {"pscheduler", gb_import_pscheduler}, {"ping", gb_import_ping},
};

int gb_import_find_format(const char *name, gb_import_reader **reader, gbcast_error *err) {
  const char *nearest = NULL;
  char hint[GB_HINT_TEXT];
  unsigned best = GB_FAR;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (strcmp(formats[i].name, name) == 0) {
      *reader = formats[i].read;
      return GBCAST_OK;
    }
    if (gb_nearer(name, strlen(name), formats[i].name, &best))
      nearest = formats[i].name;
  }
  return gb_fail(err, GBCAST_EUSAGE,
                 "found the format '%s', expected slurm, simgrid, iperf3, pscheduler or ping%s", name,
                 gb_hint(hint, nearest));
}
