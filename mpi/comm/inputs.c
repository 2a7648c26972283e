/* The inputs that every rank plans from, as one block of bytes that rank 0 sends once for each communicator.
 */
#include "mpi/comm/inputs.h"
#include "plan/core/core.h"
#include <stdlib.h>
#include <string.h>

typedef struct head {
  uint64_t hash; /* of all that follows */
  uint64_t close_order;
  uint64_t inter_length, intra_length, sync_length, platform_length, plans_length,
      source_length;    /* 0: not there */
  gb_settings settings; /* the pointers of this and the next are NULL */
  gb_weather weather;
  uint32_t rank_count;
  int32_t code;
  uint8_t left, by_nodes, trace, gathers;
} head;

_Static_assert(sizeof(gb_settings) ==
                   8 * sizeof(char *) + 3 * sizeof(double) + sizeof(uint64_t) + 6 * sizeof(int),
               "no padding is sent, so that equal inputs are equal bytes");

static uint64_t hash_of(const char *bytes, size_t length) {
  return gb_checksum(bytes + sizeof(uint64_t), length - sizeof(uint64_t));
}

void gb_inputs_seal(char *bytes, size_t length) {
  uint64_t hash = hash_of(bytes, length);
  memcpy(bytes, &hash, sizeof hash);
}

int gb_inputs_write(const gbcast_platform *p, char **text, size_t *length, gbcast_error *err) {
  *text = NULL;
  FILE *out = open_memstream(text, length);
  if (out == NULL)
    return gb_no_memory(err);
  int rc = gbcast_platform_print(p, out);
  if (fclose(out) == 0 && rc == GBCAST_OK)
    return GBCAST_OK;
  free(*text);
  *text = NULL;
  return gb_fail(err, GBCAST_EMEMORY, "out of memory while writing the platform down");
}

/* Without their texts. */
static gb_settings numbers_of(gb_settings s) {
  s.hosts = s.live = s.plan = s.inter = s.intra = s.sync = s.stats = s.trace = NULL;
  return s;
}

static size_t length_of(const char *text) {
  return text != NULL ? strlen(text) : 0;
}

int gb_inputs_encode(const gb_inputs *in, char **bytes, size_t *length) {
  head h;
  memset(&h, 0, sizeof h);
  h.close_order = in->close_order;
  h.settings = numbers_of(in->settings);
  h.weather = in->weather;
  h.weather.source = NULL;
  h.weather.finding = NULL;
  h.rank_count = in->rank_count;
  h.code = in->code;
  h.left = in->left;
  h.by_nodes = in->by_nodes;
  h.trace = in->trace;
  h.gathers = in->gathers;
  h.inter_length = length_of(in->settings.inter);
  h.intra_length = length_of(in->settings.intra);
  h.sync_length = length_of(in->settings.sync);
  h.platform_length = in->platform_length;
  h.plans_length = in->plans_length;
  h.source_length = length_of(in->weather.source);
  const struct {
    const void *data;
    size_t length;
  } part[] = {{&h, sizeof h},
              {in->rank_host, sizeof *in->rank_host * in->rank_count},
              {in->settings.inter, h.inter_length},
              {in->settings.intra, h.intra_length},
              {in->settings.sync, h.sync_length},
              {in->platform, h.platform_length},
              {in->plans, h.plans_length},
              {in->weather.source, h.source_length},
              {in->weather.finding, sizeof *in->weather.finding * in->weather.count}};
  enum { PARTS = sizeof part / sizeof *part };
  *length = 0;
  for (int i = 0; i < PARTS; i++)
    *length += part[i].length;
  char *end = *bytes = malloc(*length);
  if (end == NULL)
    return GBCAST_EMEMORY;
  for (int i = 0; i < PARTS; end += part[i++].length)
    if (part[i].length > 0)
      memcpy(end, part[i].data, part[i].length);
  gb_inputs_seal(*bytes, *length);
  return GBCAST_OK;
}

typedef struct unread {
  const char *at;
  size_t length;
  bool damaged; /* or no memory */
} unread;

/* A copy of `count` things of `size` bytes, with a zero at its end; NULL for nothing. */
static void *take(unread *from, uint64_t count, size_t size) {
  from->damaged |= count > from->length / size;
  if (from->damaged || count == 0)
    return NULL;
  size_t length = (size_t)count * size;
  char *out = malloc(length + 1);
  from->damaged = out == NULL;
  if (out == NULL)
    return NULL;
  memcpy(out, from->at, length);
  out[length] = '\0';
  from->at += length;
  from->length -= length;
  return out;
}

bool gb_inputs_decode(const char *bytes, size_t length, gb_inputs *out) {
  *out = (gb_inputs){0};
  head h;
  if (length < sizeof h)
    return false;
  memcpy(&h, bytes, sizeof h);
  if (h.hash != hash_of(bytes, length))
    return false;
  *out = (gb_inputs){.code = h.code,
                     .left = h.left,
                     .by_nodes = h.by_nodes != 0,
                     .close_order = h.close_order,
                     .settings = numbers_of(h.settings),
                     .trace = h.trace != 0,
                     .gathers = h.gathers != 0,
                     .platform_length = (size_t)h.platform_length,
                     .plans_length = (size_t)h.plans_length,
                     .weather = h.weather,
                     .rank_count = h.rank_count};
  unread from = {bytes + sizeof h, length - sizeof h, false};
  out->rank_host = take(&from, h.rank_count, sizeof *out->rank_host);
  out->settings.inter = take(&from, h.inter_length, 1);
  out->settings.intra = take(&from, h.intra_length, 1);
  out->settings.sync = take(&from, h.sync_length, 1);
  out->platform = take(&from, h.platform_length, 1);
  out->plans = take(&from, h.plans_length, 1);
  out->weather.source = take(&from, h.source_length, 1);
  out->weather.finding = take(&from, h.weather.count, sizeof *out->weather.finding);
  for (int kind = 0; kind < GB_IGNORED_KINDS; kind++)
    from.damaged |= memchr(h.weather.first[kind], '\0', sizeof h.weather.first[kind]) == NULL;
  if (from.damaged || from.length > 0) {
    gb_inputs_release(out);
    return false;
  }
  return true;
}

void gb_inputs_release(gb_inputs *inputs) {
  gb_settings_release(&inputs->settings);
  free(inputs->platform);
  free(inputs->plans);
  free(inputs->rank_host);
  gb_weather_release(&inputs->weather);
  *inputs = (gb_inputs){0};
}

int gb_inputs_platform(gb_inputs *in, gbcast_platform **out, gbcast_error *err) {
  *out = NULL;
  int rc = gbcast_platform_parse(in->platform, in->platform_length, "hosts", out, err);
  if (rc == GBCAST_OK && in->weather.source != NULL)
    rc = gb_overlay(*out, &in->weather, err);
  if (rc != GBCAST_OK) {
    gbcast_platform_free(*out);
    *out = NULL;
  }
  return rc;
}

bool gb_inputs_same_hosts(const gbcast_platform *a, const gbcast_platform *b) {
  if (a->host_count != b->host_count || a->cluster_count != b->cluster_count)
    return false;
  for (uint32_t i = 0; i < a->cluster_count; i++)
    if (strcmp(a->cluster[i].name, b->cluster[i].name) != 0)
      return false;
  for (uint32_t h = 0; h < a->host_count; h++)
    if (a->host[h].cluster != b->host[h].cluster || strcmp(a->host[h].name, b->host[h].name) != 0)
      return false;
  return true;
}
