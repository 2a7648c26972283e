#include "nws/client/survey.h"

#include "platform/platform.h"

#include <stdlib.h>

static const char filter[] =
    "(&(objectclass=nwsSeries)(|(resource=" GB_NWS_LATENCY ")(resource=" GB_NWS_BANDWIDTH
    ")))"; /* checked again by gb_nws_series_read: servers match substrings */

void gb_survey_init(gb_survey *s, const gb_nws_address *name_server, uint16_t memory_port, double patience) {
  *s = (gb_survey){.name_server = *name_server, .memory_port = memory_port};
  gb_client_init(&s->client, patience, NULL, NULL);
}

static void free_all(gb_nws_series *series, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    gb_forecaster_free(series[i].forecaster);
  free(series);
}

void gb_survey_release(gb_survey *s) {
  gb_client_forget(&s->client);
  free_all(s->series, s->count);
  s->series = NULL;
  s->count = 0;
}

static int compare(const void *a, const void *b) {
  return gb_nws_series_order(a, b);
}

static int by_order(const void *a, const void *b) {
  const gb_nws_series *x = a, *y = b;
  int order = gb_nws_series_order(x, y);
  return order != 0 ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static gb_nws_series *find(const gb_survey *s, const gb_nws_series *key) {
  return s->count > 0 ? bsearch(key, s->series, s->count, sizeof *s->series, compare) : NULL;
}

gb_nws_series *gb_survey_find(const gb_survey *s, const gb_nws_address *memory, const char *name) {
  gb_nws_series key = {.memory = *memory};
  size_t length = strnlen(name, sizeof key.name - 1);
  memcpy(key.name, name, length);
  return find(s, &key);
}

static void note(gb_survey *s, const char *why) {
  (void)gb_fail(&s->trouble, GBCAST_EINPUT, "%s", why);
}

static void note_of(gb_survey *s, const gb_nws_address *daemon, const char *why) {
  (void)gb_fail(&s->trouble, GBCAST_EINPUT, "%s:%u: %s", daemon->host, (unsigned)daemon->port, why);
}

static void fetched(void *context, const gb_nws_message *reply, const char *why) {
  gb_nws_series *series = context;
  gb_survey *s = series->owner;
  if (reply == NULL) {
    s->failed++;
    note(s, why);
    return;
  }
  series->fetched = true; /* a refusal (199) and an empty reply both say: no data */
  if (reply->number == GB_NWS_STATE_FETCHED && !gb_nws_series_take(series, &reply->state, s->clock))
    note(s, "out of memory");
  else if (series->refused.count > 0 && s->trouble.message[0] == '\0')
    gb_nws_series_tell_refused(series, s->clock, &s->trouble);
}

/* Reads the objects into a new list. False: out of memory. */
static bool read_objects(gb_survey *s, gb_view set, gb_nws_series **list, uint32_t *count) {
  gb_view object;
  uint32_t capacity = 0;
  *list = NULL;
  *count = s->left_out = 0;
  for (uint32_t rank = 0; gb_object_next(&set, &object); rank++) {
    gb_nws_series read;
    if (!gb_nws_series_read(object, s->memory_port, &read))
      continue;
    if (*count == GB_SURVEY_MOST) {
      s->left_out++;
      continue;
    }
    gb_nws_series *longer = gb_grow(*list, *count, &capacity, sizeof read);
    if (longer == NULL) {
      free(*list);
      return false;
    }
    read.rank = rank;
    read.owner = s;
    *list = longer;
    longer[(*count)++] = read;
  }
  return true;
}

/* Moves the measurements of the old series into the new one. False: there is no old series. */
static bool inherit(const gb_survey *s, gb_nws_series *new) {
  gb_nws_series *old = find(s, new);
  if (old == NULL || old->kind != new->kind)
    return false;
  new->fetched = old->fetched;
  new->sequence = old->sequence;
  new->newest = old->newest;
  new->count = old->count;
  new->refused = old->refused;
  memcpy(new->recent, old->recent, sizeof new->recent);
  new->forecaster = old->forecaster;
  old->forecaster = NULL;
  return true;
}

/* Replaces the old list. Of two objects about one series in one memory, the newer is kept. */
static void replace(gb_survey *s, gb_nws_series *list, uint32_t count) {
  uint32_t kept = 0;
  if (count > 0)
    qsort(list, count, sizeof *list, by_order);
  s->changed = false;
  for (uint32_t i = 0; i < count; i++) {
    if (i + 1 < count && gb_nws_series_order(&list[i], &list[i + 1]) == 0)
      continue;
    list[kept] = list[i];
    s->changed = !inherit(s, &list[kept++]) || s->changed;
  }
  s->changed = s->changed || kept != s->count;
  free_all(s->series, s->count);
  s->series = list;
  s->count = kept;
}

static void searched(void *context, const gb_nws_message *reply, const char *why) {
  gb_survey *s = context;
  if (reply == NULL) {
    note(s, why);
    return;
  }
  if (reply->number != GB_NWS_NS_SEARCHED) {
    note_of(s, &s->name_server, "the name server refuses to search");
    return;
  }
  gb_nws_series *list = NULL;
  uint32_t count = 0;
  if (!read_objects(s, reply->text, &list, &count)) {
    note(s, "out of memory");
    return;
  }
  replace(s, list, count);
  s->rounds++;
  if (s->left_out > 0)
    (void)gb_fail(&s->trouble, GBCAST_EINPUT, "%s:%u: lists %u series more than the %u that are looked at",
                  s->name_server.host, (unsigned)s->name_server.port, (unsigned)s->left_out, GB_SURVEY_MOST);
  for (uint32_t i = 0; i < s->count; i++)
    if (!gb_nws_series_ask(&s->client, &s->series[i], fetched, &s->series[i]))
      note(s, "out of memory");
}

bool gb_survey_begin(gb_survey *s) {
  if (gb_survey_busy(s))
    return true;
  s->trouble.message[0] = '\0';
  s->failed = 0;
  gb_nws_message search = {.number = GB_NWS_NS_SEARCH, .text = gb_view_of(filter)};
  return gb_client_ask(&s->client, &s->name_server, &search, searched, s);
}

bool gb_survey_busy(const gb_survey *s) {
  return s->client.first != NULL;
}

void gb_survey_stop(gb_survey *s, const char *why) {
  note_of(s, &s->client.to, why);
  gb_client_forget(&s->client);
}

static int by_name(const void *a, const void *b) {
  const gb_nws_series *x = *(const gb_nws_series *const *)a, *y = *(const gb_nws_series *const *)b;
  int order = strcmp(x->name, y->name);
  return order != 0 ? order : (x->rank < y->rank) - (x->rank > y->rank);
}

/* By pair; latencies first, the newest first. */
static int by_pair(const void *a, const void *b) {
  const gb_nws_series *x = *(const gb_nws_series *const *)a, *y = *(const gb_nws_series *const *)b;
  int order = gb_nws_series_pair(x, y);
  if (order == 0)
    order = (int)x->kind - (int)y->kind;
  return order != 0 ? order : (x->newest < y->newest) - (x->newest > y->newest);
}

bool gb_survey_current(const gb_survey *s, const gb_nws_series ***out, uint32_t *count) {
  const gb_nws_series **list = malloc((s->count + 1) * sizeof(void *));
  uint32_t filled = 0;
  *out = list;
  *count = 0;
  if (list == NULL)
    return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->series[i].count > 0)
      list[filled++] = &s->series[i];
  qsort(list, filled, sizeof(void *), by_name);
  for (uint32_t i = 0; i < filled; i++)
    if (*count == 0 || strcmp(list[*count - 1]->name, list[i]->name) != 0)
      list[(*count)++] = list[i];
  qsort(list, *count, sizeof(void *), by_pair);
  return true;
}
