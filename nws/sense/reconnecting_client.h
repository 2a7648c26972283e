/* A client of one daemon that sends one request at a time and reconnects, after increasing pauses, whenever
 * the connection ends. */
#ifndef GB_NWS_SENSE_RECONNECTING_CLIENT_H
#define GB_NWS_SENSE_RECONNECTING_CLIENT_H

#include "nws/client/client.h"
#include "nws/sense/message_codec.h"
#include "nws/sense/tcp_connection.h"

typedef struct gb_reconnecting_client_calls {
  const char *what; /* the daemon, in messages */
  /* Appends the next request; false: there is none now. */
  bool (*next)(void *context, gb_bytes *out);
  /* The reply. False: it is invalid, or the daemon cannot answer now; the client reconnects. */
  bool (*reply)(void *context, const unsigned char *bytes, size_t size);
  /* The connection ended; a request without a reply is to be repeated. */
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
  bool asked, bad; /* a reply is awaited; the reply was invalid */
  bool silent;     /* no answer since that was reported */
  double pause;    /* s, before the next attempt */
} gb_reconnecting_client;

/* `host` outlives the client. False: no resources. */
bool gb_reconnecting_client_open(gb_reconnecting_client *l, struct event_base *base, const char *host,
                                 uint16_t port, const gb_reconnecting_client_calls *calls, void *context);
void gb_reconnecting_client_close(gb_reconnecting_client *l);

/* There may be a new request. */
void gb_reconnecting_client_wake(gb_reconnecting_client *l);

#endif
