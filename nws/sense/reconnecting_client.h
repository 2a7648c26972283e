/* A connection to a daemon for one request and reply after the other, made anew whenever it goes, after
 * pauses that grow. */
#ifndef GB_NWS_SENSE_RECONNECTING_CLIENT_H
#define GB_NWS_SENSE_RECONNECTING_CLIENT_H

#include "nws/client/client.h"
#include "nws/sense/message_codec.h"
#include "nws/sense/tcp_connection.h"

typedef struct gb_reconnecting_client_calls {
  const char *what; /* the daemon, in messages */
  /* Appends the next request; false: there is none now. */
  bool (*next)(void *context, gb_bytes *out);
  /* The reply to it. False: it makes no sense, or the daemon cannot do it now: the connection is made anew.
   */
  bool (*reply)(void *context, const unsigned char *bytes, size_t size);
  /* The connection went; a request without reply is to be repeated. */
  void (*lost)(void *context);
} gb_reconnecting_client_calls;

typedef struct gb_reconnecting_client { /* starts as zeros, not open */
  const gb_reconnecting_client_calls *calls;
  void *context;
  struct event_base *base;
  struct event *retry;
  gb_resolver *resolver; /* while the address is looked up */
  gb_tcp_connection connection;
  gb_message_codec codec;
  const char *host;
  uint16_t port;
  bool asked, bad; /* a reply is awaited; it was none */
  bool silent;     /* it has not answered since that was told */
  double pause;    /* s, before the next attempt */
} gb_reconnecting_client;

/* `host` outlives the line. False: no resources. */
bool gb_reconnecting_client_open(gb_reconnecting_client *l, struct event_base *base, const char *host,
                                 uint16_t port, const gb_reconnecting_client_calls *calls, void *context);
void gb_reconnecting_client_close(gb_reconnecting_client *l);

/* There may be something to ask. */
void gb_reconnecting_client_wake(gb_reconnecting_client *l);

#endif
