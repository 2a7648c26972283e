/* The rows of a picture. */
#include "plan/show/aggregate.h"
#include "plan/show/print.h"
#include "platform/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITES_SHOWN 100u
#define SWITCHES_SHOWN 64u
#define BLOCKS_SHOWN 32u

/* Whether an endpoint is in the same row as the one before it in its site. */
static bool joins(const gbcast_plan *plan, enum gb_aggregate_by to, const gb_aggregate_row *row, uint32_t e,
                  uint32_t block) {
  const gb_endpoint *before = &plan->schedule.endpoint[e - 1], *mine = &plan->schedule.endpoint[e];
  const gb_host *host = plan->platform->host;
  switch (to) {
  case GB_AGGREGATE_NONE:
    return false;
  case GB_AGGREGATE_HOSTS:
    return before->host == mine->host;
  case GB_AGGREGATE_SWITCHES:
    return host[before->host].sw == host[mine->host].sw;
  case GB_AGGREGATE_BLOCKS:
    return before->host == mine->host || row->hosts < block;
  default:
    return true;
  }
}

/* Fills row and of; returns how many rows that makes. */
static uint32_t aggregate_by(const gbcast_plan *plan, const uint32_t *sites, enum gb_aggregate_by to,
                             gb_aggregate *aggregate) {
  const uint32_t block = 1 + (plan->site->hosts - 1) / BLOCKS_SHOWN; /* of one site */
  uint32_t count = 0;
  for (uint32_t i = 0; i < plan->site_count; i++) {
    const gb_site *site = &plan->site[sites[i]];
    const bool more = to == GB_AGGREGATE_MORE && i >= SITES_SHOWN;
    for (uint32_t k = 0; k < site->endpoint_count; k++) {
      const uint32_t e = site->first_endpoint + k;
      if (more ? i == SITES_SHOWN && k == 0
               : k == 0 || !joins(plan, to, &aggregate->row[count - 1], e, block))
        aggregate->row[count++] = (gb_aggregate_row){.site = more ? GB_NONE : sites[i], .first = e};
      gb_aggregate_row *row = &aggregate->row[count - 1];
      row->count++;
      row->hosts += k == 0 || plan->schedule.endpoint[e - 1].host != plan->schedule.endpoint[e].host;
      aggregate->of[e] = count - 1;
    }
  }
  return count;
}

int gb_aggregate_new(const gbcast_plan *plan, const uint32_t *sites, gb_aggregate_limits limits,
                     gb_aggregate *aggregate) {
  const uint32_t most[] = {[GB_AGGREGATE_NONE] = limits.ranks,       [GB_AGGREGATE_HOSTS] = limits.hosts,
                           [GB_AGGREGATE_SWITCHES] = SWITCHES_SHOWN, [GB_AGGREGATE_BLOCKS] = BLOCKS_SHOWN,
                           [GB_AGGREGATE_SITES] = SITES_SHOWN,       [GB_AGGREGATE_MORE] = UINT32_MAX};
  *aggregate = (gb_aggregate){.row = malloc(plan->schedule.endpoint_count * sizeof *aggregate->row),
                              .of = malloc(plan->schedule.endpoint_count * sizeof *aggregate->of)};
  if (aggregate->row == NULL || aggregate->of == NULL) {
    gb_aggregate_free(aggregate);
    return GBCAST_EMEMORY;
  }
  aggregate->to = plan->site_count > limits.sites ? GB_AGGREGATE_SITES : GB_AGGREGATE_NONE;
  for (;; aggregate->to++) {
    if (aggregate->to == GB_AGGREGATE_BLOCKS && plan->site_count > 1)
      continue;
    aggregate->count = aggregate_by(plan, sites, aggregate->to, aggregate);
    const bool no_switches = aggregate->to == GB_AGGREGATE_SWITCHES && aggregate->count == plan->site_count;
    if (aggregate->count <= most[aggregate->to] && !no_switches)
      return GBCAST_OK;
  }
}

void gb_aggregate_free(gb_aggregate *aggregate) {
  free(aggregate->row);
  free(aggregate->of);
  *aggregate = (gb_aggregate){0};
}

/* Bytes of the character at s; a byte that is no UTF-8 is a character, too. */
static size_t character_bytes(const char *s) {
  const size_t n = gb_utf8_length(s, 4);
  return n > 0 ? n : 1;
}

uint32_t gb_character_count(const char *name) {
  uint32_t count = 0;
  for (; *name != '\0'; name += character_bytes(name))
    count++;
  return count;
}

static size_t bytes_of(const char *s, uint32_t characters) {
  size_t length = 0;
  for (uint32_t i = 0; i < characters; i++)
    length += character_bytes(s + length);
  return length;
}

/* Names often differ at their ends, so two thirds of what is left are the beginning. */
gb_name gb_short_name(const char *name, uint32_t characters) {
  gb_name text = {""};
  const uint32_t all = gb_character_count(name), most = characters < GB_NAME_MOST ? characters : GB_NAME_MOST;
  if (all <= most) {
    (void)snprintf(text.s, sizeof text.s, "%s", name);
  } else {
    const uint32_t end = (most - 1) / 3;
    const size_t begin = bytes_of(name, most - 1 - end);
    memcpy(text.s, name, begin);
    (void)snprintf(text.s + begin, sizeof text.s - begin, "\u2026%s", name + bytes_of(name, all - end));
  }
  return text;
}

gb_name gb_aggregate_name(const gbcast_plan *plan, const gb_aggregate *aggregate, uint32_t r,
                          uint32_t characters) {
  const gb_aggregate_row *row = &aggregate->row[r];
  const gb_endpoint *e = &plan->schedule.endpoint[row->first];
  const gb_host *host = &plan->platform->host[e->host];
  gb_name text;
  switch (aggregate->to) {
  case GB_AGGREGATE_NONE: {
    const bool alone = gb_plan_is_alone(plan, row->first);
    text = gb_short_name(host->name, alone ? characters : characters - 3);
    gb_append(text.s, sizeof text.s, "%s", gb_text_rank(plan, row->first, !alone).s);
    break;
  }
  case GB_AGGREGATE_HOSTS:
    text = gb_short_name(host->name, characters);
    break;
  case GB_AGGREGATE_BLOCKS:
    text = gb_short_name(host->name, characters - 6);
    if (row->hosts > 1)
      gb_append(text.s, sizeof text.s, " +%" PRIu32, row->hosts - 1);
    break;
  case GB_AGGREGATE_SWITCHES:
    text = gb_short_name(host->sw != GB_NONE ? plan->platform->sw[host->sw].name : "core", characters);
    break;
  default:
    (void)snprintf(text.s, sizeof text.s, "%s", gb_text_count(row->hosts, "host").s);
    break;
  }
  return text;
}
