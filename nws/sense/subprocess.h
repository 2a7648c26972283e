/* Runs in a child process what may exit, hang or change global state; the result is a number. */
#ifndef GB_NWS_SENSE_SUBPROCESS_H
#define GB_NWS_SENSE_SUBPROCESS_H

#include <event2/event.h>
#include <stdbool.h>
#include <sys/types.h>

typedef double gb_subprocess_work(const void *what);

/* Called from the event loop when the child has ended. Not `good`: without a result, or it took too long. */
typedef void gb_subprocess_ended(void *context, bool good, double result);

typedef struct gb_subprocess { /* starts as zeros: none */
  struct event *event;
  pid_t process; /* 0: none */
  int pipe;
  gb_subprocess_ended *ended;
  void *context;
} gb_subprocess;

/* The child is killed after `seconds`, even if this process ends first. It keeps only a pipe and the standard
 * descriptors, redirected to /dev/null. */
bool gb_subprocess_start(gb_subprocess *c, struct event_base *base, unsigned seconds,
                         gb_subprocess_work *work, const void *what, gb_subprocess_ended *ended,
                         void *context);

/* Kills the child without calling `ended`. Does nothing when there is none. */
void gb_subprocess_stop(gb_subprocess *c);

#endif
