/* An all-to-all as the engine runs it: what there is, what comes and what is left. */
#include "mpi/exchanging.h"
#include <stdlib.h>

static const gb_exchange *part_of(const gb_run *run) {
  return &run->role->exchange;
}

static bool has_dummies(const gb_exchange *part) {
  bool some = false;
  for (uint32_t t = 0; t < part->track_count; t++)
    for (uint32_t i = 0; i < part->track[t].receive_count; i++)
      some |= part->track[t].receive[i].dummy;
  return some;
}

int gb_exchanging_begin(gb_run *run) {
  gb_exchanging *x = run->exchanging;
  const gb_exchange *part = part_of(run);
  const bool dummies = has_dummies(part);
  x->announced = calloc((size_t)run->c->size, sizeof *x->announced);
  x->track = calloc(part->track_count, sizeof *x->track);
  bool enough = x->announced != NULL && x->track != NULL;
  for (uint32_t t = 0; enough && t < part->track_count; t++) {
    x->track[t].left = malloc((part->track[t].receive_count + (size_t)1) * sizeof *x->track[t].left);
    enough = x->track[t].left != NULL;
  }
  x->dummy.at = enough && dummies ? malloc(run->bytes + 1) : NULL;
  if (!enough || (dummies && x->dummy.at == NULL))
    return MPI_ERR_NO_MEM;
  x->silent = x->nothing ? 0 : (uint32_t)run->c->size - 1;
  return dummies ? gb_counted_make((MPI_Count)run->bytes, MPI_BYTE, &x->dummy.block) : MPI_SUCCESS;
}

void gb_exchanging_end(gb_run *run) {
  gb_exchanging *x = run->exchanging;
  for (uint32_t t = 0; x->track != NULL && t < part_of(run)->track_count; t++)
    free(x->track[t].left);
  free(x->track);
  free(x->announced);
  free(x->dummy.at);
  gb_counted_release(&x->dummy.block);
}

static void check_block(gb_run *run, const MPI_Status *status) {
  const gb_counted *block = &run->exchanging->receive.block;
  int count = 0;
  if (MPI_Get_count(status, block->type, &count) != MPI_SUCCESS || count != block->count)
    run->code = run->code == MPI_SUCCESS ? MPI_ERR_TRUNCATE : run->code;
}

void gb_exchanging_done(gb_run *run, const gb_slot *slot, const MPI_Status *status) {
  gb_exchanging *x = run->exchanging;
  if (slot->kind == GB_SLOT_BLOCK_IN &&
      status->MPI_TAG == gb_data_tag(run->sequence, run->agreeing, GB_FOR_BLOCK))
    check_block(run, status);
  if (slot->flow == GB_OWN_HOST) {
    x->unheard = x->unheard && slot->kind != GB_SLOT_WORD_IN;
    x->own_left -= slot->kind == GB_SLOT_BLOCK_IN;
  } else if (slot->kind == GB_SLOT_BLOCK_IN)
    x->track[slot->flow].left[slot->child]--;
  else if (slot->kind != GB_SLOT_WORD_OUT)
    x->track[slot->flow].open--;
}

bool gb_exchanging_is_waiting(const gb_run *run) {
  const gb_exchange *part = part_of(run);
  const gb_exchanging *x = run->exchanging;
  if (run->failed)
    return run->agreeing && x->silent > 0;
  bool over = x->own_left == 0 && x->passed == part->barriers;
  for (uint32_t t = 0; t < part->track_count; t++)
    over = over && x->track[t].step == part->track[t].send_count &&
           x->track[t].over == part->track[t].receive_count;
  return !over && !x->nothing;
}
