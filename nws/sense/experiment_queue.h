/* A queue that lets one experiment at a time run on this machine's links, the machine's own before those of
 * others. */
#ifndef GB_NWS_SENSE_EXPERIMENT_QUEUE_H
#define GB_NWS_SENSE_EXPERIMENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

enum { GB_EXPERIMENT_QUEUE_MOST = 16 }; /* waiting tickets */

typedef struct gb_ticket {
  struct gb_ticket *next;
  void (*go)(void *context); /* it may run now, until the ticket leaves */
  void *context;
} gb_ticket;

typedef struct gb_experiment_queue { /* starts as zeros */
  gb_ticket *running, *first;
} gb_experiment_queue;

/* False: the queue is full. May call `go` at once. */
bool gb_experiment_queue_enter(gb_experiment_queue *queue, gb_ticket *ticket, bool own);

/* For a ticket that waits, runs, or is not in the queue. */
void gb_experiment_queue_leave(gb_experiment_queue *queue, gb_ticket *ticket);

#endif
