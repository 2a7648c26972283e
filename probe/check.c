/* --check: which lines of a hosts file differ from what is measured, and by how much. */
#include "probe/lead.h"

#include <math.h>

/* A line is wrong if a rate or a latency is off by more than this fraction of the value in the file. What TCP
 * gets from a path varies by some percent, and headers take about five percent. A latency that is off by less
 * than SHORT (s) is never wrong. */
static const double RATE_OFF = 0.2, LATENCY_OFF = 0.1, SHORT = 0.1e-3;

enum { PAIRS_MOST = 32 }; /* pairs between sites that are measured */

/* Keeps all tasks inside sites, and every n-th task between sites, so that these are at most PAIRS_MOST. */
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
  const char *from, *to; /* names of the sites; one pointer if they are one site */
  double latency;        /* s; -1: the line does not say it, as the hosts are on two switches */
  double rate;           /* of one stream between the hosts, bytes/s */
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

/* Whether one direction of a pair is as the file says; prints what is not. */
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
