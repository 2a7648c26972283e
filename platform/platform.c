/* What callers ask of a platform. */
#include "platform/platform.h"
#include "platform/parse.h"

#include <stdlib.h>
#include <string.h>

int gb_platform_check(const char *path, gb_mistake_sink *report, void *context, gbcast_platform **out,
                      gbcast_error *err) {
  const char *name = path != NULL ? path : "<stdin>";
  const gb_place start = {name, 1, 1};
  char *text = NULL;
  size_t length = 0;
  int status = gb_read_file(path, &start, NULL, &text, &length, err);
  if (status == GBCAST_OK)
    status = gb_platform_parse(text, length, name, report, context, out, err);
  free(text);
  return status;
}

int gbcast_platform_read(const char *path, gbcast_platform **out, gbcast_error *err) {
  if (path == NULL || out == NULL)
    return gb_fail(err, GBCAST_EUSAGE, "a path and a place for the platform are needed");
  return gb_platform_check(path, NULL, NULL, out, err);
}

void gbcast_platform_free(gbcast_platform *platform) {
  if (platform == NULL)
    return;
  for (uint32_t i = 0; i < platform->cluster_count; i++)
    free(platform->cluster[i].plogp.point);
  for (uint32_t i = 0; i < platform->link_count; i++)
    free(platform->link[i].plogp.point);
  free(platform->host);
  free(platform->run);
  free(platform->sw);
  free(platform->cluster);
  free(platform->host_of_cluster);
  free(platform->link);
  free(platform->link_start);
  free(platform->notes.line);
  free(platform->warnings.line);
  if (platform->weather != NULL)
    gb_weather_release(platform->weather);
  free(platform->weather);
  gb_storage *s = platform->storage;
  if (s != NULL) {
    gb_names_release(&s->hosts);
    gb_names_release(&s->clusters);
    gb_arena_release(&s->arena);
    free(s);
  }
  free(platform);
}

uint32_t gbcast_platform_hosts(const gbcast_platform *platform) {
  return platform->host_count;
}

uint32_t gbcast_platform_clusters(const gbcast_platform *platform) {
  return platform->cluster_count;
}

uint32_t gbcast_platform_slots(const gbcast_platform *platform) {
  return (uint32_t)platform->slot_count; /* parsing keeps it below 2^31 */
}

const char *gbcast_platform_host_name(const gbcast_platform *platform, uint32_t host) {
  return host < platform->host_count ? platform->host[host].name : NULL;
}

const char *gbcast_platform_note(const gbcast_platform *platform, size_t index) {
  return index < platform->notes.count ? platform->notes.line[index] : NULL;
}

const char *gbcast_platform_warning(const gbcast_platform *platform, size_t index) {
  return index < platform->warnings.count ? platform->warnings.line[index] : NULL;
}

const gb_link *gb_platform_link(const gbcast_platform *p, uint32_t from, uint32_t to) {
  if (p->assumed_mesh)
    return from != to ? &p->assumed : NULL;
  uint32_t low = p->link_start[from];
  uint32_t end = p->link_start[from + 1];
  for (uint32_t high = end; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    if (p->link[middle].to < to)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && p->link[low].to == to ? &p->link[low] : NULL;
}

static bool same_table(const gb_plogp *a, const gb_plogp *b) {
  if (a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->point[i].bytes != b->point[i].bytes || a->point[i].gap != b->point[i].gap ||
        a->point[i].latency != b->point[i].latency ||
        a->point[i].send_overhead != b->point[i].send_overhead ||
        a->point[i].receive_overhead != b->point[i].receive_overhead)
      return false;
  return true;
}

bool gb_links_alike(const gb_link *a, const gb_link *b) {
  return a->latency == b->latency && a->bandwidth == b->bandwidth && a->overhead == b->overhead &&
         a->stream_bandwidth == b->stream_bandwidth && a->initial_window == b->initial_window &&
         a->injection == b->injection && a->egress == b->egress && same_table(&a->plogp, &b->plogp);
}

uint32_t gb_platform_find_host(const gbcast_platform *p, const char *name) {
  const gb_storage *s = p->storage;
  return gb_names_find(&s->hosts, name, strlen(name));
}

uint32_t gb_platform_find_cluster(const gbcast_platform *p, const char *name) {
  const gb_storage *s = p->storage;
  return gb_names_find(&s->clusters, name, strlen(name));
}

uint32_t gb_platform_leader(const gbcast_platform *p, uint32_t cluster) {
  const gb_cluster *c = &p->cluster[cluster];
  return c->leader != GB_NONE ? c->leader : p->host_of_cluster[c->host_start];
}

uint32_t gb_slot_run_length(const gbcast_platform *p, uint32_t run) {
  uint64_t end = run + 1 < p->run_count ? p->run[run + 1].first : p->slot_count;
  return (uint32_t)(end - p->run[run].first);
}
