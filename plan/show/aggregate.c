/* The rows of a picture. */
#include "plan/show/aggregate.h"
#include "plan/show/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITES_SHOWN 100u

/* So many rows of the hosts of so few sites. */
#define BLOCKS_SHOWN 64u
#define SITES_OF_BLOCKS 16u

/* Whether an endpoint is in the same row as the one before it in its site. */
static bool joins(const gbcast_plan *plan, enum gb_fold_to to, const gb_fold_row *row, uint32_t e,
                  uint32_t block) {
  const gb_endpoint *before = &plan->endpoint[e - 1], *mine = &plan->endpoint[e];
  const gb_host *host = plan->platform->host;
  switch (to) {
  case GB_FOLD_NONE:
    return false;
  case GB_FOLD_HOSTS:
    return before->host == mine->host;
  case GB_FOLD_SWITCHES:
    return host[before->host].sw == host[mine->host].sw;
  case GB_FOLD_BLOCKS:
    return before->host == mine->host || row->hosts < block;
  default:
    return true;
  }
}

static uint32_t hosts_of(const gbcast_plan *plan) {
  uint32_t hosts = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    hosts += plan->site[s].hosts;
  }
  return hosts;
}

/* Fills row and of; returns how many rows that makes. */
static uint32_t fold_to(const gbcast_plan *plan, const uint32_t *sites, enum gb_fold_to to, gb_fold *fold) {
  const uint32_t block = to == GB_FOLD_BLOCKS ? 1 + hosts_of(plan) / (BLOCKS_SHOWN - plan->site_count) : 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < plan->site_count; i++) {
    const gb_site *site = &plan->site[sites[i]];
    const bool more = to == GB_FOLD_MORE && i >= SITES_SHOWN;
    for (uint32_t k = 0; k < site->endpoint_count; k++) {
      const uint32_t e = site->first_endpoint + k;
      if (more ? i == SITES_SHOWN && k == 0 : k == 0 || !joins(plan, to, &fold->row[count - 1], e, block)) {
        fold->row[count++] = (gb_fold_row){.site = more ? GB_NONE : sites[i], .first = e};
      }
      gb_fold_row *row = &fold->row[count - 1];
      row->count++;
      row->hosts += k == 0 || plan->endpoint[e - 1].host != plan->endpoint[e].host;
      fold->of[e] = count - 1;
    }
  }
  return count;
}

int gb_fold_new(const gbcast_plan *plan, const uint32_t *sites, gb_fold_limits limits, gb_fold *fold) {
  const uint32_t most[] = {
      [GB_FOLD_NONE] = limits.ranks,   [GB_FOLD_HOSTS] = limits.rows, [GB_FOLD_SWITCHES] = limits.rows,
      [GB_FOLD_BLOCKS] = BLOCKS_SHOWN, [GB_FOLD_SITES] = SITES_SHOWN, [GB_FOLD_MORE] = UINT32_MAX};
  *fold = (gb_fold){.row = malloc(plan->endpoint_count * sizeof *fold->row),
                    .of = malloc(plan->endpoint_count * sizeof *fold->of)};
  if (fold->row == NULL || fold->of == NULL) {
    gb_fold_free(fold);
    return GBCAST_EMEMORY;
  }
  for (fold->to = GB_FOLD_NONE;; fold->to++) {
    if (fold->to == GB_FOLD_BLOCKS && plan->site_count > SITES_OF_BLOCKS) {
      continue;
    }
    fold->count = fold_to(plan, sites, fold->to, fold);
    const bool no_switches = fold->to == GB_FOLD_SWITCHES && fold->count == plan->site_count;
    if (fold->count <= most[fold->to] && !no_switches) {
      return GBCAST_OK;
    }
  }
}

void gb_fold_free(gb_fold *fold) {
  free(fold->row);
  free(fold->of);
  *fold = (gb_fold){0};
}

/* Bytes of the letter at s; one that is no UTF-8 is a letter, too. */
static size_t letter(const char *s) {
  const size_t n = gb_utf8_length(s);
  return n > 0 ? n : 1;
}

uint32_t gb_letters(const char *name) {
  uint32_t count = 0;
  for (; *name != '\0'; name += letter(name)) {
    count++;
  }
  return count;
}

gb_name gb_short_name(const char *name, uint32_t letters) {
  gb_name text = {""};
  const uint32_t most = letters < GB_NAME_MOST ? letters : GB_NAME_MOST;
  const bool cut = gb_letters(name) > most;
  size_t length = 0;
  for (uint32_t i = 0; i + cut < most && name[length] != '\0'; i++) {
    length += letter(name + length);
  }
  memcpy(text.s, name, length);
  (void)snprintf(text.s + length, sizeof text.s - length, "%s", cut ? "\u2026" : "");
  return text;
}

gb_name gb_fold_name(const gbcast_plan *plan, const gb_fold *fold, uint32_t r, uint32_t letters) {
  const gb_fold_row *row = &fold->row[r];
  const gb_endpoint *e = &plan->endpoint[row->first];
  const gb_host *host = &plan->platform->host[e->host];
  gb_name text;
  switch (fold->to) {
  case GB_FOLD_NONE: {
    const uint32_t end = plan->endpoint_count - 1;
    const bool alone =
        (row->first == 0 || e[-1].host != e->host) && (row->first == end || e[1].host != e->host);
    text = gb_short_name(host->name, alone ? letters : letters - 3);
    if (!alone) {
      const size_t length = strlen(text.s);
      (void)snprintf(text.s + length, sizeof text.s - length, "#%" PRIu32, e->k);
    }
    break;
  }
  case GB_FOLD_HOSTS:
    text = gb_short_name(host->name, letters);
    break;
  case GB_FOLD_BLOCKS: {
    text = gb_short_name(host->name, letters - 6);
    const size_t length = strlen(text.s);
    if (row->hosts > 1) {
      (void)snprintf(text.s + length, sizeof text.s - length, " +%" PRIu32, row->hosts - 1);
    }
    break;
  }
  case GB_FOLD_SWITCHES:
    text = gb_short_name(host->sw != GB_NONE ? plan->platform->sw[host->sw].name : "core", letters);
    break;
  default:
    (void)snprintf(text.s, sizeof text.s, "%" PRIu32 " host%s", row->hosts, row->hosts == 1 ? "" : "s");
    break;
  }
  return text;
}
