/* The session of a client of this sensor: another sensor, nws_ping, or a tool. */
#ifndef GB_NWS_SENSE_SESSION_H
#define GB_NWS_SENSE_SESSION_H

#include "nws/sense/iperf.h"
#include "nws/sense/sensor.h"

#define GB_SENSOR_SESSION_IDLE 120.0 /* s, without a message */

typedef struct gb_sensor_session {
  struct gb_sensor_session *next, **at;
  gb_sensor *sensor;
  gb_tcp_connection connection;
  gb_message_codec codec;
  gb_ticket ticket; /* of an experiment */
  gb_experiment sizes;
  gb_target target;
  gb_iperf_end server;
  gb_iperf_process process;
} gb_sensor_session;

/* session_answer.c: a message has arrived. */
gb_message_received gb_sensor_session_answer;

#endif
