/* Bodies of messages. One description of each serves both to write and to read it. */
#ifndef GB_NWS_WIRE_BODY_H
#define GB_NWS_WIRE_BODY_H

#include "nws/wire/message.h"

typedef struct gb_nws_body {
  gb_bytes *out; /* NULL: it is read */
  gb_reader in;
} gb_nws_body;

/* Appends the body of m->number to b->out, or reads it from b->in into *m, and leaves unread what is no part
 * of it. b->out->failed or b->in.bad: it is invalid. False: there is no such number. */
bool gb_nws_body_pass(gb_nws_body *b, gb_nws_message *m);

#endif
