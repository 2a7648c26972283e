/* Accepts and closes sessions. */
#include "nws/sense/session.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SESSIONS_MOST = 256, REQUEST_MOST = 16384 /* bytes */ };
#define ACCEPT_AGAIN 1.0 /* s */

static void leave(void *context) {
  gb_sensor_session *v = context;
  gb_sensor *s = v->sensor;
  gb_tcp_connection_close(&v->connection);
  gb_subprocess_stop(&v->subprocess);
  *v->at = v->next;
  if (v->next != NULL)
    v->next->at = v->at;
  gb_message_codec_release(&v->codec);
  s->session_count--;
  gb_experiment_queue_leave(&s->queue, &v->ticket);
  free(v);
}

/* Closes the oldest session that is not in the experiment queue. */
static void make_room(gb_sensor *s) {
  gb_sensor_session *idle = NULL;
  for (gb_sensor_session *v = s->sessions; v != NULL; v = v->next)
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
  *v = (gb_sensor_session){.sensor = s, .next = s->sessions, .at = &s->sessions};
  gb_message_codec_start(&v->codec, REQUEST_MOST, gb_sensor_session_answer, v,
                         gb_clock_now() + GB_SENSOR_SESSION_IDLE);
  if (!gb_tcp_connection_adopt(&v->connection, s->base, file, &v->codec.handler, leave, v)) {
    free(v);
    return;
  }
  if (v->next != NULL)
    v->next->at = &v->next;
  s->sessions = v;
  s->session_count++;
}

static void on_retry(evutil_socket_t file, short what, void *context) {
  gb_sensor *s = context;
  (void)file;
  (void)what;
  (void)event_add(s->listening, NULL);
}

static void on_connect(evutil_socket_t file, short what, void *context) {
  gb_sensor *s = context;
  (void)what;
  int client = accept(file, NULL, NULL);
  if (client >= 0) {
    accept_session(s, client);
  } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
    (void)event_del(s->listening); /* the event loop would spin */
    (void)gb_event_wait(s->retry, ACCEPT_AGAIN);
  }
}

bool gb_sensor_sessions_start(gb_sensor *s, int file) {
  s->listening = event_new(s->base, file, EV_READ | EV_PERSIST, on_connect, s);
  s->retry = evtimer_new(s->base, on_retry, s);
  return s->listening != NULL && s->retry != NULL && evutil_make_socket_nonblocking(file) == 0 &&
         event_add(s->listening, NULL) == 0;
}

void gb_sensor_sessions_stop(gb_sensor *s) {
  for (gb_sensor_session *v = s->sessions, *next; v != NULL; v = next) {
    next = v->next;
    leave(v);
  }
  if (s->listening != NULL) {
    (void)close(event_get_fd(s->listening));
    event_free(s->listening);
  }
  if (s->retry != NULL)
    event_free(s->retry);
}
