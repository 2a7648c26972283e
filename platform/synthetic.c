/* A grid from a short description, for tests and docs: "switch:4 host:8" is four switches on one core with
 * eight hosts each. Every level says how many there are in each one of the level before it:
 *
 *     cluster:2 switch:2 switch:3 host:4
 *
 *     c0, c1            clusters, joined by the links that a file without link lines assumes
 *     s0, s1            switches on each cluster's core
 *     s0-0, s0-1, s0-2  switches whose uplink is s0
 *     h0 .. h3          hosts on s0-0; names count up within the cluster
 *
 * The result is the text of a hosts file, which the usual parser reads: defaults, notes and limits are the
 * same. */
#include "platform/platform.h"
#include "platform/text/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LEVELS 16u /* of switches */
#define MAX_SHOWN 64   /* bytes of a word in a message */

typedef struct level_word {
  const char *text;
  size_t length, column; /* from 1 */
} level_word;

typedef struct description {
  uint32_t clusters, hosts; /* 0: not said */
  uint32_t levels, switches[MAX_LEVELS];
  uint64_t switch_total, leaf_total; /* over all clusters; leaf: of the last level, or clusters without any */
} description;

__attribute__((format(printf, 3, 4))) static int refuse(gbcast_error *err, const level_word *found,
                                                        const char *format, ...) {
  char expected[128];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(expected, sizeof expected, format, list);
  va_end(list);
  if (found->length == 0)
    return gb_fail(err, GBCAST_EUSAGE, "found the end at character %zu of the description, expected %s",
                   found->column, expected);
  return gb_fail(err, GBCAST_EUSAGE, "found '%.*s' at character %zu of the description, expected %s",
                 (int)(found->length < MAX_SHOWN ? found->length : MAX_SHOWN), found->text, found->column,
                 expected);
}

/* The next word from *at on; length 0 at the end. */
static level_word next_word(const char *text, size_t *at) {
  *at += strspn(text + *at, " \t");
  level_word word = {.text = text + *at, .length = strcspn(text + *at, " \t"), .column = *at + 1};
  *at += word.length;
  return word;
}

static bool is_level(const level_word *word, size_t length, const char *name) {
  return length == strlen(name) && memcmp(word->text, name, length) == 0;
}

/* Adds one word, "level:count". */
static int read_level(const level_word *word, description *d, gbcast_error *err) {
  const char *colon = memchr(word->text, ':', word->length);
  size_t length = colon == NULL ? word->length : (size_t)(colon - word->text);
  bool cluster = is_level(word, length, "cluster"), host = is_level(word, length, "host");
  if (colon == NULL || !(cluster || host || is_level(word, length, "switch")))
    return refuse(err, word, "cluster:N, switch:N or host:N");
  level_word count = {.text = colon + 1, .length = word->length - length - 1};
  count.column = word->column + length + 1;
  uint32_t n = 0;
  const char *why = NULL;
  if (!gb_read_count(count.text, count.length, &n, &why) || n > GB_MAX_HOSTS)
    return refuse(err, &count, "a whole number from 1 to %u", GB_MAX_HOSTS);
  if (d->hosts > 0)
    return refuse(err, word, "nothing behind host:N");
  if (cluster && (d->clusters > 0 || d->levels > 0))
    return refuse(err, word, "cluster:N once, before all others");
  if (!cluster && !host && d->levels == MAX_LEVELS)
    return refuse(err, word, "at most %u levels of switches", MAX_LEVELS);
  uint64_t total = d->leaf_total * n; /* both factors are at most GB_MAX_HOSTS */
  d->switch_total += cluster || host ? 0 : total;
  if (total > GB_MAX_HOSTS || d->switch_total > GB_MAX_HOSTS)
    return refuse(err, word, "at most %u hosts, and as many switches, in all", GB_MAX_HOSTS);
  if (host) {
    d->hosts = n;
    return GBCAST_OK;
  }
  d->leaf_total = total;
  if (cluster)
    d->clusters = n;
  else
    d->switches[d->levels++] = n;
  return GBCAST_OK;
}

static int read_description(const char *text, description *d, gbcast_error *err) {
  *d = (description){.leaf_total = 1};
  size_t at = 0;
  level_word word;
  while ((word = next_word(text, &at)).length > 0) {
    int status = read_level(&word, d, err);
    if (status != GBCAST_OK)
      return status;
  }
  return d->hosts > 0 ? GBCAST_OK : refuse(err, &word, "host:N, as in \"switch:4 host:8\"");
}

/* "s1-0.c2": the first `levels` indices of the path to a switch. */
static void write_switch(FILE *out, const uint32_t *path, uint32_t levels, const char *group) {
  for (uint32_t i = 0; i < levels; i++)
    fprintf(out, "%s%u", i == 0 ? "s" : "-", path[i]);
  fputs(group, out);
}

/* One leaf after the other, each after the switch lines that are new on the path to it. */
static void write_hosts(const description *d, FILE *out) {
  uint32_t path[MAX_LEVELS] = {0};
  uint64_t leaves = d->leaf_total / (d->clusters > 0 ? d->clusters : 1);
  for (uint64_t leaf = 0; leaf < d->leaf_total; leaf++) {
    uint64_t within = leaf % leaves, first = within * d->hosts;
    char group[16] = "";
    if (d->clusters > 0)
      (void)snprintf(group, sizeof group, ".c%u", (unsigned)(leaf / leaves));
    uint32_t fresh = d->levels; /* a switch is new when this leaf is the first below it */
    bool is_first = true;
    uint64_t rest = within;
    for (uint32_t i = d->levels; i-- > 0; rest /= d->switches[i]) {
      path[i] = (uint32_t)(rest % d->switches[i]);
      fresh = is_first ? i : fresh;
      is_first = is_first && path[i] == 0;
    }
    for (uint32_t i = fresh; i < d->levels; i++) {
      fputs("switch ", out);
      write_switch(out, path, i + 1, group);
      if (i > 0) {
        fputs(" uplink=", out);
        write_switch(out, path, i, group);
      }
      putc('\n', out);
    }
    fprintf(out, "h[%llu-%llu]%s\n", (unsigned long long)first, (unsigned long long)first + d->hosts - 1,
            group);
  }
}

int gbcast_platform_synthetic(const char *text, gbcast_platform **out, gbcast_error *err) {
  if (text == NULL || out == NULL)
    return gb_fail(err, GBCAST_EUSAGE, "a description and a place for the platform are needed");
  description d;
  int status = read_description(text, &d, err);
  if (status != GBCAST_OK)
    return status;
  char *hosts = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&hosts, &length);
  if (stream == NULL)
    return gb_no_memory(err);
  write_hosts(&d, stream);
  bool failed = ferror(stream) != 0;
  if (fclose(stream) != 0 || failed)
    status = gb_no_memory(err);
  if (status == GBCAST_OK)
    status = gbcast_platform_parse(hosts, length, "synthetic", out, err);
  free(hosts);
  return status;
}
