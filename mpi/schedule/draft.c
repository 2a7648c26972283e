/* The channels of a rank's schedule while they are made, and which come after which. */
#include "mpi/schedule/draft.h"
#include "platform/text/text.h"
#include <stdlib.h>

uint32_t gb_draft_add(gb_draft *d, gb_channel channel, uint32_t before) {
  gb_channel *grown = d->failed ? NULL : gb_grow(d->channel, d->count, &d->capacity, sizeof *grown);
  if (grown == NULL) {
    d->failed = true;
    return GB_NONE;
  }
  d->channel = grown;
  grown[d->count] = channel;
  gb_draft_order(d, before, d->count);
  return d->count++;
}

void gb_draft_order(gb_draft *d, uint32_t before, uint32_t after) {
  if (d->failed || before == GB_NONE || after == GB_NONE)
    return;
  gb_precedence *grown = gb_grow(d->order, d->order_count, &d->order_capacity, sizeof *grown);
  if (grown == NULL) {
    d->failed = true;
    return;
  }
  d->order = grown;
  grown[d->order_count++] = (gb_precedence){before, after};
  d->channel[before].successor_count++;
  d->channel[after].predecessors++;
}

int gb_draft_end(gb_draft *d, gb_rank_schedule *schedule) {
  uint32_t *next = d->failed ? NULL : malloc(sizeof *next * (d->order_count + (size_t)1));
  if (next != NULL) {
    for (uint32_t c = 0, first = 0; c < d->count; c++) {
      d->channel[c].first_successor = first;
      first += d->channel[c].successor_count;
      d->channel[c].successor_count = 0;
    }
    for (uint32_t i = 0; i < d->order_count; i++) {
      gb_channel *before = &d->channel[d->order[i].before];
      next[before->first_successor + before->successor_count++] = d->order[i].after;
    }
    schedule->successor = next;
    schedule->channel = d->channel;
    schedule->channel_count = d->count;
  } else {
    free(d->channel);
  }
  free(d->order);
  *d = (gb_draft){0};
  return next != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}
