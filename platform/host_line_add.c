/* The hosts of a host line in the platform. */
#include "platform/host_line.h"

#include <string.h>

static int natural_cluster(const gb_host_line *l, const char *name, uint32_t *cluster) {
  gb_parser *q = l->parser;
  size_t length = 0;
  const char *group = gb_host_group(name, &length);
  int status = gb_intern_cluster(q, group, length, &l->where, cluster);
  if (status == GBCAST_OK && !q->cluster_note[*cluster].declared) {
    q->cluster_note[*cluster].declared = true;
    q->p->cluster[*cluster].where = l->where;
  }
  return status;
}

/* Adds the slots of the line for this host; `k`: how many it has already. Lines of one host that follow each
 * other count as one, as in Hydra. The caller checks the sum of all slots. */
static int add_run(const gb_host_line *l, uint32_t host, uint32_t k) {
  gb_parser *q = l->parser;
  gbcast_platform *p = q->p;
  const uint32_t first = (uint32_t)p->slot_count;
  p->slot_count += l->slots;
  if (p->run_count > 0 && p->run[p->run_count - 1].host == host)
    return GBCAST_OK;
  if (p->run_count == GB_MAX_RUNS)
    return gb_expected(&q->source, &l->name, "at most %u names of hosts, those that are repeated included",
                       GB_MAX_RUNS);
  gb_slot_run *run = gb_grow(p->run, p->run_count, &q->run_capacity, sizeof *run);
  if (run == NULL)
    return gb_source_no_memory(&q->source);
  p->run = run;
  run[p->run_count++] = (gb_slot_run){.host = host, .first = first, .k = k};
  return GBCAST_OK;
}

static int add_slots(const gb_host_line *l, gb_host *h, uint32_t cluster) {
  gb_parser *q = l->parser;
  gb_arena *a = &q->s->arena;
  const gb_cluster *c = q->p->cluster;
  unsigned line = h->where.line;
  if (h->cluster != cluster)
    return gb_fail_at(q->source.err, &l->where, "found '%s' in cluster '%s', expected '%s' as on line %u",
                      h->name, c[cluster].name, c[h->cluster].name, line);
  if (h->sw != l->symbol) {
    const char *now = l->symbol == GB_NONE ? "no switch" : q->symbols[l->symbol].name;
    const char *before = h->sw == GB_NONE ? "no switch" : q->symbols[h->sw].name;
    return gb_fail_at(q->source.err, &l->where, "found '%s' on '%s', expected '%s' as on line %u", h->name,
                      now, before, line);
  }
  if (h->user != NULL && l->user != NULL && strcmp(h->user, l->user) != 0)
    return gb_fail_at(q->source.err, &l->where, "found '%s' with user '%s', expected '%s' as on line %u",
                      h->name, l->user, h->user, line);
  if (h->user == NULL)
    h->user = l->user;
  if (h->extra == NULL) {
    h->extra = l->extra;
  } else if (l->extra != NULL && strcmp(h->extra, l->extra) != 0) {
    size_t first = strlen(h->extra);
    size_t second = strlen(l->extra);
    if (first + second >= GB_MAX_EXTRA)
      return gb_expected(&q->source, &l->name, "at most %u bytes of key=value words for a host",
                         GB_MAX_EXTRA);
    char *joined = gb_arena_alloc(a, first + 1 + second);
    if (joined == NULL)
      return gb_source_no_memory(&q->source);
    memcpy(joined, h->extra, first);
    joined[first] = ' ';
    memcpy(joined + first + 1, l->extra, second);
    h->extra = joined;
  }
  const uint32_t k = h->slots;
  h->slots += l->slots;
  return add_run(l, (uint32_t)(h - q->p->host), k);
}

int gb_host_line_add(void *context, const char *name, size_t length) {
  gb_host_line *l = context;
  gb_parser *q = l->parser;
  gbcast_platform *p = q->p;
  uint32_t cluster = l->cluster;
  if (cluster == GB_NONE) {
    int status = natural_cluster(l, name, &cluster);
    if (status != GBCAST_OK)
      return status;
  }
  if (p->slot_count + l->slots > INT32_MAX)
    return gb_expected(&q->source, &l->name, "at most %d slots in all", INT32_MAX);
  bool is_new = false;
  uint32_t host = gb_names_add(&q->s->hosts, &q->s->arena, name, length, &is_new);
  if (host == GB_NONE)
    return gb_source_no_memory(&q->source);
  if (!is_new)
    return add_slots(l, &p->host[host], cluster);
  if (p->host_count == GB_MAX_HOSTS)
    return gb_expected(&q->source, &l->name, "at most %u hosts", GB_MAX_HOSTS);
  gb_host *hosts = gb_grow(p->host, p->host_count, &q->host_capacity, sizeof *hosts);
  if (hosts == NULL)
    return gb_source_no_memory(&q->source);
  p->host = hosts;
  hosts[p->host_count++] = (gb_host){.name = (char *)q->s->hosts.key[host].text,
                                     .user = l->user,
                                     .extra = l->extra,
                                     .cluster = cluster,
                                     .sw = l->symbol,
                                     .slots = l->slots,
                                     .where = l->where};
  return add_run(l, host, 0);
}
