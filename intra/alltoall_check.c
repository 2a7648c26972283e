/* Whether the phases are what they promise, by looking at the links of every message. */
#include "intra/intra.h"

#include <stdlib.h>

/* What the busiest link carries: all between the machines on its two sides. */
static uint32_t load_of(const gb_machines *m) {
  uint32_t load = m->count - 1; /* of a machine's own link */
  for (uint32_t v = 1; v < m->order.node_count; v++) {
    uint32_t below = m->order.end[v] - m->order.first[v];
    load = below * (m->count - below) > load ? below * (m->count - below) : load;
  }
  return load;
}

typedef struct marks {
  bool *sent;     /* from * count + to */
  uint32_t *used; /* links: the last phase that used it, from 1 */
  uint32_t *path; /* of one message */
} marks;

static int check_message(const gb_machines *m, const gb_message *message, uint32_t phase, marks *seen,
                         gbcast_error *err) {
  uint32_t from = message->from, to = message->to;
  if (from >= m->count || to >= m->count || from == to) {
    return gb_fail(err, GBCAST_EINPUT, "phase %u: a message from machine %u to %u of %u", phase, from, to,
                   m->count);
  }
  if (seen->sent[(size_t)from * m->count + to]) {
    return gb_fail(err, GBCAST_EINPUT, "phase %u: machine %u sends to %u again", phase, from, to);
  }
  seen->sent[(size_t)from * m->count + to] = true;
  for (uint32_t i = gb_machines_path(m, from, to, seen->path); i-- > 0;) {
    if (seen->used[seen->path[i]] == phase + 1) {
      return gb_fail(err, GBCAST_EINPUT, "phase %u: machine %u to %u shares a link with another message",
                     phase, from, to);
    }
    seen->used[seen->path[i]] = phase + 1;
  }
  return GBCAST_OK;
}

static int check_phases(const gb_machines *m, const gb_phases *phases, marks *seen, gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t p = 0; status == GBCAST_OK && p < phases->count; p++) {
    if (phases->start[p + 1] < phases->start[p] || phases->start[p + 1] > phases->message_count) {
      return gb_fail(err, GBCAST_EINPUT, "phase %u ends before it begins, or after the last message", p);
    }
    for (uint32_t k = phases->start[p]; status == GBCAST_OK && k < phases->start[p + 1]; k++) {
      status = phases->phase[k] == p
                   ? check_message(m, &phases->message[k], p, seen, err)
                   : gb_fail(err, GBCAST_EINPUT, "phase %u: a message of phase %u", p, phases->phase[k]);
    }
  }
  return status;
}

int gb_phases_check(const gb_machines *m, const gb_phases *phases, gbcast_error *err) {
  uint32_t all = m->count * (m->count - 1);
  if (phases->count != load_of(m)) {
    return gb_fail(err, GBCAST_EINPUT, "%u phases for a load of %u", phases->count, load_of(m));
  }
  if (phases->message_count != all || phases->start[0] != 0 || phases->start[phases->count] != all) {
    return gb_fail(err, GBCAST_EINPUT, "%u messages between %u machines, expected %u", phases->message_count,
                   m->count, all);
  }
  marks seen = {.sent = calloc((size_t)m->count * m->count, sizeof *seen.sent),
                .used = calloc(gb_machines_links(m), sizeof *seen.used),
                .path = malloc((m->order.node_count + 1) * sizeof *seen.path)};
  int status = seen.sent && seen.used && seen.path ? check_phases(m, phases, &seen, err) : gb_no_memory(err);
  free(seen.sent);
  free(seen.used);
  free(seen.path);
  return status;
}
