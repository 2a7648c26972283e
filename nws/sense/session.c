/* Accepts and closes sessions. */
#include "nws/sense/sensor.h"

#include <event2/listener.h>
#include <stdlib.h>
#include <unistd.h>

enum { SESSIONS_MOST = 256, REQUEST_MOST = 16384 /* bytes */ };
#define ACCEPT_AGAIN 1.0 /* s */

static void leave(void *context) {
  gb_sensor_session *v = context;
  gb_sensor *s = v->sensor;
  gb_tcp_connection_close(&v->connection);
  gb_iperf_stop(&v->process);
  LIST_REMOVE(v, others);
  gb_message_codec_release(&v->codec);
  s->session_count--;
  gb_experiment_queue_leave(&s->queue, &v->ticket);
  free(v);
}

/* Closes the oldest session that is not in the experiment queue. */
static void make_room(gb_sensor *s) {
  gb_sensor_session *idle = NULL;
  for (gb_sensor_session *v = LIST_FIRST(&s->sessions); v != NULL; v = LIST_NEXT(v, others))
    if (!v->codec.paused)
      idle = v;
  if (idle != NULL)
    leave(idle);
}

static void accept_session(gb_sensor *s, int file) {
  if (s->session_count == SESSIONS_MOST)
    make_room(s);
  gb_sensor_session *v = s->session_count < SESSIONS_MOST ? calloc(1, sizeof *v) : NULL;
  if (v == NULL) {
    (void)close(file);
    return;
  }
  *v = (gb_sensor_session){.sensor = s};
  gb_message_codec_start(&v->codec, REQUEST_MOST, gb_sensor_session_answer, v,
                         gb_clock_now() + GB_SENSOR_SESSION_IDLE);
  if (!gb_tcp_connection_adopt(&v->connection, s->base, file, &v->codec.handler, leave, v)) {
    free(v);
    return;
  }
  LIST_INSERT_HEAD(&s->sessions, v, others);
  s->session_count++;
}

static void on_retry(evutil_socket_t file, short what, void *context) {
  gb_sensor *s = context;
  (void)file;
  (void)what;
  (void)evconnlistener_enable(s->listener);
}

static void on_client(struct evconnlistener *listener, evutil_socket_t file, struct sockaddr *peer, int size,
                      void *context) {
  (void)listener;
  (void)peer;
  (void)size;
  accept_session(context, file);
}

/* Too many open files, or no memory: the event loop would spin. */
static void on_refusal(struct evconnlistener *listener, void *context) {
  gb_sensor *s = context;
  (void)evconnlistener_disable(listener);
  (void)gb_event_wait(s->retry, ACCEPT_AGAIN);
}

bool gb_sensor_sessions_start(gb_sensor *s, int file) {
  s->retry = evtimer_new(s->base, on_retry, s);
  s->listener =
      evconnlistener_new(s->base, on_client, s, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, file);
  if (s->listener == NULL)
    (void)close(file);
  else
    evconnlistener_set_error_cb(s->listener, on_refusal);
  return s->listener != NULL && s->retry != NULL;
}

void gb_sensor_sessions_stop(gb_sensor *s) {
  for (gb_sensor_session *v = LIST_FIRST(&s->sessions), *next; v != NULL; v = next) {
    next = LIST_NEXT(v, others);
    leave(v);
  }
  if (s->listener != NULL)
    evconnlistener_free(s->listener);
  if (s->retry != NULL)
    event_free(s->retry);
}
