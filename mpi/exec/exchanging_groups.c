/* An all-to-all in groups (plan/alltoall/groups.c): blocks are composed into messages before they are sent,
 * and passed on. The messages of a track lie one after the other, those inside the group by position there,
 * those across by group. In each message, blocks are ordered by the coordinate in which they differ:
 *
 *   to or from position p of the group    [ for or from group 0 | group 1 | ... ]
 *   to or from group q                    [ from position 0 | position 1 | ... ] */
#include "mpi/exec/exchanging.h"
#include "mpi/exec/types.h"
#include <stdlib.h>
#include <string.h>

typedef struct groups {
  gb_exchanging *x;
  const gb_exchange *part;
  const gb_wire *w;
  size_t bytes;
  uint32_t size, count; /* of a group; of groups */
  uint32_t position, own;
} groups;

static groups groups_of(const gb_run *run) {
  const gb_exchange *part = gb_exchanging_part(run);
  return (groups){.x = run->exchanging,
                  .part = part,
                  .w = run->w,
                  .bytes = run->bytes,
                  .size = part->group,
                  .count = part->places / part->group,
                  .position = part->mine % part->group,
                  .own = part->mine / part->group};
}

/* Offset of a block in the send or receive buffer. */
static size_t block_of(const groups *g, uint32_t group, uint32_t position) {
  return (size_t)gb_wire_rank_of(g->w, g->part->place[(size_t)group * g->size + position], 0) * g->bytes;
}

/* Inside the group: the block to or from `position` about `group`. */
static char *inside(const groups *g, bool sent, uint32_t position, uint32_t group) {
  return (sent ? g->x->staged_send[0] : g->x->staged_receive[0]) +
         ((size_t)position * g->count + group) * g->bytes;
}

/* Across groups: the block to or from `group` about `position`. */
static char *across(const groups *g, bool sent, uint32_t group, uint32_t position) {
  return (sent ? g->x->staged_send[1] : g->x->staged_receive[1]) +
         ((size_t)group * g->size + position) * g->bytes;
}

int gb_exchanging_group(gb_run *run) {
  const groups g = groups_of(run);
  gb_exchanging *x = g.x;
  bool enough = true;
  x->place = malloc((size_t)g.w->size * sizeof *x->place);
  for (int t = 0; t < 2; t++) {
    x->staged_send[t] = malloc(g.part->places * g.bytes + 1);
    x->staged_receive[t] = malloc(g.part->places * g.bytes + 1);
    enough = enough && x->staged_send[t] != NULL && x->staged_receive[t] != NULL;
  }
  if (!enough || x->place == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t p = 0; p < g.part->places; p++)
    x->place[gb_wire_rank_of(g.w, g.part->place[p], 0)] = p;
  int rc = MPI_SUCCESS;
  for (uint32_t p = 0; p < g.size; p++)
    for (uint32_t q = 0; rc == MPI_SUCCESS && q < g.count; q++)
      rc = gb_copy(inside(&g, true, p, q), x->send + block_of(&g, q, p), g.bytes, g.w->local);
  return rc;
}

/* What has arrived from this group is for this rank, or goes on to other groups. */
static int pass_on(const groups *g) {
  int rc = MPI_SUCCESS;
  for (uint32_t p = 0; rc == MPI_SUCCESS && p < g->size; p++) {
    const bool mine = p == g->position;
    rc = gb_copy(g->x->receive + block_of(g, g->own, p), inside(g, mine, p, g->own), g->bytes, g->w->local);
    for (uint32_t q = 0; q < g->count; q++)
      memcpy(across(g, true, q, p), inside(g, mine, p, q), g->bytes);
  }
  return rc;
}

static int unpack(const groups *g) {
  int rc = MPI_SUCCESS;
  for (uint32_t q = 0; q < g->count; q++)
    for (uint32_t p = 0; rc == MPI_SUCCESS && q != g->own && p < g->size; p++)
      rc = gb_copy(g->x->receive + block_of(g, q, p), across(g, false, q, p), g->bytes, g->w->local);
  return rc;
}

int gb_exchanging_pass_on(gb_run *run) {
  int rc = MPI_SUCCESS;
  const groups g = groups_of(run);
  gb_exchanging *x = g.x;
  if (x->steps_over == 0 && x->track[0].received == g.part->track[0].receive_count) {
    rc = pass_on(&g);
    x->steps_over = 1;
  }
  if (rc == MPI_SUCCESS && x->steps_over == 1 && x->track[1].received == g.part->track[1].receive_count) {
    rc = unpack(&g);
    x->steps_over = 2;
  }
  return rc;
}

char *gb_exchanging_staged(const gb_run *run, const gb_request *request, bool sent) {
  const groups g = groups_of(run);
  const uint32_t place = g.x->place[request->peer];
  return request->stream == 0 ? inside(&g, sent, place % g.size, 0) : across(&g, sent, place / g.size, 0);
}
