/* Connections come and go. */
#include "nws/sense/session.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { VISITS_MOST = 256, REQUEST_MOST = 16384 /* bytes */ };
#define ACCEPT_AGAIN 1.0 /* s */

static void leave(void *context) {
  gb_visit *v = context;
  gb_sensor *s = v->sensor;
  gb_channel_close(&v->channel);
  gb_child_stop(&v->child);
  *v->at = v->next;
  if (v->next != NULL)
    v->next->at = v->at;
  gb_mail_release(&v->mail);
  s->visit_count--;
  gb_lane_leave(&s->lane, &v->ticket);
  free(v);
}

/* The first of those that came and wait for nothing has to go. */
static void make_room(gb_sensor *s) {
  gb_visit *idle = NULL;
  for (gb_visit *v = s->visits; v != NULL; v = v->next)
    if (!v->mail.paused)
      idle = v;
  if (idle != NULL)
    leave(idle);
}

static void welcome(gb_sensor *s, int file) {
  if (s->visit_count == VISITS_MOST)
    make_room(s);
  gb_visit *v = s->visit_count < VISITS_MOST ? calloc(1, sizeof *v) : NULL;
  if (v == NULL) {
    (void)close(file);
    return;
  }
  *v = (gb_visit){.sensor = s, .next = s->visits, .at = &s->visits};
  gb_mail_start(&v->mail, REQUEST_MOST, gb_visit_answer, v, gb_clock_now() + GB_VISIT_IDLE);
  if (!gb_channel_adopt(&v->channel, s->base, file, &v->mail.party, leave, v)) {
    free(v);
    return;
  }
  if (v->next != NULL)
    v->next->at = &v->next;
  s->visits = v;
  s->visit_count++;
}

static void on_retry(evutil_socket_t file, short what, void *context) {
  gb_sensor *s = context;
  (void)file;
  (void)what;
  (void)event_add(s->listening, NULL);
}

static void on_knock(evutil_socket_t file, short what, void *context) {
  gb_sensor *s = context;
  (void)what;
  int visitor = accept(file, NULL, NULL);
  if (visitor >= 0) {
    welcome(s, visitor);
  } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
    (void)event_del(s->listening); /* it would call here without end */
    (void)gb_event_wait(s->retry, ACCEPT_AGAIN);
  }
}

bool gb_visits_start(gb_sensor *s, int file) {
  s->listening = event_new(s->base, file, EV_READ | EV_PERSIST, on_knock, s);
  s->retry = evtimer_new(s->base, on_retry, s);
  return s->listening != NULL && s->retry != NULL && evutil_make_socket_nonblocking(file) == 0 &&
         event_add(s->listening, NULL) == 0;
}

void gb_visits_stop(gb_sensor *s) {
  for (gb_visit *v = s->visits, *next; v != NULL; v = next) {
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
