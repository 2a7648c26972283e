/* Names the measured numbers that have no place in the file that --merge updates. */
#include "platform/text/text.h"
#include "probe/merge.h"

#include <math.h>

static const double ALIKE = 0.1; /* numbers that are off by at most this fraction are not named */

static bool differ(const gb_merge_number *n) {
  return isfinite(n->now) && !(fabs(n->before - n->now) <= ALIKE * n->now);
}

/* Prints "FILE:LINE:COLUMN: WHAT: the line has no place for KEY=VALUE..." if some numbers differ. */
static void tell_numbers(const gb_place *where, const char *what, const gb_merge_number *number,
                         uint32_t count, FILE *out) {
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    char text[GB_UNIT_TEXT];
    if (!differ(&number[i]))
      continue;
    if (!any)
      (void)fprintf(out, "%s:%u:%u: %s: the line has no place for", where->file, (unsigned)where->line,
                    (unsigned)where->column, what);
    gb_write_number(text, &number[i]);
    (void)fprintf(out, " %s=%s", number[i].key, text);
    any = true;
  }
  if (any)
    (void)fputc('\n', out);
}

/* Names the sizes of a cluster's plogp table that were not measured. */
static void tell_sizes(const gb_cluster *merged, const gb_cluster *now, FILE *out) {
  for (uint32_t i = 0; i < merged->plogp.count; i++) {
    char size[GB_UNIT_TEXT];
    if (gb_point_of(&now->plogp, merged->plogp.point[i].bytes) != NULL)
      continue;
    gb_write_size(size, merged->plogp.point[i].bytes);
    (void)fprintf(
        out, "%s:%u:%u: cluster %s: its plogp line with size=%s was not measured and stays as it is\n",
        merged->where.file, (unsigned)merged->where.line, (unsigned)merged->where.column, merged->name, size);
  }
}

static void tell_link(const gbcast_platform *p, const gb_link *merged, const gb_link *now, FILE *out) {
  gb_merge_number number[GB_LINK_NUMBERS];
  char what[2 * GB_MAX_NAME + 16];
  (void)snprintf(what, sizeof what, "link %s -> %s", p->cluster[merged->from].name,
                 p->cluster[merged->to].name);
  gb_numbers_of_link(merged, now, number);
  if (now->stream_bandwidth >= now->bandwidth) /* then stream-bandwidth= is not needed */
    number[3].now = INFINITY;
  tell_numbers(&merged->where, what, number, GB_LINK_NUMBERS, out);
  if (merged->plogp.count > 0 && now->plogp.count == 0)
    (void)fprintf(out,
                  "%s:%u:%u: %s: its plogp lines were not measured and stay as they are; they override the "
                  "link line\n",
                  merged->where.file, (unsigned)merged->where.line, (unsigned)merged->where.column, what);
}

void gb_probe_tell_unplaced(const gbcast_platform *merged, const gbcast_platform *now, FILE *out) {
  for (uint32_t c = 0; c < merged->cluster_count; c++) {
    const uint32_t found = gb_platform_find_cluster(now, merged->cluster[c].name);
    gb_merge_number number[GB_CLUSTER_NUMBERS];
    char what[GB_MAX_NAME + 16];
    if (found == GB_NONE)
      continue;
    (void)snprintf(what, sizeof what, "cluster %s", merged->cluster[c].name);
    gb_numbers_of_cluster(&merged->cluster[c], &now->cluster[found], number);
    tell_numbers(&merged->cluster[c].where, what, number, GB_CLUSTER_NUMBERS, out);
    tell_sizes(&merged->cluster[c], &now->cluster[found], out);
  }
  for (uint32_t i = 0; i < merged->link_count; i++) {
    const gb_link *l = &merged->link[i];
    const uint32_t from = gb_platform_find_cluster(now, merged->cluster[l->from].name),
                   to = gb_platform_find_cluster(now, merged->cluster[l->to].name);
    const gb_link *found = from != GB_NONE && to != GB_NONE ? gb_platform_link(now, from, to) : NULL;
    if (found != NULL)
      tell_link(merged, l, found, out);
  }
}
