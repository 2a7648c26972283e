/* The state of a sensor. */
#ifndef GB_NWS_SENSE_SENSOR_H
#define GB_NWS_SENSE_SENSOR_H

#include "nws/client/client.h"
#include "nws/sense/experiment_queue.h"
#include "nws/sense/members.h"
#include "nws/sense/outbox.h"
#include "nws/sense/reconnecting_client.h"
#include "nws/sense/renewals.h"
#include "nws/sense/warn.h"
#include "nws/wire/wire.h"

struct gb_sensor_session;
struct gb_sensor_clique;

typedef struct gb_sensor {
  struct event_base *base;
  struct event *listening, *retry; /* retry: accepts again after descriptors ran out */
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

/* deliver.c: sends the samples in s->outbox to the memory s->memory_name. */
void gb_deliver_start(gb_sensor *s, const char *host, uint16_t port);
void gb_deliver_stop(gb_sensor *s);

/* session.c: sessions of clients. Takes over the listening socket. */
bool gb_sensor_sessions_start(gb_sensor *s, int file);
void gb_sensor_sessions_stop(gb_sensor *s);

#endif
