/* The state of a sensor. */
#ifndef GB_NWS_SENSE_SENSOR_H
#define GB_NWS_SENSE_SENSOR_H

#include "nws/client/client.h"
#include "nws/sense/clique.h"
#include "nws/sense/experiment.h"
#include "nws/sense/outbox.h"
#include "nws/sense/tcp_connection.h"

/* A client of one daemon that sends one request at a time and reconnects, after increasing pauses, whenever
 * the connection ends. */

typedef struct gb_reconnecting_client_calls {
  const char *what; /* the daemon, in messages */
  /* Appends the next request; false: there is none now. */
  bool (*next)(void *context, gb_bytes *out);
  /* The reply. False: it is invalid, or the daemon cannot answer now; the client reconnects. */
  bool (*reply)(void *context, const gb_nws_message *message);
  /* The connection ended; a request without a reply is to be repeated. */
  void (*lost)(void *context);
} gb_reconnecting_client_calls;

typedef struct gb_reconnecting_client { /* starts as zeros, not open */
  const gb_reconnecting_client_calls *calls;
  void *context;
  struct event_base *base;
  struct event *retry;
  gb_resolver *resolver; /* while the address is looked up */
  gb_tcp_connection connection;
  gb_message_codec codec;
  const char *host;
  uint16_t port;
  bool asked, bad; /* a reply is awaited; the reply was invalid */
  bool silent;     /* no answer since that was reported */
  double pause;    /* s, before the next attempt */
} gb_reconnecting_client;

/* `host` outlives the client. False: no resources. */
bool gb_reconnecting_client_open(gb_reconnecting_client *l, struct event_base *base, const char *host,
                                 uint16_t port, const gb_reconnecting_client_calls *calls, void *context);
void gb_reconnecting_client_close(gb_reconnecting_client *l);

/* There may be a new request. */
void gb_reconnecting_client_wake(gb_reconnecting_client *l);

struct gb_sensor_session;
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
  struct gb_sensor_session *sessions; /* connected clients */
  uint32_t session_count;
  struct gb_sensor_clique *cliques; /* its memberships */

  gb_nws_address name_server;
  char name_server_name[GB_NWS_ADDRESS_TEXT];
  gb_reconnecting_client to_name_server;
  struct event *renew;
  gb_renewals renewals;
  bool registering;  /* a registration was sent, */
  uint32_t renewing; /* of this renewal */

  char memory_name[GB_NWS_ADDRESS_TEXT]; /* machine:port; empty: not known yet */
  char memory_host[GB_NWS_ADDRESS_TEXT];
  gb_reconnecting_client to_memory;
  bool failing; /* the memory refuses samples, as was reported */
  gb_outbox outbox;
} gb_sensor;

/* registration.c: keeps s->renewals registered, and finds a memory when none was given. */
bool gb_registration_start(gb_sensor *s);
void gb_registration_stop(gb_sensor *s);
void gb_registration_add(gb_sensor *s, gb_bytes *object); /* takes it */
void gb_registration_withdraw(gb_sensor *s, const char *class, const char *name);
void gb_registration_sensor(gb_sensor *s); /* the sensor itself, and what it can do */

/* activity.c: what sensors of NWS register for start_activity. */
void gb_registration_abilities(gb_sensor *s);

/* Sends the samples in s->outbox to the memory s->memory_name. */
void gb_deliver_start(gb_sensor *s, const char *host, uint16_t port);
void gb_deliver_stop(gb_sensor *s);

/* session.c: sessions of clients. Takes over the listening socket. */
bool gb_sensor_sessions_start(gb_sensor *s, int file);
void gb_sensor_sessions_stop(gb_sensor *s);

/* A line on standard error, for the operator. */
__attribute__((format(printf, 1, 2))) void gb_sense_warn(const char *format, ...);

#endif
