/* Files into memory, and what callers ask of a platform. */
#include "platform/overlay.h"
#include "platform/parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30) /* keeps a device that never ends from filling the memory */

static int read_all(FILE *f, char **text, size_t *length) {
  size_t capacity = 0;
  *text = NULL;
  *length = 0;
  for (;;) {
    if (*length == capacity) {
      capacity = capacity == 0 ? 4096 : 2 * capacity;
      char *more = capacity > MOST_BYTES ? NULL : realloc(*text, capacity);
      if (more == NULL)
        return capacity > MOST_BYTES ? EFBIG : ENOMEM;
      *text = more;
    }
    errno = 0;
    size_t n = fread(*text + *length, 1, capacity - *length, f);
    *length += n;
    if (n == 0)
      return ferror(f) ? (errno != 0 ? errno : EIO) : 0;
  }
}

int gb_read_file(const char *path, const gb_place *where, const char *shown, char **text, size_t *length,
                 gbcast_error *err) {
  char reason[128];
  errno = 0;
  *text = NULL;
  FILE *f = path == NULL ? stdin : fopen(path, "re");
  int problem = f == NULL ? errno : read_all(f, text, length);
  if (f != NULL && f != stdin)
    (void)fclose(f);
  if (problem == 0)
    return GBCAST_OK;
  free(*text);
  *text = NULL;
  if (problem == ENOMEM)
    return gb_no_memory(err);
  if (strerror_r(problem, reason, sizeof reason) != 0)
    (void)snprintf(reason, sizeof reason, "error %d", problem);
  const char *verb = f == NULL ? "open" : "read";
  if (shown == NULL)
    return gb_fail_at(err, where, "cannot %s: %s", verb, reason);
  return gb_fail_at(err, where, "%s:1:1: cannot %s: %s", shown, verb, reason);
}

int gbcast_platform_read(const char *path, gbcast_platform **out, gbcast_error *err) {
  if (path == NULL || out == NULL)
    return gb_fail(err, GBCAST_EUSAGE, "a path and a place for the platform are needed");
  gb_place start = {path, 1, 1};
  char *text = NULL;
  size_t length = 0;
  int status = gb_read_file(path, &start, NULL, &text, &length, err);
  if (status == GBCAST_OK)
    status = gbcast_platform_parse(text, length, path, out, err);
  free(text);
  return status;
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
  free(platform->note);
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
  return index < platform->note_count ? platform->note[index] : NULL;
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
