/* Somebody who has connected: another sensor, nws_ping, or a tool. */
#ifndef GB_NWS_SENSE_SESSION_H
#define GB_NWS_SENSE_SESSION_H

#include "nws/sense/experiment.h"
#include "nws/sense/iperf.h"
#include "nws/sense/sensor.h"
#include "nws/sense/subprocess.h"

#define GB_VISIT_IDLE 120.0 /* s, without a message */

typedef struct gb_visit {
  struct gb_visit *next, **at;
  gb_sensor *sensor;
  gb_channel channel;
  gb_mail mail;
  gb_ticket ticket; /* of an experiment */
  gb_experiment sizes;
  gb_target target;
  gb_iperf_end server;
  gb_child child;
  bool offered; /* a token, whose go-ahead is awaited: */
  gb_token_id token;
} gb_visit;

/* visit_answer.c: a message has come. */
gb_mail_came gb_visit_answer;

/* visit_measure.c: an experiment of NWS, or iperf's, as soon as it is its turn. */
void gb_visit_measure(gb_visit *v, const gb_experiment *sizes);
void gb_visit_iperf(gb_visit *v);

#endif
