/* What a clique is: its members with their names, its period, what they measure. */
#ifndef GB_NWS_SENSE_DEFINITION_H
#define GB_NWS_SENSE_DEFINITION_H

#include "nws/sense/experiment.h"
#include "nws/sense/sensor.h"

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

#endif
