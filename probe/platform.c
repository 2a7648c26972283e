/* Makes the platform that is measured: from the groups that were found, or from the file that was given. */
#include "probe/lead.h"
#include <stdlib.h>
#include <string.h>

static void write_site_name(const gb_lead *l, uint32_t group, FILE *out) {
  const char *start;
  const size_t length = gb_probe_site_name(l->machine_name, l->groups.of, l->machines, group, &start);
  if (length > 0)
    (void)fwrite(start, 1, length, out);
  else if (l->groups.count == 1)
    (void)fputs("local", out);
  else
    (void)fprintf(out, "site%u", (unsigned)group + 1);
}

/* Writes host lines for the machines of a group that are on switch `sw`; GB_NONE: on no switch. number[m]
 * becomes the host of machine m; *hosts counts the hosts. */
static int describe_hosts(const gb_lead *l, uint32_t group, uint32_t sw, uint32_t *number, uint32_t *hosts,
                          FILE *out, gbcast_error *err) {
  for (uint32_t m = 0; m < l->machines; m++) {
    if (l->groups.of[m] != group || l->machine_switch[m] != sw)
      continue;
    uint32_t slots = 0;
    for (int r = 0; r < l->x->size; r++)
      slots += l->machine[r] == m;
    if (!gb_is_plain_name(l->machine_name[m]))
      return gb_fail(
          err, GBCAST_EUSAGE,
          "rank %d runs on '%s', which cannot be the name of a host in a hosts file; name the hosts in a "
          "file, and give that with --hosts",
          l->machine_rank[m], l->machine_name[m]);
    (void)fprintf(out, "%s:%u\n", l->machine_name[m], (unsigned)slots);
    number[m] = (*hosts)++;
  }
  return GBCAST_OK;
}

static void write_switch_name(const gb_lead *l, const gb_found_switch *sw, FILE *out) {
  write_site_name(l, sw->site, out);
  (void)fprintf(out, "-s%u", (unsigned)sw->number);
}

static void describe_switch(const gb_lead *l, const gb_found_switch *sw, FILE *out) {
  (void)fputs("switch ", out);
  write_switch_name(l, sw, out);
  if (sw->uplink != GB_NONE) {
    (void)fputs(" uplink=", out);
    write_switch_name(l, &l->sw[sw->uplink], out);
  }
  if (sw->bandwidth > 0)
    gb_print_rate(out, "bandwidth", sw->bandwidth);
  (void)fputc('\n', out);
}

/* Writes a hosts file that has no numbers except those of switches. Its hosts are in order of group and
 * switch; number[m] becomes the host of machine m. */
static int describe(const gb_lead *l, uint32_t *number, FILE *out, gbcast_error *err) {
  uint32_t hosts = 0;
  int status = GBCAST_OK;
  for (uint32_t g = 0; g < l->groups.count && status == GBCAST_OK; g++) {
    (void)fputs("cluster ", out);
    write_site_name(l, g, out);
    (void)fputc('\n', out);
    status = describe_hosts(l, g, GB_NONE, number, &hosts, out, err);
    for (uint32_t i = 0; i < l->sw_count && status == GBCAST_OK; i++)
      if (l->sw[i].site == g) {
        describe_switch(l, &l->sw[i], out);
        status = describe_hosts(l, g, i, number, &hosts, out, err);
      }
  }
  for (uint32_t g = 1; g < l->groups.count; g++) { /* since a file is refused if no links join its sites */
    (void)fputs("link ", out);
    write_site_name(l, 0, out);
    (void)fputc(' ', out);
    write_site_name(l, g, out);
    (void)fputs(" latency=1s bandwidth=1bit/s\n", out);
  }
  return status;
}

static int set_host_ranks(gb_lead *l, const uint32_t *rank_host, gbcast_error *err) {
  uint32_t hosts = l->platform->host_count;
  l->host_rank = malloc(sizeof *l->host_rank * hosts);
  l->host_near = calloc(hosts, sizeof *l->host_near);
  if (l->host_rank == NULL || l->host_near == NULL)
    return gb_no_memory(err);
  for (uint32_t h = 0; h < hosts; h++)
    l->host_rank[h] = -1;
  for (int r = l->x->size - 1; r >= 0; r--)
    l->host_rank[rank_host[r]] = r;
  return GBCAST_OK;
}

/* Replaces the numbers of machines by those of hosts in l->near and l->groups, and sets l->host_near. */
static void renumber(gb_lead *l, const uint32_t *number) {
  for (uint32_t i = 0; i < l->near_count; i++) {
    gb_near *near = &l->near[i];
    bool inside = l->groups.of[near->a] == l->groups.of[near->b];
    near->a = number[near->a];
    near->b = number[near->b];
    if (inside)
      l->host_near[near->b] = near->latency;
  }
  for (uint32_t g = 0; g < l->groups.count; g++) {
    l->groups.group[g].inner = number[l->groups.group[g].inner];
    l->groups.group[g].outer = number[l->groups.group[g].outer];
  }
  for (uint32_t h = 0; h < l->platform->host_count; h++)
    l->groups.of[h] = l->platform->host[h].cluster;
}

int gb_lead_make_platform(gb_lead *l, gbcast_error *err) {
  char *text = NULL;
  size_t length = 0;
  uint32_t *number = malloc(sizeof *number * l->machines);
  uint32_t *rank_host = malloc(sizeof *rank_host * (size_t)l->x->size);
  FILE *out = open_memstream(&text, &length);
  int status =
      number == NULL || rank_host == NULL || out == NULL ? gb_no_memory(err) : describe(l, number, out, err);
  if (out != NULL && fclose(out) != 0 && status == GBCAST_OK)
    status = gb_no_memory(err);
  if (status == GBCAST_OK)
    status = gbcast_platform_parse(text, length, "gbcast-probe", &l->platform, err);
  if (status == GBCAST_OK) {
    l->platform->link_count = 0; /* they only join the sites; every two sites will be measured */
    l->platform->assumed_mesh = true;
    for (int r = 0; r < l->x->size; r++)
      rank_host[r] = number[l->machine[r]];
    status = set_host_ranks(l, rank_host, err);
  }
  if (status == GBCAST_OK)
    renumber(l, number);
  free(text);
  free(number);
  free(rank_host);
  return status;
}

/* Reads GBCAST_MAP, the only setting of the library that gbcast-probe uses. */
static int read_map(bool *by_order, gbcast_error *err) {
  const char *value = getenv("GBCAST_MAP");
  *by_order = value != NULL && strcmp(value, "order") == 0;
  if (value == NULL || value[0] == '\0' || *by_order || strcmp(value, "name") == 0)
    return GBCAST_OK;
  return gb_fail(err, GBCAST_EUSAGE, "GBCAST_MAP=%s: expected name or order", value);
}

int gb_lead_read_platform(gb_lead *l, gbcast_error *err) {
  bool by_order;
  int status = read_map(&by_order, err);
  if (status != GBCAST_OK)
    return status;
  uint32_t *rank_host = malloc(sizeof *rank_host * (size_t)l->x->size);
  if (rank_host == NULL)
    return gb_no_memory(err);
  status = l->options->merge ? gb_lead_read_merged(l, err)
                             : gbcast_platform_read(l->options->hosts, &l->platform, err);
  if (status == GBCAST_OK)
    status = by_order ? gb_map_by_order(l->platform, l->x->identity, l->x->size, rank_host, err)
                      : gb_map_by_name(l->platform, l->x->identity, l->x->size, 0, rank_host, err);
  if (status == GBCAST_OK)
    status = set_host_ranks(l, rank_host, err);
  free(rank_host);
  return status;
}
