/* --check: which lines of a hosts file are not what is measured, and by how much. */
#include "probe/lead.h"

#include <math.h>

/* A line is wrong beyond these shares of its value: what TCP makes of a path varies by some per cent, and
 * headers take five of them. Latencies below SHORT (s) are not told apart. */
static const double RATE_OFF = 0.2, LATENCY_OFF = 0.1, SHORT = 0.1e-3;

enum { PAIRS_MOST = 32 }; /* between sites; of more, some are measured */

/* Keeps the tasks inside sites, and of those between them every n-th alone. */
void gb_lead_sample_pairs(gb_lead *l) {
  uint32_t far = 0, kept = 0, seen = 0;
  for (uint32_t i = 0; i < l->task_count; i++)
    far += gb_lead_is_far(l, &l->task[i]);
  const uint32_t step = (far + PAIRS_MOST - 1) / PAIRS_MOST;
  for (uint32_t i = 0; i < l->task_count; i++) {
    const gb_probe_task *t = &l->task[i];
    const bool wanted = !gb_lead_is_far(l, t) || seen++ % step == 0;
    if (wanted)
      l->task[kept++] = *t;
  }
  l->task_count = kept;
}

typedef struct gb_claim { /* what a line of the file says of a pair of hosts */
  const gb_place *where;
  const char *from, *to; /* sites; the same inside one */
  double latency;        /* -1: nothing, of hosts on two switches */
  double rate;           /* of one stream between two hosts */
} gb_claim;

static gb_claim claim_of(const gb_lead *l, const gb_probe_task *t, int direction) {
  const gbcast_platform *p = l->platform;
  const uint32_t from = p->host[t->host[direction]].cluster, to = p->host[t->host[1 - direction]].cluster;
  const gb_cluster *a = &p->cluster[from], *b = &p->cluster[to];
  gb_claim claim = {&a->where, a->name, b->name, a->latency, gb_smaller(a->bandwidth, b->bandwidth)};
  const gb_link *link = from != to ? gb_platform_link(p, from, to) : NULL;
  if (link != NULL) {
    claim.where = &link->where;
    claim.latency = link->latency;
    claim.rate = gb_smaller(claim.rate, gb_smaller(link->bandwidth, link->stream_bandwidth));
    claim.rate = gb_smaller(claim.rate, gb_smaller(a->wan_bandwidth, b->wan_bandwidth));
  }
  if (from == to && p->host[t->host[0]].sw != p->host[t->host[1]].sw)
    claim.latency = -1;
  return claim;
}

static void tell(const gb_claim *claim, const char *what, const char *says, const char *found, double ratio) {
  const bool inside = claim->from == claim->to;
  printf("%s:%u:%u: %s %s%s%s: %s %s, measured %s: %.2f of it\n", claim->where->file,
         (unsigned)claim->where->line, (unsigned)claim->where->column, inside ? "cluster" : "link",
         claim->from, inside ? "" : " -> ", inside ? "" : claim->to, what, says, found, ratio);
}

/* Whether one direction of a pair is as the file says. */
static bool is_right(const gb_claim *claim, const gb_probe_line *line) {
  char says[GB_UNIT_TEXT], found[GB_UNIT_TEXT];
  const double apart = fabs(line->latency - claim->latency);
  const bool near = claim->latency < 0 || apart <= SHORT || apart <= LATENCY_OFF * claim->latency,
             wide = fabs(line->bandwidth / claim->rate - 1) <= RATE_OFF;
  if (!near) {
    gb_write_time(says, claim->latency);
    gb_write_time(found, gb_probe_round(line->latency));
    tell(claim, "latency", says, found, line->latency / claim->latency);
  }
  if (!wide) {
    gb_write_rate(says, claim->rate);
    gb_write_rate(found, gb_probe_round(line->bandwidth));
    tell(claim, "one stream gets", says, found, line->bandwidth / claim->rate);
  }
  return near && wide;
}

bool gb_lead_tell_wrong(const gb_lead *l) {
  uint32_t checked = 0, wrong = 0;
  for (uint32_t i = 0; i < l->task_count; i++) {
    const gb_probe_task *t = &l->task[i];
    for (int direction = 0; direction < 1 + gb_lead_is_far(l, t); direction++) {
      if (!gb_task_is_complete(t, 1))
        continue;
      const gb_claim claim = claim_of(l, t, direction);
      const gb_probe_line line = gb_probe_derive(&t->table, direction);
      checked++;
      wrong += !is_right(&claim, &line);
    }
  }
  printf("%s: %u clusters and directions of links checked in %.0f s, %u wrong\n", l->platform->file,
         (unsigned)checked, gb_lead_elapsed(l), (unsigned)wrong);
  return wrong > 0;
}
