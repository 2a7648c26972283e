/* The course of a copy. What every rank does is decided by what all know, so no rank waits for a message that
 * is never sent: a host on which something fails takes part to the end, and writes nothing.
 *
 *   look at the source -> find the destinations -> copy batches -> give all their names -> report
 */
#include "platform/text/text.h"
#include "tools/cp/copy.h"
#include "tools/cp/report.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

void gb_cp_fail(gb_cp_copy *c, const gbcast_error *err) {
  c->writes = false;
  c->error = *err;
}

_Noreturn void gb_cp_abort(const gb_cp_copy *c, const char *why) {
  int rank = c->rank;
  (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(stderr, "gbcast-cp: rank %d: %s; no copy was completed\n", rank, why);
  (void)MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

void *gb_cp_memory(const gb_cp_copy *c, size_t bytes) {
  void *memory = calloc(1, bytes);
  if (memory == NULL)
    gb_cp_abort(c, "out of memory");
  return memory;
}

/* Walks through the source to see that all can be read, and how much it is. */
static int count(gb_cp_copy *c, gbcast_error *err) {
  gb_cp_source *s = &c->source;
  int status = gb_cp_source_open(s, c->options->source, c->options->follow, err);
  for (bool more = true; more && status == GBCAST_OK;) {
    gb_cp_batch batch = {0};
    status = gb_cp_source_next(s, &batch, err);
    more = batch.count > 0;
    gb_cp_batch_free(&batch);
  }
  c->totals = s->totals;
  gb_cp_source_close(s);
  return status == GBCAST_OK ? gb_cp_source_open(s, c->options->source, c->options->follow, err) : status;
}

typedef struct machine {
  char name[GB_CP_HOST];
  uint64_t boot; /* hash of the kernel's boot ID, as hosts from one image often have one name */
} machine;

static machine this_machine(void) {
  machine own = {0};
  char name[MPI_MAX_PROCESSOR_NAME], boot[64];
  int length = 0;
  (void)MPI_Get_processor_name(name, &length);
  (void)snprintf(own.name, sizeof own.name, "%.*s", length, name);
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  if (file != NULL) {
    own.boot = XXH3_64bits(boot, fread(boot, 1, sizeof boot, file));
    (void)fclose(file);
  }
  return own;
}

typedef struct opening { /* what rank 0 tells all */
  gb_cp_totals totals;
  machine machine;
  bool failed, shows;
} opening;

/* Looks at the source, and tells all ranks what it is and where. false on all ranks: it cannot be copied. */
static bool look_at_source(gb_cp_copy *c, const machine *own, bool *on_its_machine) {
  opening o = {0};
  if (c->rank == 0) {
    o.failed = count(c, &c->source_error) != GBCAST_OK ||
               gb_cp_check_outside(c->options->source, c->options->destination, c->totals.folder,
                                   &c->source_error) != GBCAST_OK;
    o.totals = c->totals;
    c->terminal = c->options->quiet ? NULL : gb_job_terminal();
    o.shows = c->terminal != NULL;
    o.machine = *own;
  }
  (void)MPI_Bcast(&o, sizeof o, MPI_BYTE, 0, c->comm);
  c->totals = o.totals;
  c->source_failed = o.failed;
  c->shows = o.shows;
  *on_its_machine = memcmp(&o.machine, own, sizeof *own) == 0;
  return !o.failed;
}

typedef struct destination { /* two ranks with the same one would write the same file */
  machine machine;
  uint64_t device, inode, name;
  uint64_t found;
} destination;

/* Whether a rank before this one writes the same file, or it is the source itself. */
static bool is_written_by_another(const gb_cp_copy *c, const destination *all) {
  for (int r = 0; r < c->rank; r++)
    if (all[r].found && memcmp(&all[r], &all[c->rank], sizeof *all) == 0)
      return true;
  return c->target.same_as_source;
}

/* The name of this rank's host; with a number if ranks before have it on another machine. */
static void write_host_name(const gb_cp_copy *c, const destination *all, char host[GB_CP_HOST + 12]) {
  const machine *own = &all[c->rank].machine;
  int others = 0;
  for (int r = 0; r < c->rank; r++)
    others += strcmp(all[r].machine.name, own->name) == 0 && all[r].machine.boot != own->boot;
  (void)snprintf(host, GB_CP_HOST + 12, others > 0 ? "%s#%d" : "%s", own->name, others);
}

/* Finds the destination of each rank, and begins to write there. `all`: room for those of all ranks. */
static enum gb_cp_state begin_to_write(gb_cp_copy *c, const machine *own_machine, bool on_host_of_source,
                                       destination *all) {
  const gb_cp_request request = {.source = c->options->source,
                                 .destination = c->options->destination,
                                 .on_host_of_source = on_host_of_source,
                                 .source_device = c->totals.device,
                                 .source_inode = c->totals.inode,
                                 .is_folder = c->totals.folder,
                                 .resume = c->options->resume,
                                 .replace = c->options->replace};
  const bool found = gb_cp_target_find(&c->target, &request, &c->error) == GBCAST_OK;
  const destination own = {.machine = *own_machine,
                           .device = c->target.device,
                           .inode = c->target.inode,
                           .name = XXH3_64bits(c->target.name, strlen(c->target.name)),
                           .found = found};
  (void)MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, c->comm);
  if (found && is_written_by_another(c, all))
    return GB_CP_SAME;
  char host[GB_CP_HOST + 12];
  write_host_name(c, all, host);
  c->writes = found && gb_cp_target_begin(&c->target, host, &c->error) == GBCAST_OK;
  return c->writes ? GB_CP_WRITTEN : GB_CP_FAILED;
}

/* Leaves in c->comm who takes part: rank 0, and all that write. If those are all ranks, as they are in most
 * copies, no communicator has to be made, which takes several trips. false: this rank does not take part. */
static bool take_part(gb_cp_copy *c, const destination *all) {
  const unsigned char own = c->rank == 0 || c->writes;
  unsigned char *part = gb_cp_memory(c, (size_t)c->size);
  (void)MPI_Allgather(&own, 1, MPI_UNSIGNED_CHAR, part, 1, MPI_UNSIGNED_CHAR, c->comm);
  c->hosts = gb_cp_memory(c, (size_t)c->size * sizeof *c->hosts);
  int members = 0;
  for (int r = 0; r < c->size; r++)
    if (part[r]) {
      gb_identity *host = &c->hosts[members++];
      *host = (gb_identity){.world_rank = r, .node = -1};
      (void)snprintf(host->name, sizeof host->name, "%s", all[r].machine.name);
    }
  free(part);
  if (members == c->size)
    return true;
  (void)MPI_Comm_split(c->comm, own ? 0 : MPI_UNDEFINED, 0, &c->comm);
  if (own) {
    (void)MPI_Comm_rank(c->comm, &c->rank);
    (void)MPI_Comm_size(c->comm, &c->size);
  }
  return own;
}

/* Copies everything, and gives it its name where all went well. */
static void copy(gb_cp_copy *c) {
  gbcast_error err;
  gb_cp_report_begin(c);
  if (c->size > 1 || c->writes)
    gb_cp_copy_batches(c);
  if (c->source_failed)
    c->writes = false;
  else if (c->writes && gb_cp_target_commit(&c->target, &err) != GBCAST_OK)
    gb_cp_fail(c, &err);
}

int gb_cp_run(MPI_Comm all, const gb_cp_options *options) {
  gb_cp_copy c = {.options = options,
                  .comm = all,
                  .began = MPI_Wtime(),
                  .predicted = NAN,
                  .cost = NAN,
                  .target = GB_CP_NO_TARGET};
  const machine here = this_machine();
  gb_cp_result own = {.state = GB_CP_FAILED};
  bool on_its_machine;
  (void)MPI_Comm_rank(all, &c.rank);
  (void)MPI_Comm_size(all, &c.size);
  (void)snprintf(own.host, sizeof own.host, "%s", here.name);
  if (look_at_source(&c, &here, &on_its_machine)) {
    destination *destinations = gb_cp_memory(&c, (size_t)c.size * sizeof *destinations);
    own.state = begin_to_write(&c, &here, on_its_machine, destinations);
    if (take_part(&c, destinations))
      copy(&c);
    if (c.comm != all && c.comm != MPI_COMM_NULL)
      (void)MPI_Comm_free(&c.comm);
    free(destinations);
    if (own.state == GB_CP_WRITTEN && !c.writes)
      own.state = GB_CP_FAILED;
    (void)snprintf(own.message, sizeof own.message, "%.*s", (int)sizeof own.message - 1, c.error.message);
  }
  gb_cp_report_end(&c);
  const int failed = gb_cp_report(&c, all, &own);
  gb_cp_target_close(&c.target);
  free(c.hosts);
  if (c.rank == 0)
    gb_cp_source_close(&c.source);
  return failed;
}
