/* Rank 0's list of the ranks that have the preloaded library. */
#include "mpi/pmpi/roll.h"
#include "mpi/api/api.h"
#include "platform/platform.h"
#include "platform/text/text.h"
#include <gbcast/platform.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 8 }; /* names in a list at most; the rest are counted */

static const char hint[] = "check that libgbcast-pmpi.so exists there, that LD_PRELOAD is handed on, and "
                           "that GBCAST_DISABLE is not set";

bool gb_roll_open(int size, gb_roll *roll) {
  gbcast_error err;
  int length;
  *roll = (gb_roll){.size = size, .wanted = true};
  roll->there = calloc((size_t)size, sizeof *roll->there);
  roll->name = calloc((size_t)size, sizeof *roll->name);
  if (gb_settings_read(&(gb_overrides){0}, &roll->settings, &err) == GBCAST_OK) {
    roll->wanted = roll->settings.hosts != NULL;
    roll->by_name = !roll->settings.map_by_order;
  }
  if (roll->there == NULL || roll->name == NULL)
    return false;
  roll->there[0] = true;
  (void)PMPI_Get_processor_name(roll->name[0], &length);
  return true;
}

void gb_roll_close(gb_roll *roll) {
  free(roll->there);
  free(roll->name);
  gb_settings_release(&roll->settings);
}

/* Prints the next name of a list. */
static void print_next(FILE *out, unsigned *printed, const char *name) {
  if (++*printed <= NAMED)
    fprintf(out, "%s%s", *printed > 1 ? ", " : "", name);
}

static void print_rest(FILE *out, unsigned printed) {
  if (printed > NAMED)
    fprintf(out, " and %u more", printed - NAMED);
}

/* Marks the hosts of the ranks that have answered or, with !there, that have not. */
static int mark(const gb_roll *roll, const gbcast_platform *p, bool there, bool *marked) {
  uint32_t *host = malloc(sizeof *host * (size_t)roll->size);
  gb_identity *rank = calloc((size_t)roll->size, sizeof *rank);
  int status = host != NULL && rank != NULL ? GBCAST_OK : GBCAST_EMEMORY, count = 0;
  for (int r = 0; status == GBCAST_OK && r < roll->size; r++)
    if (roll->there[r] == there) {
      rank[count].world_rank = r;
      memcpy(rank[count++].name, roll->name[r], sizeof roll->name[r]);
    }
  if (status == GBCAST_OK)
    status = (roll->by_name ? gb_map_by_name(p, rank, count, 0, host, NULL)
                            : gb_map_by_order(p, rank, count, host, NULL));
  for (int i = 0; status == GBCAST_OK && i < count; i++)
    marked[host[i]] = true;
  free(host);
  free(rank);
  return status;
}

/* By name: prints the hosts of the file that no rank has reported. By order: the hosts of the missing ranks.
 */
static void print_hosts(const gb_roll *roll, FILE *out) {
  gbcast_platform *p = NULL;
  unsigned printed = 0;
  if (roll->settings.hosts == NULL || gbcast_platform_read(roll->settings.hosts, &p, NULL) != GBCAST_OK)
    return;
  bool *marked = calloc(p->host_count, sizeof *marked);
  if (marked != NULL && mark(roll, p, roll->by_name, marked) == GBCAST_OK) {
    fprintf(out, " (hosts ");
    for (uint32_t h = 0; h < p->host_count; h++)
      if (marked[h] != roll->by_name)
        print_next(out, &printed, p->host[h].name);
    print_rest(out, printed);
    fprintf(out, "%s of %s)", printed == 0 ? "unknown" : "", roll->settings.hosts);
  }
  free(marked);
  gbcast_platform_free(p);
}

void gb_roll_tell(const gb_roll *roll, double seconds) {
  unsigned printed = 0, missing = 0;
  for (int r = 0; r < roll->size; r++)
    missing += !roll->there[r];
  gb_lines lines;
  FILE *out = gb_lines_begin(&lines);
  fprintf(out, "gbcast: %u of %d ranks have not answered for %.0f s: ", missing, roll->size, seconds);
  for (int r = 0; r < roll->size; r++) {
    char number[16];
    (void)snprintf(number, sizeof number, "%d", r);
    if (!roll->there[r])
      print_next(out, &printed, number);
  }
  print_rest(out, printed);
  print_hosts(roll, out);
  fprintf(out, ": %s. All calls are passed on to MPI\n", hint);
  gb_lines_end(&lines);
}

void gb_roll_tell_first(int rank, double seconds) {
  static const char *const variable[] = {"MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"};
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length;
  for (size_t i = 0; rank > 1 && i < sizeof variable / sizeof *variable; i++) {
    const char *local = getenv(variable[i]);
    if (local != NULL && strtol(local, NULL, 10) != 0)
      return;
  }
  (void)PMPI_Get_processor_name(name, &length);
  fprintf(stderr,
          "gbcast: rank %d on %s: rank 0 has not answered for %.0f s: %s. All calls are passed on to MPI\n",
          rank, name, seconds, hint);
}
