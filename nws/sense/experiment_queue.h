/* One experiment at a time on this machine's links: whoever wants one waits for its turn, its own before
 * those of others. */
#ifndef GB_NWS_SENSE_EXPERIMENT_QUEUE_H
#define GB_NWS_SENSE_EXPERIMENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

enum { GB_EXPERIMENT_QUEUE_MOST = 16 }; /* that wait */

typedef struct gb_ticket {
  struct gb_ticket *next;
  void (*go)(void *context); /* its turn has come; it lasts until the ticket leaves */
  void *context;
} gb_ticket;

typedef struct gb_experiment_queue { /* starts as zeros */
  gb_ticket *running, *first;
} gb_experiment_queue;

/* False: too many wait. May call `go` at once. */
bool gb_experiment_queue_enter(gb_experiment_queue *queue, gb_ticket *ticket, bool own);

/* Whether it waits, runs, or is in no lane. */
void gb_experiment_queue_leave(gb_experiment_queue *queue, gb_ticket *ticket);

#endif
