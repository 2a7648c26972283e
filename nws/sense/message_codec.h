/* A handler that exchanges whole messages. */
#ifndef GB_NWS_SENSE_MESSAGE_CODEC_H
#define GB_NWS_SENSE_MESSAGE_CODEC_H

#include "nws/sense/handler.h"
#include "nws/wire/wire.h"

typedef struct gb_message_codec gb_message_codec;

/* A message has arrived: header and body. May append to codec->out, set the handler's deadline, end the
 * handler or switch the connection to another one. */
typedef void gb_message_received(void *context, const unsigned char *bytes, size_t size);

struct gb_message_codec {
  gb_handler handler;
  gb_bytes in, out;
  size_t sent; /* bytes of out */
  size_t most; /* bytes of a message, and of pending output */
  bool last;   /* over, once all is sent */
  bool paused; /* no further message is read: another handler will take over */
  gb_message_received *on_message;
  void *context;
};

/* Ends at a message of more than `most` bytes, and when more than that is pending. */
void gb_message_codec_start(gb_message_codec *m, size_t most, gb_message_received *on_message, void *context,
                            double deadline);
void gb_message_codec_release(gb_message_codec *m);

/* Appends a message without a body. */
void gb_message_codec_send(gb_message_codec *m, uint32_t number);

#endif
