/* A sensor of the Network Weather Service: measures round trips and bandwidths to other sensors, answers
 * theirs, and stores and registers the results. */
#ifndef GB_NWS_SENSE_SENSE_H
#define GB_NWS_SENSE_SENSE_H

#include "nws/sense/clique.h"

typedef struct gb_sense_options {
  uint16_t port; /* 0: the system chooses */
  gb_nws_address name_server, memory;
  bool has_memory;    /* else the first that is registered */
  const char *clique; /* NULL: none */
  gb_members members;
  double period; /* s */
  bool iperf;
} gb_sense_options;

/* s, of a clique */
#define GB_PERIOD_LEAST 0.1
#define GB_PERIOD_MOST 86400.0

/* Runs a sensor until SIGINT or SIGTERM. False after a message on standard error: it cannot run. */
bool gb_sense(const gb_sense_options *options);

/* Reads a period in seconds. False, with a reason. */
bool gb_sense_period_read(gb_view text, double *out, const char **why);

#endif
