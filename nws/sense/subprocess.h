/* Work that may end its process, hang or change what is global, in a child process that gives a number. */
#ifndef GB_NWS_SENSE_SUBPROCESS_H
#define GB_NWS_SENSE_SUBPROCESS_H

#include <event2/event.h>
#include <stdbool.h>
#include <sys/types.h>

typedef double gb_subprocess_work(const void *what);

/* Called from the event loop: it is gone. Not `good`: it ended without a number, or took too long. */
typedef void gb_subprocess_ended(void *context, bool good, double result);

typedef struct gb_subprocess { /* starts as zeros: none */
  struct event *event;
  pid_t process; /* 0: none */
  int pipe;
  gb_subprocess_ended *ended;
  void *context;
} gb_subprocess;

/* The child is killed after `seconds`, whatever becomes of this process. It keeps no descriptor but a pipe
 * and the standard ones, which go nowhere. */
bool gb_subprocess_start(gb_subprocess *c, struct event_base *base, unsigned seconds,
                         gb_subprocess_work *work, const void *what, gb_subprocess_ended *ended,
                         void *context);

/* Kills it, without a word to `ended`. Nothing happens when there is none. */
void gb_subprocess_stop(gb_subprocess *c);

#endif
