/* The series of gbcast-nws show: a survey now and then, and subscriptions in between. */
#ifndef GB_NWS_COMMANDS_SHOW_FEED_H
#define GB_NWS_COMMANDS_SHOW_FEED_H

#include "nws/client/client.h"

typedef struct gb_show_feed {
  gb_survey survey;
  gb_follow *follow; /* one for each memory */
  uint32_t count;
  gb_socket *socket; /* that of the survey, then theirs */
  double surveyed;   /* gb_clock_now() of the last survey */
} gb_show_feed;

/* False: out of memory. */
bool gb_show_feed_init(gb_show_feed *f, const gb_nws_address *name_server, uint16_t memory_port);
void gb_show_feed_release(gb_show_feed *f);

/* A survey, to its end. False: the name server does not answer; f->survey.trouble says why. */
bool gb_show_feed_survey(gb_show_feed *f);

/* Keeps the series up to date for so many seconds. False: out of memory. */
bool gb_show_feed_wait(gb_show_feed *f, double seconds);

#endif
