/* Streams that run at the same time: the part of one rank, which may send and receive several.
 *
 *   receiver                        sender
 *   posts 2 receives       ---2-->  sends as many messages as it has credit for
 *   one has arrived        ---2-->  sends two more, until all slots are in use,
 *                          ---1-->  and then one for each that has arrived
 *   the time is over       ---0-->  and no more; it ends when all messages are answered
 *
 * So a stream starts slowly even if TCP would send everything at once, unless the order says that more are in
 * flight from the start: queues on the way may be too short for that, and TCP is slow for a while after a
 * loss. Each receiver stops its streams when their time is over by its own clock, and all begin at about the
 * same time. So the streams share their links while they are measured, however fast each is. The time of the
 * slow start does not count. */
#include "probe/wire.h"

#include <stdlib.h>

/* Bytes in flight are cut into SLOTS_LEAST messages of MESSAGE_LEAST to WHOLE bytes. Beyond that there are
 * more messages, so that they arrive evenly, and only with GB_STREAM_SLOTS of them longer ones. MPI libraries
 * send up to WHOLE bytes at once; longer messages may wait until the receiver asks for them, and take a round
 * trip more (MPICH's ch4:ucx over TCP: from between 17.5 and 21.9 kB). */
enum { SLOTS_LEAST = 16, MESSAGE_LEAST = 1 << 10, WHOLE = 16 << 10 };

static const double SLOW_START = 1.0 / 3; /* of the time of a stream, at its beginning; does not count */

enum { PARTS = 5 }; /* of the time that counts; their rates give the spread */

typedef struct gb_flow_shape { /* how bytes in flight are cut into messages */
  uint64_t message;            /* bytes of each */
  uint32_t slots;              /* how many of them are in flight */
} gb_flow_shape;

/* Requests that complete in the order in which they were made, as messages between two ranks are matched:
 * only the oldest is tested. */
typedef struct gb_flow_queue {
  uint32_t slots, first, count; /* how many there may be; the oldest; how many there are */
  MPI_Request request[GB_STREAM_SLOTS];
} gb_flow_queue;

typedef struct gb_flow_out {
  uint64_t message;             /* bytes of each */
  uint32_t credit;              /* messages that may be sent now */
  gb_flow_queue sent, answers;  /* the first answer is the first credit, the others answer messages */
  int granted[GB_STREAM_SLOTS]; /* the credit that each answer brings */
} gb_flow_out;

typedef struct gb_flow_in {
  uint64_t message; /* bytes of each */
  gb_flow_queue posted;
  uint64_t at;          /* where its messages begin in the buffer of the rank */
  uint32_t in_all;      /* messages that have arrived in time */
  uint32_t arrived;     /* those of them in the time that counts */
  uint32_t part[PARTS]; /* messages in each of PARTS equal parts of that time */
  double t, n, tt, tn;  /* sums over them: time of arrival t (s), number n from 1, t * t and t * n */
} gb_flow_in;

/* The streams of a rank. Peers of the order are first those that it sends to, then those that it receives
 * from. All messages that it sends are at the start of its buffer; those that it receives follow. */
typedef struct gb_flows {
  gb_prober *x;
  const gb_order *order;
  double from, until; /* the time that counts, by MPI_Wtime() */
  gb_flow_out out[GB_STREAMS_MOST];
  gb_flow_in in[GB_STREAMS_MOST];
} gb_flows;

uint64_t gb_stream_fill(double rate, double seconds) {
  return gb_probe_clamp(rate * seconds / 4, SLOTS_LEAST * MESSAGE_LEAST, GB_STREAM_IN_FLIGHT_MOST);
}

static gb_flow_shape shape_of(uint64_t in_flight) {
  const uint64_t least = in_flight / GB_STREAM_SLOTS;
  const uint64_t even = gb_probe_clamp((double)in_flight / SLOTS_LEAST, MESSAGE_LEAST, WHOLE);
  const uint64_t message = least > even ? least : even;
  return (gb_flow_shape){message,
                         gb_probe_clamp((double)in_flight / (double)message, SLOTS_LEAST, GB_STREAM_SLOTS)};
}

static uint32_t next_slot(const gb_flow_queue *q) {
  return (q->first + q->count) % q->slots;
}

static int await_answer(gb_flows *f, uint32_t i) {
  gb_flow_out *out = &f->out[i];
  const uint32_t slot = next_slot(&out->answers);
  out->answers.count++;
  return MPI_Irecv(&out->granted[slot], 1, MPI_INT, f->order->peer[i], GB_TAG_READY, f->x->streams,
                   &out->answers.request[slot]);
}

static int send_some(gb_flows *f, uint32_t i) {
  gb_flow_out *out = &f->out[i];
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS && out->credit > 0 && out->sent.count < out->sent.slots) {
    rc = MPI_Isend(f->x->buffer, (int)out->message, MPI_BYTE, f->order->peer[i], GB_TAG_DATA, f->x->streams,
                   &out->sent.request[next_slot(&out->sent)]);
    out->sent.count++;
    out->credit--;
    if (rc == MPI_SUCCESS)
      rc = await_answer(f, i);
  }
  return rc;
}

/* Lets the sender send up to `most` more messages, as far as there are slots. */
static int grant(gb_flows *f, uint32_t i, uint32_t most) {
  gb_flow_in *in = &f->in[i];
  const int source = f->order->peer[f->order->count + i];
  int credit = 0, rc = MPI_SUCCESS;
  for (; rc == MPI_SUCCESS && (uint32_t)credit < most && in->posted.count < in->posted.slots; credit++) {
    const uint32_t slot = next_slot(&in->posted);
    rc = MPI_Irecv(f->x->buffer + in->at + slot * in->message, (int)in->message, MPI_BYTE, source,
                   GB_TAG_DATA, f->x->streams, &in->posted.request[slot]);
    in->posted.count++;
  }
  return rc != MPI_SUCCESS ? rc : MPI_Send(&credit, 1, MPI_INT, source, GB_TAG_READY, f->x->streams);
}

/* A message has arrived. */
static int go_on_receiving(gb_flows *f, uint32_t i) {
  gb_flow_in *in = &f->in[i];
  const double now = MPI_Wtime();
  in->in_all += now < f->until;
  if (now >= f->from && now < f->until) {
    const double t = now - f->from, n = ++in->arrived;
    in->part[gb_probe_clamp(PARTS * t / (f->until - f->from), 0, PARTS - 1)]++;
    in->t += t;
    in->n += n;
    in->tt += t * t;
    in->tn += t * n;
  }
  return grant(f, i, now < f->until ? 2 : 0);
}

static int start(gb_flows *f) {
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; i < f->order->count && rc == MPI_SUCCESS; i++)
    rc = await_answer(f, i);
  for (uint32_t i = 0; i < f->order->sources && rc == MPI_SUCCESS; i++)
    rc = grant(f, i, f->order->window);
  return rc;
}

/* The oldest request of each queue that has one, its queue, and the index of its stream in out[] or in[]. */
typedef struct gb_flow_heads {
  int count;
  MPI_Request request[3 * GB_STREAMS_MOST];
  gb_flow_queue *queue[3 * GB_STREAMS_MOST];
  uint32_t stream[3 * GB_STREAMS_MOST];
} gb_flow_heads;

static void add_head(gb_flow_heads *h, gb_flow_queue *q, uint32_t stream) {
  if (q->count == 0)
    return;
  h->request[h->count] = q->request[q->first];
  h->queue[h->count] = q;
  h->stream[h->count++] = stream;
}

/* The oldest request of the queue is complete. */
static int go_on(gb_flows *f, gb_flow_queue *q, uint32_t i) {
  const uint32_t slot = q->first;
  q->first = (slot + 1) % q->slots;
  q->count--;
  if (q == &f->in[i].posted)
    return go_on_receiving(f, i);
  if (q == &f->out[i].answers)
    f->out[i].credit += (uint32_t)f->out[i].granted[slot];
  return send_some(f, i);
}

static int run(gb_flows *f) {
  gb_flow_heads heads;
  int at = 0, rc = start(f);
  while (rc == MPI_SUCCESS) {
    heads.count = 0;
    for (uint32_t i = 0; i < f->order->count; i++) {
      add_head(&heads, &f->out[i].sent, i);
      add_head(&heads, &f->out[i].answers, i);
    }
    for (uint32_t i = 0; i < f->order->sources; i++)
      add_head(&heads, &f->in[i].posted, i);
    if (heads.count == 0)
      return MPI_SUCCESS;
    rc = gb_machine_await_any(heads.count, heads.request, &at);
    if (rc == MPI_SUCCESS)
      rc = go_on(f, heads.queue[at], heads.stream[at]);
  }
  return rc;
}

/* Returns the rate of a stream: the slope of a line through the arrivals (least squares), which is also right
 * if messages arrive in bunches. A single bunch has no slope; then the rate is what arrived divided by the
 * whole time. With T the time that counts, the variance of the arrival times is about T*T/12 for single
 * messages, and at least T*T/16 for two bunches or more; below T*T/24 there is one bunch.
 *
 * A stream that begins with much in flight loses packets, and what has arrived after a lost one is handed
 * over with it: the line gets steeper than the path is wide. What arrived in all of its time is never too
 * much. */
static gb_median rate_of(const gb_flows *f, uint32_t i) {
  const gb_flow_in *in = &f->in[i];
  const double bytes = (double)in->message, seconds = f->until - f->from, count = in->arrived;
  const double spread = count * in->tt - in->t * in->t;
  const bool one_bunch = spread < count * count * seconds * seconds / 24;
  double part[PARTS];
  for (int k = 0; k < PARTS; k++)
    part[k] = in->part[k];
  const double rate = f->order->window > GB_STREAM_FIRST ? in->in_all / f->order->seconds
                      : count < PARTS || one_bunch       ? count / seconds
                                                         : (count * in->tn - in->t * in->n) / spread;
  return (gb_median){bytes * rate, gb_median_of(part, PARTS).spread, count >= PARTS ? PARTS : 0};
}

/* Which of several peers is silent is not known: the message names the first. */
static void expect_peers(const gb_prober *x, const gb_order *order) {
  bool several = false;
  for (uint32_t i = 1; i < order->count + order->sources; i++)
    several = several || order->peer[i] != order->peer[0];
  gb_watchdog_expect(x->watch, gb_order_patience(order->seconds),
                     "gbcast-probe: no answer: rank %d on %s%s has stopped or cannot be reached",
                     order->peer[0], x->identity[order->peer[0]].name,
                     several ? ", or another rank that it exchanges streams with at the same time," : "");
}

int gb_measure_at_once(gb_prober *x, const gb_order *order, gb_report *report) {
  gb_flows *f = calloc(1, sizeof *f);
  if (f == NULL)
    return MPI_ERR_NO_MEM;
  f->x = x;
  f->order = order;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < order->count; i++) {
    const gb_flow_shape shape = shape_of(order->size[i]);
    f->out[i].message = shape.message;
    f->out[i].sent.slots = f->out[i].answers.slots = shape.slots;
    bytes = shape.message > bytes ? shape.message : bytes;
  }
  for (uint32_t i = 0; i < order->sources; i++) {
    const gb_flow_shape shape = shape_of(order->size[order->count + i]);
    f->in[i].message = shape.message;
    f->in[i].posted.slots = shape.slots;
    f->in[i].at = bytes;
    bytes += shape.slots * shape.message;
  }
  expect_peers(x, order);
  int rc = gb_prober_reserve(x, bytes);
  const double now = MPI_Wtime();
  f->from = now + SLOW_START * order->seconds;
  f->until = now + order->seconds;
  if (rc == MPI_SUCCESS)
    rc = run(f);
  report->count = order->sources;
  for (uint32_t i = 0; i < order->sources; i++)
    report->rate[i] = rate_of(f, i);
  free(f);
  return rc;
}
