/* The formats of gbcast-import, and the checks after all files were read. */
#include "tools/import/parts.h"
#include <stdlib.h>

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

/* Marks the sites that a message from `start` reaches over the links, or from which one reaches it. */
static void mark_reached(const gb_import *m, uint32_t start, bool backwards, bool *reached, uint32_t *queue) {
  uint32_t count = 1;
  reached[start] = true;
  queue[0] = start;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < m->link_count; k++) {
      const gb_import_link *l = &m->link[k];
      const bool forwards = l->both || !backwards, back = l->both || backwards;
      if (forwards && l->from == queue[i] && !reached[l->to]) {
        reached[l->to] = true;
        queue[count++] = l->to;
      }
      if (back && l->to == queue[i] && !reached[l->from]) {
        reached[l->from] = true;
        queue[count++] = l->from;
      }
    }
}

static int check_reach(const gb_import *m, bool *reached, uint32_t *queue, gbcast_error *err) {
  uint32_t first = 0;
  while (m->site[first].hosts == 0)
    first++;
  for (int backwards = 0; backwards < 2; backwards++) {
    memset(reached, 0, sizeof *reached * m->site_count);
    mark_reached(m, first, backwards != 0, reached, queue);
    for (uint32_t s = 0; s < m->site_count; s++)
      if (m->site[s].hosts > 0 && !reached[s])
        return gb_fail_at(
            err, &m->site[s].where,
            "found no route %s '%s' %s '%s', expected one network; import other networks separately",
            backwards ? "from" : "to", m->site[s].name, backwards ? "to" : "from", m->site[first].name);
  }
  return GBCAST_OK;
}

int gb_import_finish(gb_import *m, gbcast_error *err) {
  if (m->host_count == 0 && m->sample_count == 0)
    return gb_fail(err, GBCAST_EINPUT, "nothing in the input can be imported");
  if (m->host_count == 0)
    return GBCAST_OK;
  bool *reached = calloc(m->site_count, sizeof *reached);
  uint32_t *queue = calloc(m->site_count, sizeof *queue);
  const int status =
      reached == NULL || queue == NULL ? gb_no_memory(err) : check_reach(m, reached, queue, err);
  free(queue);
  free(reached);
  return status;
}
