/* This sensor's membership in a clique: the token, the experiments, the series. */
#ifndef GB_NWS_SENSE_SENSOR_CLIQUE_H
#define GB_NWS_SENSE_SENSOR_CLIQUE_H

#include "nws/sense/clique.h"
#include "nws/sense/peer_probe.h"
#include "nws/sense/sensor.h"

enum { GB_SENSOR_CLIQUES_MOST = 8 };

#define GB_HAND_OVER_MOST 5.0 /* s */

typedef struct gb_sensor_clique {
  struct gb_sensor_clique *next;
  gb_sensor *sensor;
  gb_token about; /* name, members, ...; its id is not used */
  gb_members members;
  struct sockaddr_in address[GB_CLIQUE_MOST];
  gb_clique clique;
  struct event *timer;

  gb_peer_probe probe;
  uint32_t measured; /* member that the probe measures */

  gb_tcp_connection connection; /* of a hand-over */
  gb_message_codec codec;
  bool answered;                /* `clique` knows how the hand-over ended */
  bool strange[GB_CLIQUE_MOST]; /* members that refuse tokens, as was reported */
} gb_sensor_clique;

/* `name` has at most GB_CLIQUE_NAME_MOST bytes. This sensor is added when it is not among the members. Waits
 * for the resolver. NULL, with *err. */
gb_sensor_clique *gb_sensor_clique_join(gb_sensor *s, const char *name, const gb_members *members,
                                        double period, gbcast_error *err);
/* False: this sensor is in no such clique. */
bool gb_sensor_clique_leave(gb_sensor *s, gb_view name);
void gb_sensor_cliques_stop(gb_sensor *s);

/* A token is offered. The answer has no members when this sensor is not in the clique, or knows other
 * members.
 */
void gb_sensor_clique_offered(gb_sensor *s, const gb_token *token, gb_token *answer);
void gb_sensor_clique_take(gb_sensor *s, const gb_token *token);

/* sensor_clique_turn.c: performs the next actions of `clique`. */
void gb_sensor_clique_act(gb_sensor_clique *c);

/* hand_over.c */
bool gb_hand_over_start(gb_sensor_clique *c, const gb_clique_action *action);

/* sensor_clique_store.c: stores the results of the probe. */
void gb_sensor_clique_store(gb_sensor_clique *c);

#endif
