/* What both ends of an experiment need, and the end that answers. */
#include "nws/sense/experiment.h"

#include <math.h>

enum { BURST_MOST = 64 << 20, BUFFER_LEAST = 4096, BUFFER_MOST = 4 << 20 };

bool gb_experiment_sound(const gb_experiment *e) {
  return e->size <= BURST_MOST && e->message <= BURST_MOST && (e->size == 0 || e->message > 0);
}

uint64_t gb_experiment_burst(const gb_experiment *e) {
  return e->size == 0 ? 0 : ((uint64_t)e->size + e->message - 1) / e->message * e->message;
}

int gb_experiment_socket_buffer(const gb_experiment *e) {
  if (e->buffer < BUFFER_LEAST)
    return BUFFER_LEAST;
  return e->buffer < BUFFER_MOST ? (int)e->buffer : BUFFER_MOST;
}

/* ---- The queue ---- */

static void go_on(gb_experiment_queue *queue) {
  gb_ticket *next = queue->first;
  if (queue->running != NULL || next == NULL)
    return;
  queue->first = next->next;
  queue->running = next;
  next->go(next->context);
}

bool gb_experiment_queue_enter(gb_experiment_queue *queue, gb_ticket *ticket, bool own) {
  gb_ticket **at = &queue->first;
  size_t waiting = 0;
  for (; !own && *at != NULL; at = &(*at)->next)
    waiting++;
  if (waiting >= GB_EXPERIMENT_QUEUE_MOST)
    return false;
  ticket->next = *at;
  *at = ticket;
  go_on(queue);
  return true;
}

void gb_experiment_queue_leave(gb_experiment_queue *queue, gb_ticket *ticket) {
  for (gb_ticket **at = &queue->first; *at != NULL; at = &(*at)->next)
    if (*at == ticket) {
      *at = ticket->next;
      return;
    }
  if (queue->running != ticket)
    return;
  queue->running = NULL;
  go_on(queue);
}

/* ---- The end that answers. It keeps no data, so the size that a peer asks for takes no memory ---- */

/* TCP_HANDSHAKE with port 0: go on here. */
static const unsigned char answer[GB_EXPERIMENT_ANSWER_BYTES] = {
    GB_NWS_VERSION >> 24, 0, 0, 0, 0, 0, GB_NWS_TCP_HANDSHAKE >> 8, GB_NWS_TCP_HANDSHAKE & 0xff, 0, 0, 0, 6};
static const unsigned char echo[1];

static void enter(gb_target *t, enum gb_target_state state) {
  t->state = state;
  t->given = 0;
  t->handler.over = state == GB_TARGET_OVER;
}

static size_t output(gb_handler *self, double now, const unsigned char **bytes) {
  gb_target *t = (gb_target *)self;
  (void)now;
  *bytes = t->state == GB_TARGET_GREET ? answer + t->given : echo;
  return t->state == GB_TARGET_GREET ? sizeof answer - t->given : t->state == GB_TARGET_ECHO;
}

static void heard(gb_target *t, double now) {
  t->handler.deadline = fmin(t->end, now + GB_EXPERIMENT_IDLE);
}

static void sent(gb_handler *self, size_t size, double now) {
  gb_target *t = (gb_target *)self;
  t->given += (unsigned)size;
  heard(t, now);
  if (t->state == GB_TARGET_GREET && t->given == sizeof answer)
    enter(t, GB_TARGET_BYTE);
  else if (t->state == GB_TARGET_ECHO)
    enter(t, t->left == 0 ? GB_TARGET_OVER : GB_TARGET_BURST);
}

static void received(gb_handler *self, const unsigned char *bytes, size_t size, double now) {
  gb_target *t = (gb_target *)self;
  (void)bytes;
  heard(t, now);
  if (t->state == GB_TARGET_GREET) { /* data before the handshake */
    enter(t, GB_TARGET_OVER);
    return;
  }
  if (t->state == GB_TARGET_BYTE) {
    enter(t, GB_TARGET_ECHO);
    size--;
  }
  t->left -= size < t->left ? size : t->left; /* of an initiator that does not wait for the echo, too */
  if (t->state == GB_TARGET_BURST && t->left == 0)
    enter(t, GB_TARGET_OVER);
}

static void closed(gb_handler *self, bool clean, double now) {
  (void)clean;
  (void)now;
  enter((gb_target *)self, GB_TARGET_OVER);
}

static const gb_handler_calls calls = {output, sent, received, closed};

void gb_target_start(gb_target *t, const gb_experiment *sizes, double now) {
  *t = (gb_target){
      .handler = {.calls = &calls}, .left = gb_experiment_burst(sizes), .end = now + GB_EXPERIMENT_MOST};
  heard(t, now);
}
