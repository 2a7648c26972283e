/* Which inputs this rank plans from. */
#include "mpi/comm/epoch.h"
#include "mpi/comm/inputs.h"
#include "mpi/comm/watch.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>

static uint32_t epoch_of(const char *bytes, size_t length) {
  gb_inputs in;
  if (!gb_inputs_decode(bytes, length, &in))
    return 0;
  const uint32_t epoch = in.epoch;
  gb_inputs_release(&in);
  return epoch;
}

static int read_news(const void *owner, gb_news *news, gbcast_platform **out) {
  const gb_comm *c = owner;
  gb_inputs in;
  gbcast_error err = {{0}};
  if (!gb_inputs_decode(news->bytes, news->length, &in))
    return MPI_ERR_OTHER;
  news->epoch = in.epoch;
  int rc = gb_class_of_status(gb_inputs_platform(&in, out, &err));
  gb_inputs_release(&in);
  if (rc != MPI_SUCCESS) {
    fprintf(stderr, "gbcast: rank %d cannot read what rank 0 sent: %s\n", c->rank, err.message);
  } else if (!gb_inputs_same_hosts(*out, c->platform)) { /* or its index of ranks would not fit */
    gbcast_platform_free(*out);
    *out = NULL;
    rc = MPI_ERR_OTHER;
  }
  return rc;
}

static void keep(void *owner, uint32_t epoch, gbcast_platform *platform, uint64_t told_in) {
  gb_comm *c = owner;
  gbcast_platform_free(c->coming);
  c->coming = platform;
  c->coming_since = told_in;
  c->wire.epoch = epoch;
}

const gb_news_reader gb_epoch_reader = {epoch_of, read_news, keep};

/* Plans name the platform that they were made from. */
static void plan_from(gb_comm *c, gbcast_platform *platform) {
  gb_cache_release(&c->cache);
  if (c->platform != c->base)
    gbcast_platform_free(c->platform);
  c->platform = platform;
}

bool gb_epoch_back(gb_comm *c) {
  if (c->platform == c->base)
    return false;
  plan_from(c, c->base);
  return true;
}

bool gb_epoch_take(gb_comm *c) {
  if (c->coming != NULL) {
    plan_from(c, c->coming);
    c->coming = NULL;
    c->since = c->coming_since;
    gb_watch_moved(c);
  }
  return c->platform != c->base;
}

void gb_epoch_check(gb_comm *c) {
  if (c->wire.doubt >= c->since)
    (void)gb_epoch_back(c);
  if (c->wire.ready.bytes != NULL && c->wire.ready.epoch <= c->wire.epoch) { /* all have heard of them */
    free(c->wire.ready.bytes);
    c->wire.ready = (gb_news){0};
  }
}

void gb_epoch_release(gb_comm *c) {
  gbcast_platform_free(c->coming);
  if (c->platform != c->base)
    gbcast_platform_free(c->platform);
  gbcast_platform_free(c->base);
  free(c->wire.ready.bytes);
}
