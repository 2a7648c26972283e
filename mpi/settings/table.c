/* The table of all settings. */
#include "mpi/settings/read.h"
#include "mpi/settings/settings.h"
#include "platform/live/live.h"
#include "platform/text/text.h"
#include <gbcast/plan.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX = sizeof "GBCAST_" - 1 };

#define TEXT_OF(x) #x
#define VALUE_OF(x) TEXT_OF(x)
#define FIELD(name) offsetof(gb_settings, name)

static const gb_setting table[] = {
    {"GBCAST_HOSTS", "PATH", NULL,
     "the hosts file; without one each shared-memory node is a host of one cluster, and the preloaded "
     "library "
     "passes all calls on to MPI",
     gb_setting_text, FIELD(hosts)},
    {"GBCAST_LIVE", "file:PATH|nws://HOST[:PORT]", NULL,
     "live values that are laid over the links of the hosts file", gb_setting_text, FIELD(live)},
    {"GBCAST_MAX_AGE", "SECONDS", VALUE_OF(GB_LIVE_MAX_AGE), "live values that are older do not count",
     gb_setting_age, FIELD(max_age)},
    {"GBCAST_REFRESH", "SECONDS", "0",
     "how long from one look at the hosts file and live values to the next; 0 is never", gb_setting_seconds,
     FIELD(refresh)},
    {"GBCAST_MAP", "name|order", "name",
     "how ranks map to hosts: by processor name, or in the order of MPI_COMM_WORLD to the slots of the file, "
     "from the first again where there are more ranks",
     gb_setting_choice, FIELD(map_by_order)},
    {"GBCAST_PLAN", "PATH[:PATH...]", NULL,
     "plans that gbcast-plan --format=json has written, to be run as they are for their operation, root and "
     "size",
     gb_setting_text, FIELD(plan)},
    {"GBCAST_ALGORITHM", "INTER/INTRA", NULL, "forces the algorithms of both levels", gb_setting_algorithms,
     0},
    {"GBCAST_INTER", "NAME", NULL, "forces the algorithm between sites", gb_setting_text, FIELD(inter)},
    {"GBCAST_INTRA", "NAME[,CLUSTER][;...]", NULL, "forces the algorithm inside sites, or inside one",
     gb_setting_text, FIELD(intra)},
    {"GBCAST_SEGMENT", "BYTES", NULL, "forces the segment size; k, M and G are multiples of 1024",
     gb_setting_bytes, FIELD(segment)},
    {"GBCAST_LANES", "N", NULL, "forces the number of leaders of each site that share a broadcast, 1 to 64",
     gb_setting_lanes, FIELD(lanes)},
    {"GBCAST_OBJECTIVE", "time|cost|SECONDS", "time",
     "the least time, the least cost at the prices of the hosts file, or the least cost of what takes "
     "at most so many seconds",
     gb_setting_objective, FIELD(objective)},
    {"GBCAST_SYNC", "NAME[:BLOCK]", NULL,
     "forces how the phases of an all-to-all are kept apart, or that there are none", gb_setting_sync,
     FIELD(sync)},
    {"GBCAST_VERBOSE", "0|1|2", "0",
     "what rank 0 tells on standard error: 1 is what it runs with and a line for each plan, 2 the plan too",
     gb_setting_level, FIELD(verbose)},
    {"GBCAST_STATS", "PATH", NULL,
     "where rank 0 writes, when MPI ends, what its calls did: how many, their bytes, predicted and measured "
     "times",
     gb_setting_text, FIELD(stats)},
    {"GBCAST_TRACE", "PATH", NULL,
     "where rank 0 writes, when MPI ends, when each rank was in each call, and when it sent and received, as "
     "trace events",
     gb_setting_text, FIELD(trace)},
    {"GBCAST_CHECK", "0|1", "0", "1 compares calls, and checksums of their data, on all ranks",
     gb_setting_choice, FIELD(check)},
    {"GBCAST_PROGRESS", "caller|thread", "caller",
     "who lets non-blocking calls get on while the program computes: nobody but calls of gbcast, or a "
     "thread, "
     "which needs MPI_THREAD_MULTIPLE",
     gb_setting_choice, FIELD(progress_thread)},
    {"GBCAST_DISABLE", "0|1", "0", "1 passes everything on to MPI", gb_setting_choice, FIELD(disabled)},
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

const gb_setting *gb_setting_nearest(const char *name) {
  const gb_setting *nearest = NULL;
  unsigned best = GB_FAR;
  name += PREFIX;
  for (size_t i = 0; i < COUNT; i++)
    if (gb_nearer(name, strlen(name), table[i].name + PREFIX, &best))
      nearest = &table[i];
  return nearest;
}

int gb_settings_init(gb_settings *out, gbcast_error *err) {
  *out = (gb_settings){0};
  int rc = GBCAST_OK;
  for (size_t i = 0; rc == GBCAST_OK && i < COUNT; i++)
    if (table[i].fallback != NULL)
      rc = table[i].read(&table[i], table[i].fallback, out, err);
  return rc;
}

void gb_settings_release(gb_settings *settings) {
  free(settings->hosts);
  free(settings->live);
  free(settings->plan);
  free(settings->inter);
  free(settings->intra);
  free(settings->sync);
  free(settings->stats);
  free(settings->trace);
  *settings = (gb_settings){0};
}

void gbcast_list_settings(FILE *out) {
  static const char row[] = "%-16s  %-27s  %-7s  %s\n";
  fprintf(out, row, "Setting", "Value", "Default", "Meaning");
  for (size_t i = 0; i < COUNT; i++)
    fprintf(out, row, table[i].name, table[i].value, table[i].fallback != NULL ? table[i].fallback : "-",
            table[i].meaning);
}
