/* Makes runs, and frees them. */
#include "mpi/exec/compare.h"
#include "mpi/exec/requests.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Blocks of tags from which on messages of different calls do not match, but by a chance of one to so many.
 */
enum { ENOUGH = 4096 };

/* How many blocks of tags MPI has; 0: MPI does not tell. */
static unsigned tag_blocks(void) {
  int *most = NULL, found = 0;
  if (MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&most, &found) != MPI_SUCCESS || !found)
    return 0;
  const unsigned blocks = (unsigned)*most / (GB_RUNS_MOST * GB_TAGS);
  return blocks > 1 ? blocks : 1;
}

bool gb_exec_new(gb_wire *w) {
  if (w->exec != NULL)
    return true;
  w->exec = calloc(1, sizeof *w->exec);
  if (w->exec == NULL)
    return false;
  w->exec->tag_blocks = tag_blocks();
  if (w->exec->tag_blocks == 0) {
    gb_exec_free(w);
    return false;
  }
  for (unsigned i = 0; i < GB_RUNS_MOST; i++)
    w->exec->next_number[i] = i;
  return true;
}

bool gb_exec_is_settled(gb_wire *w) {
  if (w->exec == NULL || w->poison != MPI_SUCCESS)
    return true;
  w->poison = gb_class_of_code(gb_comparisons_look(w->exec));
  return w->poison != MPI_SUCCESS || w->exec->comparisons == NULL;
}

void gb_exec_free(gb_wire *w) {
  if (w->exec == NULL)
    return;
  while (w->exec->failed != NULL) {
    gb_run *run = w->exec->failed;
    w->exec->failed = run->next;
    const bool complete = gb_requests_drop(run);
    for (unsigned i = 0; complete && i < run->kept_count; i++)
      w->staging->give_back(run->kept[i]);
    if (complete)
      free(run->kept_beside);
    gb_requests_release(run);
    free(run);
  }
  free(w->exec->spare);
  free(w->exec);
  w->exec = NULL;
}

/* What lies behind the run in one piece with it. */
static void set_streams(gb_run *run) {
  const gb_rank_schedule *schedule = run->schedule;
  run->stream = (gb_tree_stream *)(run + 1);
  run->cursor = (gb_cursor *)(run->stream + schedule->tree_count);
  run->ready = (uint32_t *)(run->cursor + schedule->channel_count);
  memset(run->cursor, 0, schedule->channel_count * sizeof *run->cursor);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const gb_rank_tree *tree = &schedule->tree[t];
    run->stream[t] = (gb_tree_stream){
        .tree = tree,
        .sender = &run->cursor[tree->sender - schedule->channel],
        .receiver = &run->cursor[tree->receiver - schedule->channel],
    };
  }
}

int gb_run_new(gb_wire *w, gb_rank_schedule *schedule, uint64_t number, uint64_t hash, gb_run **out) {
  const size_t room = sizeof(gb_run) + schedule->tree_count * sizeof(gb_tree_stream) +
                      schedule->channel_count * (sizeof(gb_cursor) + sizeof(uint32_t));
  gb_run *run = w->exec->spare;
  w->exec->spare = NULL;
  if (run == NULL || run->room < room) {
    free(run);
    run = malloc(room);
    if (run == NULL)
      return MPI_ERR_NO_MEM;
    run->room = room;
  }
  run->w = w;
  run->schedule = schedule;
  run->number = number;
  run->tag = gb_first_tag(w->exec, number, hash);
  run->stamp = 0;
  memset(run->memory, 0, sizeof run->memory);
  run->begun = run->over = run->held = run->given_up = run->alert = false;
  run->comparison = w->exec->compared;
  run->awaits_comparison = w->exec->tag_blocks < ENOUGH;
  run->port = run->looked = 0;
  run->wake = INFINITY;
  run->code = run->undecided = MPI_SUCCESS;
  run->used = 0;
  run->capacity = GB_RUN_INLINE;
  run->handle = run->inline_handle;
  run->request = run->inline_request;
  set_streams(run);
  *out = run;
  return MPI_SUCCESS;
}

/* Bytes that a channel of an all-to-all carries. */
static size_t bytes_of(const gb_run *run, const gb_channel *channel) {
  const gb_block_list *list =
      &run->memory[channel->direction == GB_SEND ? GB_MEMORY_SEND : GB_MEMORY_RECEIVE];
  return list->length != NULL && channel->blocks > 0 ? list->length[channel->rank]
                                                     : list->bytes * channel->blocks;
}

/* The longest message of the step that begins here. */
static size_t longest_after(const gb_run *run, const gb_channel *begin) {
  size_t most = 0;
  for (uint32_t i = begin->first_successor; i < begin->first_successor + begin->successor_count; i++) {
    const size_t bytes = bytes_of(run, &run->schedule->channel[run->schedule->successor[i]]);
    most = bytes > most ? bytes : most;
  }
  return most;
}

/* The run's own memory: dummies are as long as a block of their sender. */
static int get_scratch(gb_run *run, const gb_block_list *received) {
  size_t block = received->bytes;
  for (int r = 0; received->length != NULL && r < run->w->size; r++)
    block = received->length[r] > block ? received->length[r] : block;
  const size_t needed = run->schedule->scratch_blocks * block;
  run->memory[GB_MEMORY_SCRATCH] = (gb_block_list){.bytes = block};
  if (needed > 0)
    run->memory[GB_MEMORY_SCRATCH].base = run->w->staging->get(needed);
  return needed > 0 && run->memory[GB_MEMORY_SCRATCH].base == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

int gb_run_exchange(gb_run *run, const gb_block_list *send, const gb_block_list *receive) {
  const gb_rank_schedule *schedule = run->schedule;
  const int rc = get_scratch(run, receive);
  run->memory[GB_MEMORY_SEND] = *send;
  run->memory[GB_MEMORY_RECEIVE] = *receive;
  for (uint32_t c = 0; rc == MPI_SUCCESS && c < schedule->channel_count; c++) {
    const gb_channel *channel = &schedule->channel[c];
    run->cursor[c].length = channel->pace > 0 ? longest_after(run, channel) : bytes_of(run, channel);
    run->cursor[c].data = channel->blocks > 0 ? gb_extent_at(run, channel->at) : NULL;
  }
  return rc;
}

void gb_run_awaits_comparison(gb_run *run) {
  run->comparison = run->w->exec->compared;
  run->awaits_comparison = true;
}

gb_tree_stream *gb_run_stream(gb_run *run) {
  return run->stream;
}

int gb_run_code(const gb_run *run) {
  return run->code;
}

bool gb_run_can_end(gb_run *run) {
  return run->code == MPI_SUCCESS || gb_requests_give_up(run, run->w->exec->differs);
}

void gb_run_keep(gb_run *run, void *block) {
  if (run->kept_count < GB_KEPT_MOST)
    run->kept[run->kept_count++] = block;
}

void gb_run_keep_beside(gb_run *run, void *block) {
  run->kept_beside = block;
}

gb_run *gb_run_end(gb_run *run) {
  gb_exec *exec = run->w->exec;
  char *scratch = run->memory[GB_MEMORY_SCRATCH].base;
  if (run->used > 0) {
    run->kept_count = 0;
    run->kept_beside = NULL;
    if (scratch != NULL)
      gb_run_keep(run, scratch);
    run->next = exec->failed;
    exec->failed = run;
    return run;
  }
  if (scratch != NULL)
    run->w->staging->give_back(scratch);
  gb_requests_release(run);
  if (exec->spare == NULL)
    exec->spare = run;
  else
    free(run);
  return NULL;
}
