/* The command line of gbcast-nws sense. */
#ifndef GB_NWS_SENSE_OPTIONS_H
#define GB_NWS_SENSE_OPTIONS_H

#include "nws/client/address.h"
#include "nws/sense/members.h"

typedef struct gb_sense_options {
  bool has_port;
  uint16_t port;                    /* 0: the system chooses */
  const char *name_server, *memory; /* as they were said; NULL: they were not */
  const char *clique;               /* NULL: none */
  gb_members members;
  double period; /* s */
  bool iperf;
} gb_sense_options;

/* Ends the process for --help and wrong usage. */
void gb_sense_options_read(int argc, char **argv, gb_sense_options *out);

/* What a period may be. False, with a reason. */
bool gb_sense_period_read(gb_text text, double *out, const char **why);

#endif
