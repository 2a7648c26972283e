/* A connection to a daemon for one request and reply after the other, made anew whenever it goes, after
 * pauses that grow. */
#ifndef GB_NWS_SENSE_RECONNECTING_CLIENT_H
#define GB_NWS_SENSE_RECONNECTING_CLIENT_H

#include "nws/client/client.h"
#include "nws/sense/message_codec.h"
#include "nws/sense/tcp_connection.h"

typedef struct gb_line_calls {
  const char *what; /* the daemon, in messages */
  /* Appends the next request; false: there is none now. */
  bool (*next)(void *context, gb_bytes *out);
  /* The reply to it. False: it makes no sense, or the daemon cannot do it now: the connection is made anew.
   */
  bool (*reply)(void *context, const unsigned char *bytes, size_t size);
  /* The connection went; a request without reply is to be repeated. */
  void (*lost)(void *context);
} gb_line_calls;

typedef struct gb_line { /* starts as zeros, not open */
  const gb_line_calls *calls;
  void *context;
  struct event_base *base;
  struct event *retry;
  gb_resolver *resolver; /* while the address is looked up */
  gb_channel channel;
  gb_mail mail;
  const char *host;
  uint16_t port;
  bool asked, bad; /* a reply is awaited; it was none */
  bool silent;     /* it has not answered since that was told */
  double pause;    /* s, before the next attempt */
} gb_line;

/* `host` outlives the line. False: no resources. */
bool gb_line_open(gb_line *l, struct event_base *base, const char *host, uint16_t port,
                  const gb_line_calls *calls, void *context);
void gb_line_close(gb_line *l);

/* There may be something to ask. */
void gb_line_poke(gb_line *l);

#endif
