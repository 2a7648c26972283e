/* Which inputs this rank plans from. */
#include "mpi/comm/version.h"
#include "mpi/comm/handle.h"
#include "mpi/comm/inputs.h"
#include "mpi/comm/setup.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>

enum { SHORTEST_LAG = 1 };

/* s: where calls of rank 0 are further apart, what it announces has arrived long before the next one. */
#define FAR_APART 0.5

typedef struct announcement {
  uint64_t length; /* bytes of an update; 0: there is none */
  uint64_t lag;    /* of the calls behind the one in which this is heard */
} announcement;

typedef struct gb_versions {
  uint64_t calls, heard;      /* so far; announcements, in the order of calls */
  uint64_t lag;               /* calls until an announcement is waited for */
  announcement said[GB_LAG];  /* of call number i in i % GB_LAG ... */
  MPI_Request saying[GB_LAG]; /* ... and its broadcast */
  double last;                /* rank 0: MPI_Wtime() of its last call */
  bool announced;             /* rank 0: and the update is not in use yet */
  gb_update coming;           /* the block that is being broadcast ... */
  MPI_Request bringing;
  uint64_t due; /* ... and the call in which it is waited for */
} gb_versions;

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

void gb_version_take(gb_comm *c) {
  if (c->next_platform == NULL)
    return;
  plan_from(c, c->next_platform);
  c->next_platform = NULL;
  c->versions->announced = false;
  gb_refresh_moved(c);
}

static int read_update(gb_comm *c, const gb_update *update) {
  gb_inputs in;
  gbcast_error err = {{0}};
  gbcast_platform *platform = NULL;
  if (!gb_inputs_decode(update->bytes, update->length, &in))
    return MPI_ERR_OTHER;
  int rc = gb_class_of_status(gb_inputs_platform(&in, &platform, &err));
  gb_inputs_release(&in);
  if (rc != MPI_SUCCESS) {
    fprintf(stderr, "gbcast: rank %d cannot read what rank 0 sent: %s\n", c->wire.rank, err.message);
  } else if (!gb_inputs_same_hosts(platform, c->platform)) { /* or its index of ranks would not fit */
    gbcast_platform_free(platform);
    rc = MPI_ERR_OTHER;
  }
  if (rc != MPI_SUCCESS)
    return rc;
  gbcast_platform_free(c->next_platform);
  c->next_platform = platform;
  return MPI_SUCCESS;
}

/* The block has been waited for long enough. */
static int receive(gb_comm *c) {
  gb_versions *v = c->versions;
  int rc = gb_handle_wait_for(c->registry, &v->bringing);
  if (rc != MPI_SUCCESS) /* MPI may still write to the block */
    return rc;
  rc = read_update(c, &v->coming);
  free(v->coming.bytes);
  v->coming.bytes = NULL;
  return rc;
}

/* All have heard of an update: its block is broadcast. */
static int bring(gb_comm *c, uint64_t length) {
  gb_versions *v = c->versions;
  if (length == 0)
    return MPI_SUCCESS;
  v->coming.length = (size_t)length;
  v->coming.bytes = length <= GB_MESSAGE_MAX ? malloc(v->coming.length) : NULL;
  if (v->coming.bytes == NULL)
    return MPI_ERR_NO_MEM;
  if (c->wire.rank == 0)
    memcpy(v->coming.bytes, gb_refresh_found(c)->bytes, v->coming.length);
  v->due = v->calls + v->lag;
  const int rc = PMPI_Ibcast(v->coming.bytes, (int)v->coming.length, MPI_BYTE, 0, c->wire.comm, &v->bringing);
  if (rc != MPI_SUCCESS) {
    free(v->coming.bytes);
    v->coming.bytes = NULL;
  }
  return rc;
}

static gb_versions *new_versions(void) {
  gb_versions *v = calloc(1, sizeof *v);
  for (int i = 0; v != NULL && i < GB_LAG; i++)
    v->saying[i] = MPI_REQUEST_NULL;
  if (v != NULL)
    v->lag = GB_LAG;
  return v;
}

/* Waits for the announcements whose time has come, the same on every rank. */
static int hear(gb_comm *c) {
  gb_versions *v = c->versions;
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS && v->heard + v->lag <= v->calls) {
    const size_t slot = v->heard++ % GB_LAG;
    rc = gb_handle_wait_for(c->registry, &v->saying[slot]);
    if (rc == MPI_SUCCESS) {
      v->lag = v->said[slot].lag;
      rc = bring(c, v->said[slot].length);
    }
  }
  return rc;
}

/* Rank 0 looks whether there is an update, and how far its calls are apart. */
static announcement find(gb_comm *c) {
  gb_versions *v = c->versions;
  const double now = MPI_Wtime();
  announcement said = {.lag = now - v->last > FAR_APART ? SHORTEST_LAG : GB_LAG};
  v->last = now;
  if (!v->announced && gb_refresh_look(c)) {
    v->announced = true;
    said.length = gb_refresh_found(c)->length;
  }
  return said;
}

int gb_versions_step(gb_comm *c) {
  if (c->versions == NULL && (c->versions = new_versions()) == NULL)
    return MPI_ERR_NO_MEM;
  gb_versions *v = c->versions;
  int rc = MPI_SUCCESS;
  if (v->coming.bytes != NULL && v->due <= v->calls)
    rc = receive(c);
  if (rc == MPI_SUCCESS)
    rc = hear(c);
  if (rc != MPI_SUCCESS)
    return rc;
  const size_t slot = v->calls++ % GB_LAG;
  v->said[slot] = c->wire.rank == 0 ? find(c) : (announcement){0};
  return PMPI_Ibcast(&v->said[slot], 2, MPI_UINT64_T, 0, c->wire.comm, &v->saying[slot]);
}

int gb_versions_meet(gb_comm *c) {
  if (c->settings.refresh == 0 || c->wire.comm == MPI_COMM_NULL)
    return MPI_SUCCESS;
  const bool well = c->wire.poison == MPI_SUCCESS;
  bool all;
  const int rc = gb_vote(c, well, &all);
  if (!all && well)
    c->wire.poison = MPI_ERR_OTHER; /* so that what is under way keeps its communicator */
  return rc;
}

void gb_versions_end(gb_comm *c) {
  gb_versions *v = c->versions;
  if (v == NULL)
    return;
  bool complete = c->wire.poison == MPI_SUCCESS; /* others may not have begun what this rank has */
  for (int i = 0; complete && i < GB_LAG; i++)
    complete =
        v->saying[i] == MPI_REQUEST_NULL || gb_handle_wait_for(c->registry, &v->saying[i]) == MPI_SUCCESS;
  if (complete && v->coming.bytes != NULL)
    complete = gb_handle_wait_for(c->registry, &v->bringing) == MPI_SUCCESS;
  if (complete) {
    free(v->coming.bytes);
    free(v);
  }
  c->versions = NULL;
}
