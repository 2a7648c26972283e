/* A clique that this sensor is in: its token, its experiments, its series. */
#ifndef GB_NWS_SENSE_SENSOR_CLIQUE_H
#define GB_NWS_SENSE_SENSOR_CLIQUE_H

#include "nws/sense/clique.h"
#include "nws/sense/peer_probe.h"
#include "nws/sense/sensor.h"

enum { GB_CIRCLES_MOST = 8 };

#define GB_HAND_OVER_MOST 5.0 /* s */

typedef struct gb_circle {
  struct gb_circle *next;
  gb_sensor *sensor;
  gb_token about; /* name, members, ...; its id is not used */
  gb_members members;
  struct sockaddr_in address[GB_CLIQUE_MOST];
  gb_clique clique;
  struct event *timer;

  gb_trial trial;
  uint32_t measured; /* whom the trial is with */

  gb_channel channel; /* of a hand-over */
  gb_mail mail;
  bool answered;                /* the clique has been told how it ended */
  bool strange[GB_CLIQUE_MOST]; /* who takes no token, as was reported */
} gb_circle;

/* `name` has at most GB_CLIQUE_NAME_MOST bytes. This sensor is added when it is not among the members. Waits
 * for the resolver. NULL: told in *err. */
gb_circle *gb_circle_join(gb_sensor *s, const char *name, const gb_members *members, double period,
                          gbcast_error *err);
/* False: this sensor is in no such clique. */
bool gb_circle_leave(gb_sensor *s, gb_text name);
void gb_circles_stop(gb_sensor *s);

/* A token is offered. The answer has no members when this sensor is not in the clique, or knows other
 * members.
 */
void gb_circle_offered(gb_sensor *s, const gb_token *token, gb_token *answer);
void gb_circle_take(gb_sensor *s, const gb_token *token);

/* circle_turn.c: does what the clique wants done. */
void gb_circle_act(gb_circle *c);

/* hand_over.c */
bool gb_hand_over_start(gb_circle *c, const gb_clique_action *action);

/* circle_store.c: what the trial has found. */
void gb_circle_store(gb_circle *c);

#endif
