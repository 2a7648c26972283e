/* One end of a conversation over a connection, without I/O: what has come, ends and time go in; what to send
 * and a deadline come out. Embedded as the first member of the machines that implement it. Times are seconds
 * of a clock that never jumps. */
#ifndef GB_NWS_SENSE_HANDLER_H
#define GB_NWS_SENSE_HANDLER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gb_handler gb_handler;

typedef struct gb_handler_calls {
  /* What to send next; 0: nothing now. Called when the connection is there, right before it is sent. */
  size_t (*output)(gb_handler *self, double now, const unsigned char **bytes);
  /* So many of them are on their way. */
  void (*sent)(gb_handler *self, size_t size, double now);
  void (*received)(gb_handler *self, const unsigned char *bytes, size_t size, double now);
  /* The connection is gone; `clean`: the other end closed it, nothing failed. Not called once `over`. */
  void (*closed)(gb_handler *self, bool clean, double now);
} gb_handler_calls;

struct gb_handler {
  const gb_handler_calls *calls;
  double deadline; /* after which `lost` is called; INFINITY: none */
  bool over;       /* nothing more is sent or wanted: the connection is to be closed */
};

#endif
