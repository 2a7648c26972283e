/* gbcast-doctor-job: what gbcast-doctor starts under a launcher. Rank 0 prints findings about the job, and
 * the ranks broadcast by MPI_Bcast(), which libgbcast-pmpi takes over. All other calls are MPI's own. */
#include "mpi/job/job.h"
#include "tools/doctor/doctor.h"

#include <gbcast/platform.h>
#include <stdlib.h>

enum { BYTES = 1 << 20, EXIT_CANNOT = 1 };

typedef struct about { /* what each rank tells rank 0 */
  gb_identity identity;
  char library[GB_VERSION_TEXT];
  gb_tcp tcp;
  int provided;
} about;

static about describe(int provided, int rank) {
  about mine = {.identity.world_rank = rank, .provided = provided};
  int length;
  (void)PMPI_Get_processor_name(mine.identity.name, &length);
  gb_library_name(mine.library);
  mine.tcp = gb_tcp_read("/proc/sys/net/ipv4");
  return mine;
}

/* One rank whose MPI library or TCP settings are other than those of rank 0 is enough to see what is wrong.
 */
static void compare(gb_doctor *d, const about *all, int size) {
  const char *name = all[0].identity.name;
  for (int r = 1; r < size; r++)
    if (strcmp(all[r].library, all[0].library) != 0) {
      gb_doctor_say(d, GB_FAIL, "ranks", "%s on %s (rank %d), but %s on %s: install the same on all hosts",
                    all[r].library, all[r].identity.name, r, all[0].library, name);
      break;
    }
  for (int r = 1; r < size; r++)
    if (all[r].tcp.receive != all[0].tcp.receive || all[r].tcp.send != all[0].tcp.send ||
        all[r].tcp.starts_slowly != all[0].tcp.starts_slowly) {
      gb_doctor_say(d, GB_WARN, "tcp",
                    "%s (rank %d) has other settings of net.ipv4.tcp_ than %s: set the same",
                    all[r].identity.name, r, name);
      break;
    }
  if (d->bad == 0)
    gb_doctor_say(d, GB_WELL, "ranks", "%d with %s%s", size, all[0].library,
                  all[0].provided == MPI_THREAD_MULTIPLE ? ", MPI_THREAD_MULTIPLE" : "");
  if (all[0].provided < MPI_THREAD_MULTIPLE && d->settings.progress_thread)
    gb_doctor_say(
        d, GB_WARN, "ranks",
        "GBCAST_PROGRESS=thread does nothing, as this MPI library has no MPI_THREAD_MULTIPLE: unset it");
}

/* Where the file has more ranks of a host than slots, or ranks of several machines on one host. */
static void check_slots(gb_doctor *d, const gb_identity *rank, const uint32_t *rank_host, int size) {
  const gbcast_platform *p = d->platform;
  uint32_t used = 0;
  const unsigned before = d->bad;
  for (uint32_t h = 0; h < p->host_count; h++) {
    int count = 0, first = 0, stray = 0;
    for (int r = 0; r < size; r++) {
      if (rank_host[r] != h)
        continue;
      first = count++ == 0 ? r : first;
      stray = strcmp(rank[r].name, rank[first].name) != 0 ? r : stray;
    }
    used += count > 0;
    if (d->bad - before >= GB_DOCTOR_MOST)
      continue;
    if (stray > 0)
      gb_doctor_say(d, GB_FAIL, "slots",
                    "ranks %d and %d are on %s by GBCAST_MAP=order, but run on %s and %s: start them in the "
                    "order of 'gbcast-plan --format=hostfile %s'",
                    first, stray, p->host[h].name, rank[first].name, rank[stray].name, d->hosts);
    else if ((uint32_t)count > p->host[h].slots)
      gb_doctor_say(d, GB_WARN, "slots",
                    "%s has %d ranks, but slots=%u in %s:%u: write %s:%d, or start fewer", p->host[h].name,
                    count, (unsigned)p->host[h].slots, d->hosts, (unsigned)p->host[h].where.line,
                    p->host[h].name, count);
  }
  printf("gbcast-doctor-job: %u hosts\n", (unsigned)used);
  if (d->bad == before)
    gb_doctor_say(d, GB_WELL, "slots", "%d ranks on %u of the %u hosts, none with more than its slots", size,
                  (unsigned)used, (unsigned)p->host_count);
}

/* What cannot be read or placed gbcast tells itself. */
static void check_hosts(gb_doctor *d, const about *all, int size) {
  gbcast_error err = {""};
  gb_identity *rank = malloc(sizeof *rank * (size_t)size);
  uint32_t *rank_host = malloc(sizeof *rank_host * (size_t)size);
  d->hosts = getenv("GBCAST_HOSTS");
  if (rank != NULL && rank_host != NULL && d->hosts != NULL &&
      gbcast_platform_read(d->hosts, &d->platform, &err) == GBCAST_OK) {
    for (int r = 0; r < size; r++)
      rank[r] = all[r].identity;
    if ((d->settings.map_by_order ? gb_map_by_order(d->platform, rank, size, rank_host, &err)
                                  : gb_map_by_name(d->platform, rank, size, 0, rank_host, &err)) == GBCAST_OK)
      check_slots(d, rank, rank_host, size);
  }
  gbcast_platform_free(d->platform);
  free(rank_host);
  free(rank);
}

static unsigned char expected(size_t i) {
  return (unsigned char)(i * 31 + i / 251);
}

/* Broadcasts from rank 0. Sets *wrong, on rank 0, to how many ranks got something else. */
static int broadcast(int rank, int *wrong) {
  unsigned char *data = calloc(BYTES, 1);
  int mine = data == NULL, rc = MPI_SUCCESS;
  if (data == NULL)
    return MPI_ERR_NO_MEM;
  for (size_t i = 0; rank == 0 && i < BYTES; i++)
    data[i] = expected(i);
  rc = MPI_Bcast(data, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (size_t i = 0; !mine && i < BYTES; i++)
    mine = data[i] != expected(i);
  free(data);
  return rc == MPI_SUCCESS ? PMPI_Reduce(&mine, wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD) : rc;
}

static int examine(int provided, int rank, int size) {
  gb_doctor d = {0};
  gbcast_error err;
  const about mine = describe(provided, rank);
  about *all = rank == 0 ? malloc(sizeof *all * (size_t)size) : NULL;
  int wrong = 0;
  if (rank == 0 && all == NULL)
    return MPI_ERR_NO_MEM;
  int rc = PMPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rc == MPI_SUCCESS && rank == 0 && gb_settings_init(&d.settings, &err) == GBCAST_OK) {
    (void)gb_setting_read(gb_setting_at(gb_setting_number("GBCAST_MAP")), &d.settings, &err);
    (void)gb_setting_read(gb_setting_at(gb_setting_number("GBCAST_PROGRESS")), &d.settings, &err);
    compare(&d, all, size);
    check_hosts(&d, all, size);
  }
  gb_settings_release(&d.settings);
  free(all);
  if (rc == MPI_SUCCESS)
    rc = broadcast(rank, &wrong);
  if (rc == MPI_SUCCESS && rank == 0)
    gb_doctor_say(&d, wrong == 0 ? GB_WELL : GB_FAIL, "broadcast",
                  wrong == 0 ? "1 MiB from rank 0 arrived on all %d ranks"
                             : "wrong data on %d ranks: report it",
                  wrong == 0 ? size : wrong);
  return rc;
}

int main(int argc, char **argv) {
  int provided = 0, rank = 0, size = 1, rc = MPI_SUCCESS;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
    return EXIT_CANNOT;
  (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  (void)PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1)
    rc = examine(provided, rank, size);
  else if (!gb_library_is_alone() && gb_library_speaks())
    gb_doctor_say(&(gb_doctor){0}, GB_FAIL, "ranks", "only one: start at least two, such as mpiexec -n 2");
  (void)MPI_Finalize();
  return rc == MPI_SUCCESS && size > 1 ? 0 : EXIT_CANNOT;
}
