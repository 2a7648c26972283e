/* Codecs of message bodies: put appends a body, get reads one, and sets in->bad when it is invalid. Bytes
 * that get leaves unread are not part of the body. */
#ifndef GB_NWS_WIRE_BODY_H
#define GB_NWS_WIRE_BODY_H

#include "nws/wire/message.h"

typedef void gb_nws_put_body(gb_bytes *out, const gb_nws_message *message);
typedef void gb_nws_get_body(gb_reader *in, gb_nws_message *message);

gb_nws_put_body gb_nws_put_query, gb_nws_put_state, gb_nws_put_fore_data, gb_nws_put_forecast,
    gb_nws_put_fore_series, gb_nws_put_host, gb_nws_put_handshake, gb_nws_put_experiment, gb_nws_put_word,
    gb_nws_put_text, gb_nws_put_password, gb_nws_put_activity, gb_nws_put_registration;
gb_nws_get_body gb_nws_get_query, gb_nws_get_state, gb_nws_get_fore_data, gb_nws_get_forecast,
    gb_nws_get_fore_series, gb_nws_get_host, gb_nws_get_handshake, gb_nws_get_experiment, gb_nws_get_word,
    gb_nws_get_text, gb_nws_get_activity, gb_nws_get_registration;

#endif
