/* Streams that run at the same time: the part of one rank, which may send and receive several.
 *
 *   receiver                        sender
 *   posts 2 receives       ---2-->  sends as many messages as it has credit for
 *   one has arrived        ---2-->  sends two more, until 16 are in flight,
 *                          ---1-->  and then one for each that has arrived
 *   the time is over       ---0-->  and no more; it ends when all messages are answered
 *
 * So a stream starts slowly even if TCP would send everything at once, unless the order says that 16 are in
 * flight from the start: queues on the way may be too short for that, and TCP is slow for a while after a
 * loss. Each receiver stops its streams when their time is over by its own clock, and all begin at about the
 * same time. So the streams share their links while they are measured, however fast each is. The time of the
 * slow start does not count. */
#include "probe/wire.h"

/* A stream that runs alone has MESSAGES messages in its time, of at least LEAST bytes; a quarter of them,
 * GB_STREAM_CREDIT, are in flight. */
static const double MESSAGES = 64, LEAST = 1 << 10;

static const double SLOW_START = 1.0 / 3; /* of the time of a stream, at its beginning; does not count */

enum { PARTS = 5 }; /* of the time that counts; their rates give the spread */
/* The requests of a stream: for messages; from ANSWER on for the answer to each message that was sent; START
 * for the first credit. */
enum { ANSWER = GB_STREAM_CREDIT, START = 2 * GB_STREAM_CREDIT, SLOTS };

typedef struct gb_flow_out {
  uint32_t credit;    /* messages that may be sent now */
  uint32_t under_way; /* requests that are not complete */
  int granted[SLOTS]; /* the credit that each request receives */
} gb_flow_out;

typedef struct gb_flow_in {
  uint32_t posted;      /* receives that are not complete */
  uint32_t arrived;     /* messages in the time that counts */
  uint32_t part[PARTS]; /* messages in each of PARTS equal parts of that time */
  double t, n, tt, tn;  /* sums over them: time of arrival t (s), number n from 1, t * t and t * n */
} gb_flow_in;

typedef struct gb_flows { /* streams of a rank: first those that it sends, then those that it receives */
  gb_prober *x;
  const gb_order *order;
  double from, until; /* the time that counts, by MPI_Wtime() */
  gb_flow_out out[GB_STREAMS_MOST];
  gb_flow_in in[GB_STREAMS_MOST];
  MPI_Request request[2 * GB_STREAMS_MOST * SLOTS];
  char *buffer[GB_STREAMS_MOST]; /* for each stream that is received; all that are sent share x->buffer */
} gb_flows;

uint64_t gb_stream_message(double rate, double seconds) {
  const double bytes = rate * seconds / MESSAGES;
  return (uint64_t)(bytes < LEAST ? LEAST : bytes > GB_STREAM_MESSAGE_MOST ? GB_STREAM_MESSAGE_MOST : bytes);
}

static MPI_Request *request_of(gb_flows *f, uint32_t stream, uint32_t slot) {
  return &f->request[stream * SLOTS + slot];
}

static int await_answer(gb_flows *f, uint32_t i, uint32_t slot) {
  f->out[i].under_way++;
  return MPI_Irecv(&f->out[i].granted[slot], 1, MPI_INT, f->order->peer[i], GB_TAG_READY, f->x->streams,
                   request_of(f, i, slot));
}

static int send_some(gb_flows *f, uint32_t i) {
  gb_flow_out *out = &f->out[i];
  int rc = MPI_SUCCESS;
  for (uint32_t slot = 0; slot < GB_STREAM_CREDIT && out->credit > 0 && rc == MPI_SUCCESS; slot++) {
    MPI_Request *request = request_of(f, i, slot);
    if (*request != MPI_REQUEST_NULL || *request_of(f, i, ANSWER + slot) != MPI_REQUEST_NULL)
      continue;
    rc = MPI_Isend(f->x->buffer, (int)f->order->size[i], MPI_BYTE, f->order->peer[i], GB_TAG_DATA,
                   f->x->streams, request);
    out->credit--;
    out->under_way++;
    if (rc == MPI_SUCCESS)
      rc = await_answer(f, i, ANSWER + slot);
  }
  return rc;
}

/* A message was sent, or credit has arrived. */
static int go_on_sending(gb_flows *f, uint32_t i, uint32_t slot) {
  gb_flow_out *out = &f->out[i];
  out->under_way--;
  if (slot >= ANSWER)
    out->credit += (uint32_t)out->granted[slot];
  return send_some(f, i);
}

/* Lets the sender send up to `most` more messages, as far as there are slots. */
static int grant(gb_flows *f, uint32_t i, uint32_t most) {
  const uint32_t stream = f->order->count + i;
  const uint64_t bytes = f->order->size[stream];
  const int source = f->order->peer[stream];
  uint32_t credit = 0;
  int rc = MPI_SUCCESS;
  for (uint32_t slot = 0; slot < GB_STREAM_CREDIT && credit < most && rc == MPI_SUCCESS; slot++) {
    if (*request_of(f, stream, slot) != MPI_REQUEST_NULL)
      continue;
    rc = MPI_Irecv(f->buffer[i] + slot * bytes, (int)bytes, MPI_BYTE, source, GB_TAG_DATA, f->x->streams,
                   request_of(f, stream, slot));
    f->in[i].posted++;
    credit++;
  }
  return rc != MPI_SUCCESS ? rc
                           : MPI_Send(&(int){(int)credit}, 1, MPI_INT, source, GB_TAG_READY, f->x->streams);
}

/* A message has arrived. */
static int go_on_receiving(gb_flows *f, uint32_t i) {
  gb_flow_in *in = &f->in[i];
  const double now = MPI_Wtime();
  in->posted--;
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

static bool is_over(const gb_flows *f) {
  for (uint32_t i = 0; i < f->order->count; i++)
    if (f->out[i].credit > 0 || f->out[i].under_way > 0)
      return false;
  for (uint32_t i = 0; i < f->order->sources; i++)
    if (f->in[i].posted > 0)
      return false;
  return true;
}

static int start(gb_flows *f) {
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; i < f->order->count && rc == MPI_SUCCESS; i++)
    rc = await_answer(f, i, START);
  for (uint32_t i = 0; i < f->order->sources && rc == MPI_SUCCESS; i++)
    rc = grant(f, i, f->order->window);
  return rc;
}

static int run(gb_flows *f) {
  const int slots = (int)(f->order->count + f->order->sources) * SLOTS;
  int at = 0, rc = start(f);
  while (rc == MPI_SUCCESS && !is_over(f)) {
    rc = gb_machine_await_any(slots, f->request, &at);
    const uint32_t stream = (uint32_t)at / SLOTS, slot = (uint32_t)at % SLOTS;
    if (rc == MPI_SUCCESS)
      rc = stream < f->order->count ? go_on_sending(f, stream, slot)
                                    : go_on_receiving(f, stream - f->order->count);
  }
  return rc;
}

/* Returns the rate of a stream: the slope of a line through the arrivals (least squares), which is also right
 * if messages arrive in bunches. A single bunch has no slope; then the rate is what arrived divided by the
 * whole time. With T the time that counts, the variance of the arrival times is about T*T/12 for single
 * messages, and at least T*T/16 for two bunches or more; below T*T/24 there is one bunch. */
static gb_median rate_of(const gb_flows *f, uint32_t i) {
  const gb_flow_in *in = &f->in[i];
  const double bytes = (double)f->order->size[f->order->count + i], seconds = f->until - f->from,
               count = in->arrived;
  const double spread = count * in->tt - in->t * in->t;
  const bool one_bunch = spread < count * count * seconds * seconds / 24;
  double part[PARTS];
  for (int k = 0; k < PARTS; k++)
    part[k] = in->part[k];
  const double rate =
      count < PARTS || one_bunch ? count / seconds : (count * in->tn - in->t * in->n) / spread;
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
  gb_flows f = {.x = x, .order = order};
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < order->count; i++)
    bytes = order->size[i] > bytes ? order->size[i] : bytes;
  for (uint32_t i = 0; i < order->sources; i++)
    bytes += GB_STREAM_CREDIT * order->size[order->count + i];
  for (int i = 0; i < 2 * GB_STREAMS_MOST * SLOTS; i++)
    f.request[i] = MPI_REQUEST_NULL;
  expect_peers(x, order);
  int rc = gb_prober_reserve(x, bytes);
  if (rc != MPI_SUCCESS)
    return rc;
  char *at = x->buffer + bytes;
  for (uint32_t i = 0; i < order->sources; i++)
    f.buffer[i] = at -= GB_STREAM_CREDIT * order->size[order->count + i];
  const double now = MPI_Wtime();
  f.from = now + SLOW_START * order->seconds;
  f.until = now + order->seconds;
  rc = run(&f);
  report->count = order->sources;
  for (uint32_t i = 0; i < order->sources; i++)
    report->rate[i] = rate_of(&f, i);
  return rc;
}
