/* This sensor's membership in a clique: the token, the experiments, the series. */
#ifndef GB_NWS_SENSE_SENSOR_CLIQUE_H
#define GB_NWS_SENSE_SENSOR_CLIQUE_H

#include "nws/sense/peer.h"
#include "nws/sense/sensor.h"

/* ---- What a clique is: its members with their names, its period, what they measure ---- */

typedef struct gb_clique_definition {
  gb_token token;                            /* all but its id */
  char name[GB_CLIQUE_MOST][GB_MEMBER_NAME]; /* of the members, machine:port; empty: not known */
} gb_clique_definition;

/* Sets the members and their names. This sensor is added when it is none of them. Waits for the resolver. */
int gb_clique_definition_read(gb_clique_definition *d, gb_sensor *s, const gb_members *members,
                              gbcast_error *err);

/* Index of this sensor; count: it is no member. */
uint32_t gb_clique_self(const gb_token *token, const gb_sensor *s);

/* Whether a sensor can be a member of this clique: 2 or more members, itself among them, a period within
 * bounds. */
bool gb_clique_sound(const gb_token *token, const gb_sensor *s);

/* The sizes of the experiments, from the options buffer, message and size, in kB. False: out of bounds. */
bool gb_clique_sizes(const gb_token *token, gb_experiment *out);

/* ---- A membership ---- */

/* Cliques that a sensor is in, and with those that ended, whose old tokens must not revive them. */
enum { GB_SENSOR_CLIQUES_MOST = 8, GB_SENSOR_CLIQUES_KNOWN = 16 };

#define GB_HAND_OVER_MOST 5.0 /* s */
#define GB_NAMING_MOST 5.0    /* s, to ask a member for its name: NWS's sensors ask their name server first */

typedef struct gb_sensor_clique {
  struct gb_sensor_clique *next;
  gb_sensor *sensor;
  gb_clique_definition is, told; /* as it goes round; as this sensor was started with */
  double told_at;                /* s since 1970; 0: it was not told of this clique */
  bool verbatim;                 /* series bear the names that it was told */
  bool over;                     /* it ended, and is kept for `ended` alone */
  gb_token_id ended;             /* tokens that are not newer do not start it again */
  gb_clique clique;
  gb_experiment sizes;
  bool measures;   /* its skill and options are those of this sensor */
  bool registered; /* by this sensor, as an activity */
  struct event *timer;

  gb_peer_probe probe;
  gb_peer_exchange exchange;
  uint32_t member; /* that the probe or the exchange is about */
  /* Of each member's name: told, as it is to be; said by itself; or it is to be asked for it. */
  enum gb_clique_naming { GB_NAME_TOLD, GB_NAME_SAID, GB_NAME_WANTED } naming[GB_CLIQUE_MOST];
  bool absent[GB_CLIQUE_MOST]; /* members that say they are not in it, as was reported */
} gb_sensor_clique;

/* Joins the clique `about` (all but its id and members). This sensor is added when it is not among the
 * members; waits for the resolver. With `defined` this is its newest definition, and series bear the names
 * under which the members register; otherwise a token that goes round already is followed if it says the
 * same, and series bear the names that are given here. NULL, with *err. */
gb_sensor_clique *gb_sensor_clique_join(gb_sensor *s, const gb_token *about, const gb_members *members,
                                        bool defined, gbcast_error *err);
/* Ends it at all of its members. False: this sensor is in no such clique. */
bool gb_sensor_clique_end(gb_sensor *s, gb_view name);
void gb_sensor_cliques_stop(gb_sensor *s);

/* NULL: none is known, not even one that is over. */
gb_sensor_clique *gb_sensor_clique_find(gb_sensor *s, gb_view name);
/* One that does nothing yet, or again. NULL: there are too many, or no resources. */
gb_sensor_clique *gb_sensor_clique_new(gb_sensor *s, const char *name);
/* Follows the definition in `token`, of which this sensor is a member. With `redefines` the token that goes
 * round from now on tells it to all members: the token `id`, which has come here, or a new one if NULL. */
void gb_sensor_clique_define(gb_sensor_clique *c, const gb_token *token, bool redefines,
                             const gb_token_id *id);
/* As this sensor was told it; empty: it was not. */
const char *gb_sensor_clique_told_name(const gb_sensor_clique *c, uint32_t member);
/* The member's name, or its address while that is not known. */
void gb_sensor_clique_label(const gb_sensor_clique *c, uint32_t member, char out[GB_MEMBER_NAME]);
void gb_sensor_clique_over(gb_sensor_clique *c, const gb_token_id *ended);

/* sensor_clique_turn.c: CLIQUE_TOKEN_FWD and CLIQUE_DIE have come. The answer to the former is the token,
 * but without members when this sensor is none of them. */
void gb_sensor_clique_offered(gb_sensor *s, const gb_token *token, gb_token *answer);
void gb_sensor_clique_told_to_end(gb_sensor *s, const gb_token *token);

/* Performs the next actions of the clique. */
void gb_sensor_clique_act(gb_sensor_clique *c);

/* Tells all members that the clique is over. */
void gb_sensor_clique_tell_end(gb_sensor_clique *c);
struct sockaddr_in gb_sensor_clique_address(const gb_sensor_clique *c, uint32_t member);

/* activity.c: registers the clique, or withdraws that; to be called when its token may have changed. */
void gb_sensor_clique_register(gb_sensor_clique *c);

/* Stores the results of the probe. */
void gb_sensor_clique_store(gb_sensor_clique *c);

#endif
