/* The course of a copy. What every rank does is decided by what all know, so no rank waits for a message that
 * is never sent: a host on which something fails takes part to the end, and writes nothing.
 *
 *   look at the source -> find the destinations -> for each batch:
 *       describe -> make files -> [compare with what is here] -> send -> [compare what was written] -> modes
 *                                                                 ^--- blocks that are damaged ---'
 *       -> source unchanged?
 *   -> give all their names -> report
 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "platform/text/text.h"
#include "tools/cp/bytes.h"
#include "tools/cp/copy.h"
#include "tools/cp/report.h"

#include <errno.h>
#include <gbcast/gbcast.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

enum { ROUNDS = 3 }; /* that a block may arrive damaged before its host gives up */
enum { MESSAGE_MOST = 16 << 20 };

void gb_cp_fail(gb_cp_copy *c, const gbcast_error *err) {
  c->writes = false;
  c->error = *err;
}

_Noreturn void gb_cp_abort(const gb_cp_copy *c, const char *why) {
  fprintf(stderr, "gbcast-cp: rank %d: %s; no copy was completed\n", c->rank, why);
  (void)MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

void *gb_cp_memory(const gb_cp_copy *c, size_t bytes) {
  void *memory = calloc(1, bytes);
  if (memory == NULL)
    gb_cp_abort(c, "out of memory");
  return memory;
}

/* ---- Before ---- */

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

typedef struct spot { /* two ranks with the same one would write the same file */
  uint64_t host, device, inode, name;
  uint64_t found;
} spot;

/* Whether a rank before this one writes the same file, or it is the source itself. */
static bool is_written_by_another(const gb_cp_copy *c, const spot *all) {
  for (int r = 0; r < c->rank; r++)
    if (all[r].found && memcmp(&all[r], &all[c->rank], sizeof *all) == 0)
      return true;
  return c->target.same_as_source;
}

/* Finds the destination of each rank, and begins to write there. c->comm is that of all ranks. */
static enum gb_cp_state begin_to_write(gb_cp_copy *c, const char *host, bool on_host_of_source) {
  const gb_cp_request request = {.source = c->options->source,
                                 .destination = c->options->destination,
                                 .host = host,
                                 .on_host_of_source = on_host_of_source,
                                 .source_device = c->totals.device,
                                 .source_inode = c->totals.inode,
                                 .is_folder = c->totals.folder,
                                 .resume = c->options->resume,
                                 .replace = c->options->replace};
  const bool found = gb_cp_target_find(&c->target, &request, &c->error) == GBCAST_OK;
  spot *all = gb_cp_memory(c, (size_t)c->size * sizeof *all);
  const spot own = {.host = XXH3_64bits(host, strlen(host)),
                    .device = c->target.device,
                    .inode = c->target.inode,
                    .name = XXH3_64bits(c->target.name, strlen(c->target.name)),
                    .found = found};
  (void)MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, c->comm);
  const bool another = found && is_written_by_another(c, all);
  free(all);
  if (another)
    return GB_CP_SAME;
  c->writes = found && gb_cp_target_begin(&c->target, &c->error) == GBCAST_OK;
  return c->writes ? GB_CP_WRITTEN : GB_CP_FAILED;
}

/* ---- A batch ---- */

/* Tells all ranks the next batch, and which of its blocks are not in holes. false: there is none. */
static bool next(gb_cp_copy *c, gb_cp_batch *batch, unsigned char **data) {
  unsigned char header[8];
  if (c->rank == 0 && !c->source_failed)
    c->source_failed = gb_cp_source_next(&c->source, batch, &c->source_error) != GBCAST_OK;
  gb_cp_put(header, c->source_failed ? 0 : batch->length, 8);
  (void)gbcast(header, sizeof header, 0, c->comm);
  const size_t length = (size_t)gb_cp_get(header, 8);
  if (length == 0)
    return false;
  if (c->rank != 0) {
    batch->text = gb_cp_memory(c, length);
    batch->length = batch->room = length;
  }
  (void)gbcast(batch->text, length, 0, c->comm);
  gbcast_error err;
  if (c->rank != 0 && gb_cp_batch_read(batch, &err) != GBCAST_OK)
    gb_cp_abort(c, err.message);
  const size_t bytes = gb_cp_set_bytes(batch->blocks);
  *data = gb_cp_memory(c, bytes);
  if (c->rank == 0)
    memcpy(*data, c->source.data, bytes);
  (void)gbcast(*data, bytes, 0, c->comm);
  return true;
}

/* Collective: the union of the sets of all ranks, in place. Returns whether it has any block. */
static bool unite(const gb_cp_copy *c, unsigned char *set, size_t bytes) {
  (void)gbcast_allreduce(MPI_IN_PLACE, set, (MPI_Count)bytes, MPI_BYTE, MPI_BOR, c->comm);
  for (size_t i = 0; i < bytes; i++)
    if (set[i] != 0)
      return true;
  return false;
}

/* The blocks that some rank lacks. If one has nothing from before, that is all of them. */
static void find_lacking(gb_cp_copy *c, const gb_cp_batch *batch, const unsigned char *data,
                         unsigned char *lacking, size_t bytes) {
  unsigned char nothing = c->writes;
  for (size_t i = 0; nothing && i < batch->count; i++)
    nothing = c->target.origin[i] == GB_CP_NOWHERE;
  (void)gbcast_allreduce(MPI_IN_PLACE, &nothing, 1, MPI_UNSIGNED_CHAR, MPI_MAX, c->comm);
  if (nothing) {
    memcpy(lacking, data, bytes);
    return;
  }
  gb_cp_compare(c, batch, data, true, lacking);
  (void)unite(c, lacking, bytes);
}

typedef int change(gb_cp_target *target, const gb_cp_batch *batch, gbcast_error *err);

static void apply(gb_cp_copy *c, change *what, const gb_cp_batch *batch) {
  gbcast_error err;
  if (c->writes && what(&c->target, batch, &err) != GBCAST_OK)
    gb_cp_fail(c, &err);
}

/* Sends what is lacking until all have it undamaged. */
static void send_all(gb_cp_copy *c, const gb_cp_batch *batch, const unsigned char *data,
                     unsigned char *lacking, size_t bytes) {
  unsigned char *bad = gb_cp_memory(c, bytes);
  for (unsigned round = 0; round < ROUNDS; round++) {
    memset(bad, 0, bytes);
    gb_cp_send(c, batch, lacking, bad);
    if (c->options->verify) {
      apply(c, gb_cp_target_flush, batch);
      gb_cp_compare(c, batch, data, false, bad);
    }
    memcpy(lacking, bad, bytes);
    if (c->source_failed)
      gb_cp_add(lacking, batch->blocks); /* behind the last: tells all that it makes no sense to go on */
    if (!unite(c, lacking, bytes))
      break;
    if (gb_cp_in(lacking, batch->blocks)) {
      memset(bad, 0, bytes);
      break;
    }
  }
  gb_cp_walk walk = {.batch = batch, .set = bad};
  gb_cp_place place;
  gbcast_error err;
  if (c->writes && gb_cp_walk_next(&walk, &place)) {
    (void)gb_fail(&err, GBCAST_EINPUT, "'%s' has arrived damaged %d times; check the memory of this host",
                  batch->entry[place.entry].path, (int)ROUNDS);
    gb_cp_fail(c, &err);
  }
  free(bad);
}

static bool copy_batch(gb_cp_copy *c) {
  gb_cp_batch batch = {0};
  unsigned char *data = NULL, *lacking = NULL;
  gbcast_error err;
  const bool more = next(c, &batch, &data);
  if (more) {
    const size_t bytes = gb_cp_set_bytes(batch.blocks);
    lacking = gb_cp_memory(c, bytes);
    if (c->writes && gb_cp_target_make(&c->target, &batch, data, &err) != GBCAST_OK)
      gb_cp_fail(c, &err);
    if (c->options->resume)
      find_lacking(c, &batch, data, lacking, bytes);
    else
      memcpy(lacking, data, bytes);
    send_all(c, &batch, data, lacking, bytes);
    apply(c, gb_cp_target_finish, &batch);
    if (c->rank == 0 && !c->source_failed)
      c->source_failed = gb_cp_source_check(&c->source, &batch, &c->source_error) != GBCAST_OK;
  }
  free(data);
  free(lacking);
  gb_cp_batch_free(&batch);
  return more;
}

/* Copies everything, and gives it its name where all went well. */
static void copy_all(gb_cp_copy *c) {
  const size_t share = (size_t)c->options->memory / GB_CP_SLOTS;
  c->message = share < MESSAGE_MOST ? share : MESSAGE_MOST;
  c->coder.compress = c->options->compress;
  c->block = gb_cp_memory(c, GB_CP_BLOCK);
  if (!gb_cp_ring_open(&c->ring, c->message))
    gb_cp_abort(c, "out of memory");
  while (copy_batch(c))
    continue;
  gb_cp_ring_free(&c->ring);
  gb_cp_coder_free(&c->coder);
  free(c->block);
  unsigned char failed = c->source_failed;
  gbcast_error err;
  (void)gbcast(&failed, 1, 0, c->comm);
  if (failed)
    c->writes = false;
  else if (c->writes && gb_cp_target_commit(&c->target, &err) != GBCAST_OK)
    gb_cp_fail(c, &err);
}

/* ---- All ---- */

typedef struct opening { /* what rank 0 tells all */
  gb_cp_totals totals;
  int failed;
  char host[64];
} opening;

/* Looks at the source, and tells all ranks what it is and where. 0, or 1 on all ranks if it cannot be
 * copied. */
static int look_at_source(gb_cp_copy *c, const char *own_host, bool *on_its_host) {
  opening o = {0};
  if (c->rank == 0) {
    o.failed = count(c, &c->source_error) != GBCAST_OK ||
               gb_cp_check_outside(c->options->source, c->options->destination, c->totals.folder,
                                   &c->source_error) != GBCAST_OK;
    o.totals = c->totals;
    (void)snprintf(o.host, sizeof o.host, "%s", own_host);
  }
  (void)MPI_Bcast(&o, sizeof o, MPI_BYTE, 0, c->comm);
  c->totals = o.totals;
  *on_its_host = strcmp(o.host, own_host) == 0;
  c->source_failed = o.failed && c->rank == 0;
  return o.failed;
}

int gb_cp_run(MPI_Comm all, const gb_cp_options *options) {
  gb_cp_copy c = {
      .options = options, .comm = all, .began = MPI_Wtime(), .predicted = NAN, .target = GB_CP_NO_TARGET};
  gb_cp_result own = {.state = GB_CP_FAILED};
  bool on_its_host;
  int length = 0;
  char name[MPI_MAX_PROCESSOR_NAME];
  (void)MPI_Comm_rank(all, &c.rank);
  (void)MPI_Comm_size(all, &c.size);
  (void)MPI_Get_processor_name(name, &length);
  (void)snprintf(own.host, sizeof own.host, "%.*s", length, name);
  int failed = look_at_source(&c, own.host, &on_its_host);
  if (!failed) {
    own.state = begin_to_write(&c, own.host, on_its_host);
    const bool takes_part = c.rank == 0 || c.writes;
    (void)MPI_Comm_split(all, takes_part ? 0 : MPI_UNDEFINED, 0, &c.comm);
    if (takes_part) {
      (void)MPI_Comm_rank(c.comm, &c.rank);
      (void)MPI_Comm_size(c.comm, &c.size);
      gb_cp_report_begin(&c, own.host);
      if (c.size > 1 || c.writes)
        copy_all(&c);
      gb_cp_report_end(&c);
      (void)MPI_Comm_free(&c.comm);
    }
    if (own.state == GB_CP_WRITTEN && !c.writes)
      own.state = GB_CP_FAILED;
    (void)snprintf(own.message, sizeof own.message, "%.*s", (int)sizeof own.message - 1, c.error.message);
  }
  failed = gb_cp_report(&c, all, &own);
  gb_cp_target_close(&c.target);
  if (c.rank == 0)
    gb_cp_source_close(&c.source);
  return failed;
}
