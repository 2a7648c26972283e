/* News on their way down a tree of a broadcast. */
#include "mpi/exec/news.h"
#include "mpi/exec/agree.h"
#include "mpi/exec/requests.h"
#include "mpi/exec/types.h"
#include <stdlib.h>
#include <string.h>

void gb_news_init(gb_run *run) {
  gb_wire *w = run->w;
  gb_telling *news = &run->news;
  *news = (gb_telling){.tree = GB_NONE};
  if (run->role->operation != GBCAST_BCAST || gb_news_tag(run->sequence) == GB_LAST_TAG)
    return;
  uint32_t tree = 0;
  while (tree < run->role->tree_count && run->flow[tree].length == 0)
    tree++;
  if (tree == run->role->tree_count)
    return;
  news->tree = tree;
  if (w->rank == run->role->root && w->ready.epoch > w->epoch) {
    news->what = w->ready; /* moved: another offer may come meanwhile */
    w->ready = (gb_news){0};
    news->there = true;
  }
}

int gb_news_mark(gb_run *run, int to, int *tag) {
  int rc = gb_requests_send(run, GB_SLOT_TELL, to, *tag, NULL, 0);
  *tag = gb_news_tag(run->sequence);
  return rc;
}

int gb_news_pass_on(gb_run *run) {
  gb_telling *news = &run->news;
  const gb_flow *f = &run->flow[news->tree];
  const uint64_t length = news->what.length;
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; rc == MPI_SUCCESS && news->told < f->tree->child_count && i < f->tree->child_count;
       i++) {
    int to = f->tree->child[i].rank, tag = gb_news_tag(run->sequence);
    if (f->out[i].told || f->out[i].posted == 0)
      continue;
    if ((rc = gb_requests_send(run, GB_SLOT_TELL, to, tag, &length, sizeof length)) == MPI_SUCCESS)
      rc = gb_requests_send(run, GB_SLOT_TELL, to, tag, news->what.bytes, news->what.length);
    f->out[i].told = true;
    news->told++;
  }
  return rc;
}

bool gb_news_begin(const gb_run *run, const gb_slot *first, const MPI_Status *status) {
  int count = -1;
  return first->flow == run->news.tree && !run->news.coming &&
         MPI_Get_count(status, MPI_BYTE, &count) == MPI_SUCCESS && count == 0;
}

static int receive(gb_run *run, const gb_slot *slot, void *to) {
  MPI_Request *request = gb_requests_next(run);
  int rc = request == NULL || to == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = MPI_Irecv(to, (int)slot->length, MPI_BYTE, slot->peer, gb_news_tag(run->sequence), run->w->comm,
                   request);
  if (rc == MPI_SUCCESS)
    gb_requests_add(run, slot);
  else
    free(slot->copy);
  return rc;
}

int gb_news_expect(gb_run *run, const gb_slot *first) {
  run->news.coming = true;
  int rc = receive(run, first, run->flow[first->flow].data);
  gb_slot length = {.kind = GB_SLOT_NEWS, .peer = first->peer, .length = sizeof(uint64_t)};
  length.copy = rc == MPI_SUCCESS ? malloc(length.length) : NULL;
  return rc == MPI_SUCCESS ? receive(run, &length, length.copy) : rc;
}

int gb_news_heard(gb_run *run, const gb_slot *slot) {
  gb_telling *news = &run->news;
  if (slot->offset > 0) {
    news->what = (gb_news){.length = slot->length, .bytes = slot->copy};
    news->there = true;
    return MPI_SUCCESS;
  }
  uint64_t length;
  memcpy(&length, slot->copy, sizeof length);
  free(slot->copy);
  gb_slot body = {.kind = GB_SLOT_NEWS, .peer = slot->peer, .offset = 1, .length = (size_t)length};
  body.copy = length <= GB_MESSAGE_MAX ? malloc(body.length + 1) : NULL;
  if (body.copy != NULL)
    return receive(run, &body, body.copy);
  gb_agree_fail(run, MPI_ERR_NO_MEM);
  return MPI_SUCCESS;
}

void gb_news_read(gb_run *run) {
  gb_telling *news = &run->news;
  if (!news->there || news->read != NULL || run->failed)
    return;
  int rc = run->w->reader->read(run->w->owner, &news->what, &news->read);
  if (rc != MPI_SUCCESS)
    gb_agree_fail(run, rc);
}

void gb_news_keep(gb_run *run) {
  gb_telling *news = &run->news;
  if (news->read != NULL && !run->failed)
    run->w->reader->keep(run->w->owner, news->what.epoch, news->read, run->sequence);
  else
    gbcast_platform_free(news->read);
  free(news->what.bytes);
}
