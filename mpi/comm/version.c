/* Which inputs this rank plans from. */
#include "mpi/comm/version.h"
#include "mpi/comm/inputs.h"
#include "mpi/comm/refresh.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>

static uint32_t version_of(const char *bytes, size_t length) {
  gb_inputs in;
  if (!gb_inputs_decode(bytes, length, &in))
    return 0;
  const uint32_t version = in.version;
  gb_inputs_release(&in);
  return version;
}

static int read_update(const void *owner, gb_update *update, gbcast_platform **out) {
  const gb_comm *c = owner;
  gb_inputs in;
  gbcast_error err = {{0}};
  if (!gb_inputs_decode(update->bytes, update->length, &in))
    return MPI_ERR_OTHER;
  update->version = in.version;
  int rc = gb_class_of_status(gb_inputs_platform(&in, out, &err));
  gb_inputs_release(&in);
  if (rc != MPI_SUCCESS) {
    fprintf(stderr, "gbcast: rank %d cannot read what rank 0 sent: %s\n", c->wire.rank, err.message);
  } else if (!gb_inputs_same_hosts(*out, c->platform)) { /* or its index of ranks would not fit */
    gbcast_platform_free(*out);
    *out = NULL;
    rc = MPI_ERR_OTHER;
  }
  return rc;
}

static void keep(void *owner, uint32_t version, gbcast_platform *platform, uint64_t announced_in) {
  gb_comm *c = owner;
  gbcast_platform_free(c->next_platform);
  c->next_platform = platform;
  c->next_since = announced_in;
  c->wire.version = version;
}

const gb_update_reader gb_version_reader = {version_of, read_update, keep};

/* Plans name the platform that they were made from. */
static void plan_from(gb_comm *c, gbcast_platform *platform) {
  gb_cache_release(&c->cache);
  if (c->platform != c->base)
    gbcast_platform_free(c->platform);
  c->platform = platform;
}

bool gb_version_back(gb_comm *c) {
  if (c->platform == c->base)
    return false;
  plan_from(c, c->base);
  return true;
}

bool gb_version_take(gb_comm *c) {
  if (c->next_platform != NULL) {
    plan_from(c, c->next_platform);
    c->next_platform = NULL;
    c->since = c->next_since;
    gb_refresh_moved(c);
  }
  return c->platform != c->base;
}

void gb_version_check(gb_comm *c) {
  if (c->wire.doubt >= c->since)
    (void)gb_version_back(c);
  if (c->wire.ready.bytes != NULL && c->wire.ready.version <= c->wire.version) { /* all have heard of them */
    free(c->wire.ready.bytes);
    c->wire.ready = (gb_update){0};
  }
}

void gb_version_release(gb_comm *c) {
  gbcast_platform_free(c->next_platform);
  if (c->platform != c->base)
    gbcast_platform_free(c->platform);
  gbcast_platform_free(c->base);
  free(c->wire.ready.bytes);
}
