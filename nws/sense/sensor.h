/* The state of a sensor. */
#ifndef GB_NWS_SENSE_SENSOR_H
#define GB_NWS_SENSE_SENSOR_H

#include "nws/client/client.h"
#include "nws/sense/clique.h"
#include "nws/sense/experiment.h"
#include "nws/sense/iperf.h"
#include "nws/sense/outbox.h"

#include <sys/queue.h>

struct gb_daemon_calls;

/* A client of one daemon, which sends one request at a time. After a connection has ended, or a request was
 * refused, it connects again after a pause, which grows until an answer comes (registration.c). */
typedef struct gb_daemon_client { /* starts as zeros, not open; not to be moved */
  const struct gb_daemon_calls *calls;
  void *context;
  struct event_base *base;
  struct event *event; /* the current socket is ready, or the time has come */
  gb_nws_address to;
  gb_client client;
  gb_socket socket;
  gb_bytes text;
  bool asked;   /* a request waits to be sent, or for its reply */
  bool starved; /* there was no memory for a request */
  bool silent;  /* no answer since that was reported */
  double pause; /* s, before the next attempt */
} gb_daemon_client;

struct gb_sensor_clique;

typedef struct gb_sensor {
  struct event_base *base;
  struct evconnlistener *listener;
  struct event *retry; /* accepts again after descriptors ran out */
  gb_machine machine;
  uint32_t outside; /* the address of its name, where that is not one of this machine's; host byte order */
  uint16_t port;
  char name[GB_MEMBER_NAME]; /* machine:port */
  double period;             /* s, default of cliques */
  bool iperf;

  gb_experiment_queue queue;
  LIST_HEAD(gb_sensor_session_list, gb_sensor_session) sessions; /* connected clients, the latest first */
  uint32_t session_count;
  struct gb_sensor_clique *cliques; /* its memberships */

  gb_nws_address name_server;
  char name_server_name[GB_NWS_ADDRESS_TEXT];
  gb_daemon_client to_name_server;
  struct event *renew;
  gb_renewals renewals;
  uint32_t renewing; /* the renewal that was sent; their count: none */

  char memory_name[GB_NWS_ADDRESS_TEXT]; /* machine:port; empty: not known yet */
  gb_daemon_client to_memory;
  bool failing; /* the memory refuses samples, as was reported */
  gb_outbox outbox;
  double delivering; /* sequence number of the sample that was sent */
} gb_sensor;

/* registration.c: keeps s->renewals registered, and finds a memory when none was given. */
bool gb_registration_start(gb_sensor *s);
void gb_registration_stop(gb_sensor *s);
void gb_registration_add(gb_sensor *s, gb_bytes *object); /* takes it */
void gb_registration_withdraw(gb_sensor *s, const char *class, const char *name);
void gb_registration_sensor(gb_sensor *s); /* the sensor itself, and what it can do */

/* activity.c: what sensors of NWS register for start_activity. */
void gb_registration_abilities(gb_sensor *s);

/* Sends the samples in s->outbox to this memory. */
void gb_deliver_start(gb_sensor *s, const gb_nws_address *memory);
/* A sample was put there. */
void gb_deliver(gb_sensor *s);

/* A line on standard error, for the operator. */
__attribute__((format(printf, 1, 2))) void gb_sense_warn(const char *format, ...);

/* ---- Sessions of clients: other sensors, nws_ping, or tools ---- */

/* session.c: takes over the listening socket. */
bool gb_sensor_sessions_start(gb_sensor *s, int file);
void gb_sensor_sessions_stop(gb_sensor *s);

#define GB_SENSOR_SESSION_IDLE 120.0 /* s, without a message */

typedef struct gb_sensor_session {
  LIST_ENTRY(gb_sensor_session) others;
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
