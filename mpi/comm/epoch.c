/* Which inputs this rank plans from. */
#include "mpi/comm/epoch.h"
#include "mpi/comm/inputs.h"
#include "mpi/comm/watch.h"
#include "mpi/exec/listen.h"
#include "mpi/exec/offer.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>

bool gb_epoch_same_hosts(const gbcast_platform *a, const gbcast_platform *b) {
  if (a->host_count != b->host_count || a->cluster_count != b->cluster_count)
    return false;
  for (uint32_t i = 0; i < a->cluster_count; i++)
    if (strcmp(a->cluster[i].name, b->cluster[i].name) != 0)
      return false;
  for (uint32_t h = 0; h < a->host_count; h++)
    if (a->host[h].cluster != b->host[h].cluster || strcmp(a->host[h].name, b->host[h].name) != 0)
      return false;
  return true;
}

int gb_epoch_read(const gb_comm *c, gb_news *news, gbcast_platform **out) {
  gb_inputs in;
  gbcast_error err = {{0}};
  if (!gb_inputs_decode(news->bytes, news->length, &in))
    return MPI_ERR_OTHER;
  news->epoch = in.epoch;
  int rc = gb_class_of_status(gb_inputs_platform(&in, out, &err));
  gb_inputs_release(&in);
  if (rc != MPI_SUCCESS) {
    fprintf(stderr, "gbcast: rank %d cannot read what rank 0 sent: %s\n", c->rank, err.message);
  } else if (!gb_epoch_same_hosts(*out, c->platform)) { /* or its index of ranks would not fit */
    gbcast_platform_free(*out);
    *out = NULL;
    rc = MPI_ERR_OTHER;
  }
  return rc;
}

void gb_epoch_keep(gb_comm *c, uint32_t epoch, gbcast_platform *platform, uint64_t told_in) {
  gbcast_platform_free(c->coming);
  c->coming = platform;
  c->coming_since = told_in;
  c->epoch = epoch;
}

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

void gb_epoch_settle(gb_comm *c) {
  gb_offer_look(c);
  if (c->coming != NULL) {
    plan_from(c, c->coming);
    c->coming = NULL;
    c->since = c->coming_since;
    gb_watch_moved(c);
  }
  if (c->platform != c->base) /* when that fails its requests stay as they are, and the call looks again */
    (void)gb_listen_peek(c, c->sequence, false);
  if (c->doubt >= c->since)
    (void)gb_epoch_back(c);
  if (c->ready.bytes != NULL && c->ready.epoch <= c->epoch) { /* all have heard of them */
    free(c->ready.bytes);
    c->ready = (gb_news){0};
  }
}

void gb_epoch_release(gb_comm *c) {
  gbcast_platform_free(c->coming);
  if (c->platform != c->base)
    gbcast_platform_free(c->platform);
  gbcast_platform_free(c->base);
  free(c->ready.bytes);
}
