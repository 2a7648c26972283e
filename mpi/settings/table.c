/* The table of all settings, and the kinds of values that they have. In any locale. */
#include "mpi/settings/settings.h"
#include "plan/alltoall/alltoall.h"
#include "platform/live/live.h"
#include "platform/text/text.h"
#include <gbcast/plan.h>
#include <stdlib.h>
#include <string.h>

static void *field_of(const gb_setting *setting, gb_settings *s) {
  return (char *)s + setting->field;
}

static int refuse(const gb_setting *setting, const char *value, const char *expected, gbcast_error *err) {
  return gb_fail(err, GBCAST_EUSAGE, "%s=%s: expected %s", setting->name, value, expected);
}

static int copy_text(const char *text, size_t length, char **out, gbcast_error *err) {
  char *copy = strndup(text, length);
  if (copy == NULL)
    return gb_no_memory(err);
  free(*out);
  *out = copy;
  return GBCAST_OK;
}

/* char * */
static int read_text(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  return copy_text(value, strlen(value), field_of(setting, out), err);
}

/* "0|1|2" is told as "0, 1 or 2". */
static int refuse_choice(const gb_setting *setting, const char *value, gbcast_error *err) {
  char words[64] = "";
  const char *last = strrchr(setting->value, '|');
  size_t length = 0;
  for (const char *at = setting->value; *at != '\0' && length + sizeof " or " < sizeof words; at++) {
    const char *between = at == last ? " or " : ", ";
    if (*at != '|')
      words[length++] = *at;
    else
      length = (size_t)(stpcpy(words + length, between) - words);
    words[length] = '\0';
  }
  return refuse(setting, value, words, err);
}

/* int: which of the words that the table has, a|b|c, counted from 0 */
static int read_choice(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  int *field = field_of(setting, out), number = 0;
  for (const char *word = setting->value;; number++) {
    size_t length = strcspn(word, "|");
    if (strlen(value) == length && strncmp(word, value, length) == 0) {
      *field = number;
      return GBCAST_OK;
    }
    if (word[length] == '\0')
      return refuse_choice(setting, value, err);
    word += length + 1;
  }
}

/* int: a|b|c from 0 on; a greater number is the last */
static int read_level(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *last = strrchr(setting->value, '|') + 1, *why = NULL;
  uint32_t level = 0;
  if (!gb_read_count(value, strlen(value), &level, &why) || level <= (uint32_t)(*last - '0'))
    return read_choice(setting, value, out, err);
  *(int *)field_of(setting, out) = *last - '0';
  return GBCAST_OK;
}

/* uint64_t */
static int read_bytes(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *expected = NULL;
  bool ok = gb_read_size(value, strlen(value), field_of(setting, out), &expected);
  return ok ? GBCAST_OK : refuse(setting, value, expected, err);
}

/* uint32_t */
static int read_lanes(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *why = NULL;
  uint32_t *field = field_of(setting, out), lanes = 0;
  if (!gb_read_count(value, strlen(value), &lanes, &why) || lanes > GBCAST_LANES_MOST)
    return refuse(setting, value, "1 to 64 lanes", err);
  *field = lanes;
  return GBCAST_OK;
}

/* double, s: whole and at least 1 */
static int read_age(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  const char *why = NULL;
  double *field = field_of(setting, out);
  uint32_t seconds = 0;
  if (!gb_read_count(value, strlen(value), &seconds, &why))
    return refuse(setting, value, "a whole number of seconds, at least 1", err);
  *field = seconds;
  return GBCAST_OK;
}

/* double, s: 0 and fractions, too */
static int read_seconds(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  double *field = field_of(setting, out), number = 0, place = 1;
  const char *at = value;
  for (; *at >= '0' && *at <= '9'; at++)
    number = number * 10 + (*at - '0');
  if (at > value && *at == '.')
    for (at++; *at >= '0' && *at <= '9'; at++)
      number += (*at - '0') * (place /= 10);
  if (at == value || *at != '\0' || number > GB_MOST_TIME)
    return refuse(setting, value, "a number of seconds, such as 60 or 0.5", err);
  *field = number;
  return GBCAST_OK;
}

/* double: 0, INFINITY or s, as --objective of gbcast-plan */
static int read_objective(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  double *field = field_of(setting, out);
  if (!gb_read_objective(value, field))
    return refuse(setting, value, "time, cost or a number of seconds above 0", err);
  return GBCAST_OK;
}

/* char *, a --sync of gbcast-plan */
static int read_sync(const gb_setting *setting, const char *value, gb_settings *out, gbcast_error *err) {
  gb_sync_choice choice;
  gbcast_error why = {""};
  if (gb_sync_read(value, &choice, &why) != GBCAST_OK)
    return gb_fail(err, GBCAST_EUSAGE, "%s: %s", setting->name, why.message);
  return read_text(setting, value, out, err);
}

/* INTER/INTRA, into both fields */
static int read_algorithms(const gb_setting *setting, const char *value, gb_settings *out,
                           gbcast_error *err) {
  const char *slash = strchr(value, '/');
  if (slash == NULL || slash == value || slash[1] == '\0')
    return refuse(setting, value, "INTER/INTRA, such as extended-dijkstra/binomial", err);
  int rc = copy_text(value, (size_t)(slash - value), &out->inter, err);
  return rc == GBCAST_OK ? copy_text(slash + 1, strlen(slash + 1), &out->intra, err) : rc;
}

#define TEXT_OF(x) #x
#define VALUE_OF(x) TEXT_OF(x)
#define FIELD(name) offsetof(gb_settings, name)

static const gb_setting table[] = {
    {"GBCAST_HOSTS", "PATH", NULL,
     "the hosts file; without one each shared-memory node is a host of one cluster, and the preloaded "
     "library "
     "passes all calls on to MPI",
     read_text, FIELD(hosts)},
    {"GBCAST_LIVE", "file:PATH|nws://HOST[:PORT]", NULL,
     "live values that are laid over the links of the hosts file", read_text, FIELD(live)},
    {"GBCAST_MAX_AGE", "SECONDS", VALUE_OF(GB_LIVE_MAX_AGE), "live values that are older do not count",
     read_age, FIELD(max_age)},
    {"GBCAST_REFRESH", "SECONDS", "0",
     "how long from one look at the hosts file and live values to the next; 0 is never", read_seconds,
     FIELD(refresh)},
    {"GBCAST_MAP", "name|order", "name",
     "how ranks map to hosts: by processor name, or in the order of MPI_COMM_WORLD to the slots of the file, "
     "from the first again where there are more ranks",
     read_choice, FIELD(map_by_order)},
    {"GBCAST_PLAN", "PATH[:PATH...]", NULL,
     "plans that gbcast-plan --format=json has written, to be run as they are for their operation, root and "
     "size",
     read_text, FIELD(plan)},
    {"GBCAST_ALGORITHM", "INTER/INTRA", NULL, "forces the algorithms of both levels", read_algorithms, 0},
    {"GBCAST_INTER", "NAME", NULL, "forces the algorithm between sites", read_text, FIELD(inter)},
    {"GBCAST_INTRA", "NAME[,CLUSTER][;...]", NULL, "forces the algorithm inside sites, or inside one",
     read_text, FIELD(intra)},
    {"GBCAST_SEGMENT", "BYTES", NULL, "forces the segment size; k, M and G are multiples of 1024", read_bytes,
     FIELD(segment)},
    {"GBCAST_LANES", "N", NULL, "forces the number of leaders of each site that share a broadcast, 1 to 64",
     read_lanes, FIELD(lanes)},
    {"GBCAST_OBJECTIVE", "time|cost|SECONDS", "time",
     "the least time, the least cost at the prices of the hosts file, or the least cost of what takes "
     "at most so many seconds",
     read_objective, FIELD(objective)},
    {"GBCAST_SYNC", "NAME[:BLOCK]", NULL,
     "forces how the phases of an all-to-all are kept apart, or that there are none", read_sync, FIELD(sync)},
    {"GBCAST_VERBOSE", "0|1|2", "0",
     "what rank 0 tells on standard error: 1 is what it runs with and a line for each plan, 2 the plan too",
     read_level, FIELD(verbose)},
    {"GBCAST_STATS", "PATH", NULL,
     "where rank 0 writes, when MPI ends, what its calls did: how many, their bytes, predicted and measured "
     "times",
     read_text, FIELD(stats)},
    {"GBCAST_TRACE", "PATH", NULL,
     "where rank 0 writes, when MPI ends, when each rank was in each call, and when it sent and received, as "
     "trace events",
     read_text, FIELD(trace)},
    {"GBCAST_CHECK", "0|1", "0", "1 compares calls, and checksums of their data, on all ranks", read_choice,
     FIELD(check)},
    {"GBCAST_PROGRESS", "caller|thread", "caller",
     "who lets non-blocking calls get on while the program computes: nobody but calls of gbcast, or a "
     "thread, "
     "which needs MPI_THREAD_MULTIPLE",
     read_choice, FIELD(progress_thread)},
    {"GBCAST_DISABLE", "0|1", "0", "1 passes everything on to MPI", read_choice, FIELD(disabled)},
};

enum { COUNT = sizeof table / sizeof *table };

const gb_setting *gb_setting_at(size_t number) {
  return number < COUNT ? &table[number] : NULL;
}

size_t gb_setting_number(const char *name) {
  size_t i = 0;
  while (strcmp(table[i].name, name) != 0)
    i++;
  return i;
}
