/* One message to another sensor, and its answer. */
#ifndef GB_NWS_SENSE_PEER_EXCHANGE_H
#define GB_NWS_SENSE_PEER_EXCHANGE_H

#include "nws/sense/message_codec.h"
#include "nws/sense/tcp_connection.h"

enum { GB_PEER_EXCHANGE_ANSWER_MOST = 1024 }; /* bytes */

/* The message did not leave, so nobody can have read it; it left, and no answer came; the answer is here. */
enum gb_peer_exchange_result {
  GB_PEER_EXCHANGE_NOT_SENT,
  GB_PEER_EXCHANGE_UNANSWERED,
  GB_PEER_EXCHANGE_ANSWERED
};

typedef struct gb_peer_exchange { /* starts as zeros, not open */
  gb_tcp_connection connection;
  gb_message_codec codec;
  enum gb_peer_exchange_result result;
  unsigned char answer[GB_PEER_EXCHANGE_ANSWER_MOST]; /* header and body */
  size_t answer_size;
  void (*ended)(void *context);
  void *context;
} gb_peer_exchange;

/* Where the message is to be put, before gb_peer_exchange_start. */
gb_bytes *gb_peer_exchange_message(gb_peer_exchange *e);

/* Sends it, and ends with the answer, or right away when none is wanted, after `most` seconds at the latest.
 * Then `ended` is called, from the event loop; it may start the next exchange. False: no resources. */
bool gb_peer_exchange_start(gb_peer_exchange *e, struct event_base *base, const struct sockaddr_in *to,
                            double most, bool wants_answer, void (*ended)(void *context), void *context);

/* Does not call `ended`. Does nothing when no exchange runs. */
void gb_peer_exchange_stop(gb_peer_exchange *e);

#endif
