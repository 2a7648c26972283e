/* A party that exchanges whole messages. */
#ifndef GB_NWS_SENSE_MESSAGE_CODEC_H
#define GB_NWS_SENSE_MESSAGE_CODEC_H

#include "nws/sense/handler.h"
#include "nws/wire/wire.h"

typedef struct gb_mail gb_mail;

/* A message has come: header and body. May put something in mail->out, set the party's deadline, end the
 * party or have another one go on. */
typedef void gb_mail_came(void *context, const unsigned char *bytes, size_t size);

struct gb_mail {
  gb_party party;
  gb_bytes in, out;
  size_t sent; /* bytes of out */
  size_t most; /* bytes of a message, and of what is not sent yet */
  bool last;   /* over, once all is sent */
  bool paused; /* nothing more is looked at: another party is going to take over */
  gb_mail_came *came;
  void *context;
};

/* Ends at a message of more than `most` bytes, and when whoever gets the answers does not read them. */
void gb_mail_start(gb_mail *m, size_t most, gb_mail_came *came, void *context, double deadline);
void gb_mail_release(gb_mail *m);

/* Appends a message without a body. */
void gb_mail_say(gb_mail *m, uint32_t number);

/* The number of a message. */
uint32_t gb_mail_number(const unsigned char *bytes);

#endif
