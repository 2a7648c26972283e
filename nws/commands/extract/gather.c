#include "nws/commands/extract/extract.h"

#include "platform/platform.h"

#include <stdlib.h>

void gb_extract_gather_init(gb_extract_gather *g, const gb_extract_options *o, uint16_t memory_port,
                            double since, double patience) {
  *g = (gb_extract_gather){.options = o, .memory_port = memory_port, .since = since};
  gb_client_init(&g->client, patience, NULL, NULL);
}

void gb_extract_gather_release(gb_extract_gather *g) {
  gb_client_forget(&g->client);
  for (uint32_t i = 0; i < g->count; i++) {
    gb_forecaster_free(g->item[i].forecaster);
    free(g->item[i].measurement);
  }
  free(g->item);
  g->item = NULL;
  g->count = 0;
}

static void note(gb_extract_gather *g, const char *why) {
  (void)gb_fail(&g->trouble, GBCAST_EINPUT, "%s", why);
}

/* What is newer than all that came before, oldest first, in place of what was there. */
static bool take(gb_extract_item *item, const gb_nws_state *state) {
  uint32_t count;
  gb_measurement *list = gb_records_read(state, &count); /* newest first */
  if (list == NULL)
    return false;
  while (item->any && count > 0 && list[count - 1].time <= item->newest)
    count--;
  for (uint32_t i = 0; i < count / 2; i++) {
    gb_measurement m = list[i];
    list[i] = list[count - 1 - i];
    list[count - 1 - i] = m;
  }
  free(item->measurement);
  item->measurement = list;
  item->count = count;
  if (count > 0) {
    item->any = true;
    item->newest = list[count - 1].time;
    item->sequence = state->sequence > item->sequence ? state->sequence : item->sequence;
  }
  return true;
}

static void fetched(void *context, const gb_nws_message *reply, const char *why) {
  gb_extract_item *item = context;
  if (reply == NULL)
    note(item->owner, why);
  else if (reply->number == GB_NWS_STATE_FETCHED && !take(item, &reply->state))
    note(item->owner, "out of memory"); /* a refusal says that there is no data */
}

static void fetch(gb_extract_item *item) {
  gb_extract_gather *g = item->owner;
  gb_nws_message request = {.number = GB_NWS_FETCH_STATE};
  uint32_t rows = g->options->rows;
  memcpy(request.state.id, item->found.name, sizeof request.state.id);
  request.state.record_count = rows < GB_EXTRACT_LEARNED   ? GB_EXTRACT_LEARNED
                               : rows < GB_EXTRACT_FETCHED ? rows
                                                           : GB_EXTRACT_FETCHED;
  request.state.sequence = item->sequence;
  if (!gb_client_ask(&g->client, &item->found.memory, &request, fetched, item))
    note(g, "out of memory");
}

static bool add(gb_extract_gather *g, const gb_extract_found *found, uint32_t *capacity) {
  gb_extract_item *item = gb_grow(g->item, g->count, capacity, sizeof *item);
  if (item == NULL)
    return false;
  g->item = item;
  item[g->count] = (gb_extract_item){.found = *found, .sequence = g->since, .owner = g};
  item[g->count].forecaster = gb_forecaster_new();
  return item[g->count++].forecaster != NULL;
}

static int compare(const void *a, const void *b) {
  const gb_extract_item *x = a, *y = b;
  return gb_extract_order(&x->found, &y->found);
}

/* The items stay where they are from here on. */
static void fetch_all(gb_extract_gather *g) {
  if (g->count > 0)
    qsort(g->item, g->count, sizeof *g->item, compare);
  for (uint32_t i = 0; i < g->count; i++) {
    gb_extract_item *item = &g->item[i];
    const char *destination = item->found.destination;
    item->shown = (gb_extract_series){item->found.source, *destination != '\0' ? destination : NULL,
                                      g->options->resource};
    fetch(item);
  }
}

static void searched(void *context, const gb_nws_message *reply, const char *why) {
  gb_extract_gather *g = context;
  if (reply == NULL || reply->number != GB_NWS_NS_SEARCHED) {
    note(g, reply == NULL ? why : "the name server refuses to search");
    return;
  }
  gb_view set = reply->text, object;
  uint32_t capacity = 0;
  for (uint32_t rank = 0; gb_object_next(&set, &object); rank++) {
    gb_extract_found found;
    if (!gb_extract_fits(object, g->options, g->memory_port, &found))
      continue;
    found.rank = rank;
    if (!add(g, &found, &capacity)) {
      note(g, "out of memory");
      return;
    }
  }
  fetch_all(g);
}

void gb_extract_search(gb_extract_gather *g, const gb_nws_address *name_server) {
  gb_bytes filter = {0};
  gb_extract_filter(g->options, &filter);
  gb_nws_message search = {.number = GB_NWS_NS_SEARCH, .text = gb_bytes_view(&filter)};
  if (filter.failed || !gb_client_ask(&g->client, name_server, &search, searched, g))
    note(g, "out of memory");
  gb_bytes_release(&filter);
}

void gb_extract_ask_memory(gb_extract_gather *g, const gb_nws_address *memory, char **full) {
  const gb_extract_options *o = g->options;
  gb_extract_options with_domains = *o;
  uint32_t capacity = 0;
  with_domains.host = full;
  for (int from = 0; from < o->host_count; from++) {
    for (int to = 0; to < o->host_count; to++) {
      gb_extract_found found;
      if (!gb_extract_asked(o, from, to))
        continue;
      if (!gb_extract_guess(o, from, to, memory, &found))
        note(g, "the name of a series would be longer than 127 bytes");
      else if (!add(g, &found, &capacity))
        note(g, "out of memory");
      bool differs = strcmp(full[from], o->host[from]) != 0 || strcmp(full[to], o->host[to]) != 0;
      if (differs && gb_extract_guess(&with_domains, from, to, memory, &found) && !add(g, &found, &capacity))
        note(g, "out of memory");
    }
  }
  fetch_all(g);
}

void gb_extract_fetch_again(gb_extract_gather *g) {
  g->trouble.message[0] = '\0';
  for (uint32_t i = 0; i < g->count; i++) {
    g->item[i].count = 0;
    fetch(&g->item[i]);
  }
}
