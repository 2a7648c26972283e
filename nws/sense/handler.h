/* One end of a protocol, as a state machine without I/O. Input: received bytes, the end of the connection,
 * the time. Output: bytes to send, a deadline. The first member of each state machine that implements it.
 * Times are seconds of the monotonic clock. */
#ifndef GB_NWS_SENSE_HANDLER_H
#define GB_NWS_SENSE_HANDLER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gb_handler gb_handler;

typedef struct gb_handler_calls {
  /* Bytes to send next; 0: none now. Called on an open connection, right before they are sent. */
  size_t (*output)(gb_handler *self, double now, const unsigned char **bytes);
  /* `size` of these bytes have been sent. */
  void (*sent)(gb_handler *self, size_t size, double now);
  void (*received)(gb_handler *self, const unsigned char *bytes, size_t size, double now);
  /* The connection ended; `clean`: the other end closed it. Not called once `over`. */
  void (*closed)(gb_handler *self, bool clean, double now);
} gb_handler_calls;

struct gb_handler {
  const gb_handler_calls *calls;
  double deadline; /* after which `closed` is called; INFINITY: none */
  bool over;       /* the connection is to be closed */
};

#endif
