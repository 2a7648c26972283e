/* Finds the switches of each site, one site at a time: runs the streams that switches.c and switch_tree.c ask
 * for. There is no platform yet, so hosts are machines here. */
#include "probe/lead.h"
#include "probe/switches.h"

#include <stdlib.h>

/* How long the streams run (s): at 1 Gbit/s for 30 MB. Round trips inside a site are too short to matter. */
static const double SECONDS = 0.25;
static const double FIRST = 12.5e6; /* bytes/s: the rate that is assumed for the first stream */
static const double SHARING = 4; /* streams that share a cable, about; their messages are shorter by this */
static const double SHARE = 0.6; /* of the budget that may have passed when this is done */

typedef struct site_search {
  gb_lead *l;
  uint32_t hosts, machine[GB_SWITCH_HOSTS_MOST];
  uint32_t of[GB_SWITCH_HOSTS_MOST];
  double best[GB_SWITCH_HOSTS_MOST];
  double alone; /* what one stream carries alone (bytes/s) */
  gb_probe_flow flow[GB_SWITCH_HOSTS_MOST];
  int rc; /* of MPI */
} site_search;

static int run(void *state, gb_probe_stream *stream, uint32_t count) {
  site_search *s = state;
  for (uint32_t i = 0; i < count; i++)
    s->flow[i] = (gb_probe_flow){.rank = {s->l->machine_rank[s->machine[stream[i].from]],
                                          s->l->machine_rank[s->machine[stream[i].to]]},
                                 .alone = s->alone};
  s->rc = gb_lead_run_flows(s->l, s->flow, count, count > 1 ? 1 / SHARING : 1, SECONDS);
  for (uint32_t i = 0; i < count; i++)
    stream[i].rate = s->flow[i].rate.value;
  return s->rc == MPI_SUCCESS ? GBCAST_OK : GBCAST_EUSAGE;
}

static int keep(const site_search *s, uint32_t site, const gb_switch_tree *tree, gbcast_error *err) {
  gb_lead *l = s->l;
  gb_found_switch *grown = realloc(l->sw, (l->sw_count + tree->count) * sizeof *grown);
  if (grown == NULL)
    return gb_no_memory(err);
  l->sw = grown;
  for (uint32_t i = 0; i < tree->count; i++) {
    const bool top = tree->uplink[i] == GB_NONE;
    l->sw[l->sw_count + i] = (gb_found_switch){site, i + 1, top ? GB_NONE : l->sw_count + tree->uplink[i],
                                               gb_probe_round(tree->bandwidth[i])};
  }
  for (uint32_t h = 0; h < s->hosts; h++)
    l->machine_switch[s->machine[h]] = l->sw_count + s->of[h];
  l->sw_count += tree->count;
  return GBCAST_OK;
}

/* About how long a site takes (s), if a run takes twice its SECONDS: every two hosts are measured twice, more
 * often if there are few hosts. */
static double seconds_for(uint32_t hosts) {
  return 2 * SECONDS * (2 * hosts + 48);
}

/* And how its switches are joined: at most every two of them are measured, and every three, some times. */
static double seconds_for_tree(uint32_t switches) {
  const double n = switches, runs = n * (n + 1) / 2 + n * (n - 1) * (n - 2) / 2;
  return 2 * SECONDS * GB_SWITCH_RUNS * (switches <= GB_SWITCHES_JOINED ? runs : n);
}

static bool is_time_for(const gb_lead *l, double seconds) {
  return gb_lead_elapsed(l) + seconds <= SHARE * l->options->budget;
}

static void note_not_looked_for(gb_lead *l, uint32_t site, uint32_t hosts, double seconds) {
  const char *first = "";
  for (uint32_t m = l->machines; m-- > 0;)
    first = l->groups.of[m] == site ? l->machine_name[m] : first;
  (void)fprintf(l->notes, "# Switches were not looked for among the %u hosts of %s's site", (unsigned)hosts,
                first);
  if (hosts > GB_SWITCH_HOSTS_MOST)
    (void)fprintf(l->notes, ": these are more than %d; see topology in gbcast-hosts(5)\n",
                  GB_SWITCH_HOSTS_MOST);
  else
    (void)fprintf(l->notes, ": this would take %.0f s, too much for the budget\n", seconds);
}

static int search(site_search *s, uint32_t site, gbcast_error *err) {
  const gb_stream_bed bed = {run, s};
  gb_probe_stream first = {.from = 0, .to = 1};
  gb_switch_tree *tree = calloc(1, sizeof *tree);
  uint32_t count = 0;
  s->alone = FIRST;
  int status = tree == NULL ? gb_no_memory(err) : run(s, &first, 1);
  s->alone = first.rate > 0 ? first.rate : FIRST;
  if (status == GBCAST_OK)
    status = gb_probe_switch_groups(s->hosts, &bed, s->of, &count, s->best, err);
  const double more = seconds_for_tree(count);
  if (status == GBCAST_OK && count > 1 && !is_time_for(s->l, more)) {
    note_not_looked_for(s->l, site, s->hosts, seconds_for(s->hosts) + more);
  } else if (status == GBCAST_OK && count > 1) {
    status = gb_probe_switch_tree(s->hosts, s->of, count, s->best, &bed, tree, err);
    if (status == GBCAST_OK)
      status = keep(s, site, tree, err);
  }
  free(tree);
  return status;
}

int gb_lead_find_switches(gb_lead *l, int *status, gbcast_error *err) {
  site_search *s = calloc(1, sizeof *s);
  l->machine_switch = malloc(sizeof *l->machine_switch * l->machines);
  if (s == NULL || l->machine_switch == NULL)
    *status = gb_no_memory(err);
  for (uint32_t m = 0; *status == GBCAST_OK && m < l->machines; m++)
    l->machine_switch[m] = GB_NONE;
  for (uint32_t g = 0; *status == GBCAST_OK && g < l->groups.count; g++) {
    const uint32_t hosts = l->groups.group[g].hosts;
    *s = (site_search){.l = l};
    if (hosts < GB_SWITCH_HOSTS_LEAST)
      continue;
    if (hosts > GB_SWITCH_HOSTS_MOST || !is_time_for(l, seconds_for(hosts))) {
      note_not_looked_for(l, g, hosts, seconds_for(hosts));
      continue;
    }
    gb_lead_say(l, "looking for switches among %u hosts, site %u of %u", (unsigned)hosts, (unsigned)g + 1,
                (unsigned)l->groups.count);
    for (uint32_t m = 0; m < l->machines; m++)
      if (l->groups.of[m] == g)
        s->machine[s->hosts++] = m;
    *status = search(s, g, err);
    if (s->rc != MPI_SUCCESS)
      break;
  }
  const int rc = s != NULL ? s->rc : MPI_SUCCESS;
  free(s);
  return rc;
}

void gb_lead_release_switches(gb_lead *l) {
  free(l->sw);
  free(l->machine_switch);
}
