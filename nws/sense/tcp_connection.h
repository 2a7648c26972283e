/* Connections of a sensor: protocols as state machines without I/O, and what carries their bytes. */
#ifndef GB_NWS_SENSE_TCP_CONNECTION_H
#define GB_NWS_SENSE_TCP_CONNECTION_H

#include "nws/wire/wire.h"

#include <event2/event.h>
#include <netinet/in.h>

/* One end of a protocol, as a state machine without I/O. Input: received bytes, the end of the connection,
 * the time. Output: bytes to send, a deadline. The first member of each state machine that implements it.
 * Times are seconds of the monotonic clock. */
typedef struct gb_handler gb_handler;

typedef struct gb_handler_calls {
  /* Bytes to send next; 0: none now. Called right before they are sent, first when connecting has succeeded
   * or failed. */
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

/* ---- A handler that exchanges whole messages ---- */

typedef struct gb_message_codec gb_message_codec;

/* A message has arrived. May append to codec->out, set the handler's deadline, end the handler or switch the
 * connection to another one. */
typedef void gb_message_received(void *context, const gb_nws_message *message);

struct gb_message_codec {
  gb_handler handler;
  gb_bytes in, out;
  size_t most;         /* bytes of a message, and of pending output */
  bool last;           /* over, once all is sent */
  bool paused;         /* no further message is read: another handler will take over */
  uint32_t unreadable; /* number of the message that ended it because its body is none; 0: none did */
  gb_message_received *on_message;
  void *context;
};

/* Ends at what is no message, at one of more than `most` bytes, and when more than that is pending. */
void gb_message_codec_start(gb_message_codec *m, size_t most, gb_message_received *on_message, void *context,
                            double deadline);
void gb_message_codec_release(gb_message_codec *m);

/* Appends a message without a body. */
void gb_message_codec_send(gb_message_codec *m, uint32_t number);

/* ---- A TCP connection of a handler ---- */

/* The handler is over and the connection closed. Called from the event loop, never from a function below; the
 * gb_tcp_connection may be used again, or freed. */
typedef void gb_tcp_connection_ended(void *context);

typedef struct gb_tcp_connection { /* starts as zeros, not open */
  struct event *event[2];          /* readable, which also keeps the deadline, and writable */
  gb_handler *handler;
  gb_tcp_connection_ended *ended;
  void *context;
  int file;
  bool open, connecting;
} gb_tcp_connection;

/* Adds the event with this timeout; INFINITY: none. */
int gb_event_wait(struct event *event, double seconds);

/* `buffer`: bytes of the socket buffers; 0: the system's default. False, with nothing open: no resources. A
 * connection that fails later ends the handler. */
bool gb_tcp_connection_connect(gb_tcp_connection *c, struct event_base *base, const struct sockaddr_in *to,
                               int buffer, gb_handler *handler, gb_tcp_connection_ended *ended,
                               void *context);
/* Takes over a connected socket, which does not block, also when it fails. */
bool gb_tcp_connection_adopt(gb_tcp_connection *c, struct event_base *base, int file, gb_handler *handler,
                             gb_tcp_connection_ended *ended, void *context);

/* Continues with another handler; may be called by the present one. */
void gb_tcp_connection_switch(gb_tcp_connection *c, gb_handler *handler, int buffer);

/* The handler has new output, or a new deadline. */
void gb_tcp_connection_wake(gb_tcp_connection *c);

/* Closes without calling the handler or `ended`. Does nothing when not open. */
void gb_tcp_connection_close(gb_tcp_connection *c);

#endif
