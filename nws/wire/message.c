/* Header and body of a message: which number has which body. */
#include "nws/wire/message.h"

#include "nws/wire/body.h"

typedef struct body_codec {
  uint32_t number;
  gb_nws_put_body *put; /* NULL: no body */
  gb_nws_get_body *get;
} body_codec;

static const body_codec body_codecs[] = {
    {GB_NWS_STORE_STATE, gb_nws_put_state, gb_nws_get_state},
    {GB_NWS_STATE_STORED, NULL, NULL},
    {GB_NWS_FETCH_STATE, gb_nws_put_query, gb_nws_get_query},
    {GB_NWS_STATE_FETCHED, gb_nws_put_state, gb_nws_get_state},
    {GB_NWS_AUTOFETCH_BEGIN, gb_nws_put_text, gb_nws_get_text},
    {GB_NWS_AUTOFETCH_ACK, NULL, NULL},
    {GB_NWS_MEMORY_CLEAN, gb_nws_put_word, gb_nws_get_word},
    {GB_NWS_MEMORY_CLEANED, NULL, NULL},
    {GB_NWS_MEMORY_FAILED, NULL, NULL},
    {GB_NWS_HOST_TEST, NULL, NULL},
    {GB_NWS_HOST_TEST_RESULT, gb_nws_put_host, gb_nws_get_host},
    {GB_NWS_HOST_DIAGNOSTICS, gb_nws_put_word, gb_nws_get_word},
    {GB_NWS_HOST_DIAGNOSTICS_ACK, NULL, NULL},
    {GB_NWS_HOST_DIE, gb_nws_put_password, gb_nws_get_text},
    {GB_NWS_HOST_DYING, NULL, NULL},
    {GB_NWS_HOST_REGISTER, gb_nws_put_text, gb_nws_get_text},
    {GB_NWS_HOST_REGISTERED, NULL, NULL},
    {GB_NWS_HOST_REFUSED, NULL, NULL},
    {GB_NWS_HOST_FAILED, NULL, NULL},
    {GB_NWS_TCP_HANDSHAKE, gb_nws_put_handshake, gb_nws_get_handshake},
    {GB_NWS_FORE_DATA, gb_nws_put_fore_data, gb_nws_get_fore_data},
    {GB_NWS_FORE_FORECAST, gb_nws_put_forecast, gb_nws_get_forecast},
    {GB_NWS_FORE_SERIES, gb_nws_put_fore_series, gb_nws_get_fore_series},
    {GB_NWS_METHODS_ASK, NULL, NULL},
    {GB_NWS_METHODS_TELL, gb_nws_put_text, gb_nws_get_text},
    {GB_NWS_FORE_FAIL, NULL, NULL},
    {GB_NWS_ACTIVITY_START, gb_nws_put_activity, gb_nws_get_activity},
    {GB_NWS_ACTIVITY_STARTED, NULL, NULL},
    {GB_NWS_ACTIVITY_STOP, gb_nws_put_text, gb_nws_get_text},
    {GB_NWS_ACTIVITY_STOPPED, NULL, NULL},
    {GB_NWS_SENSOR_FAILED, NULL, NULL},
    {GB_NWS_NS_REGISTER, gb_nws_put_registration, gb_nws_get_registration},
    {GB_NWS_NS_REGISTERED, NULL, NULL},
    {GB_NWS_NS_SEARCH, gb_nws_put_text, gb_nws_get_text},
    {GB_NWS_NS_SEARCHED, gb_nws_put_text, gb_nws_get_text},
    {GB_NWS_NS_UNREGISTER, gb_nws_put_text, gb_nws_get_text},
    {GB_NWS_NS_UNREGISTERED, NULL, NULL},
    {GB_NWS_NS_FAILED, NULL, NULL},
    {GB_NWS_TCP_BW_REQ, gb_nws_put_experiment, gb_nws_get_experiment},
};

static const body_codec *body_codec_of(uint32_t number) {
  for (size_t i = 0; i < sizeof body_codecs / sizeof *body_codecs; i++)
    if (body_codecs[i].number == number)
      return &body_codecs[i];
  return NULL;
}

void gb_nws_put_header(gb_bytes *out, uint32_t number, uint32_t size) {
  gb_put_u32(out, GB_NWS_VERSION);
  gb_put_u32(out, number);
  gb_put_u32(out, size);
}

void gb_nws_encode(gb_bytes *out, const gb_nws_message *message) {
  const body_codec *codec = body_codec_of(message->number);
  size_t start = out->size;
  gb_nws_put_header(out, message->number, 0);
  if (codec != NULL && codec->put != NULL)
    codec->put(out, message);
  if (codec == NULL || out->failed || out->size - start - GB_NWS_HEADER_BYTES > UINT32_MAX) {
    out->failed = true;
    return;
  }
  uint32_t size = (uint32_t)(out->size - start - GB_NWS_HEADER_BYTES);
  if (message->number == GB_NWS_FORE_FORECAST) /* which says so whatever follows */
    size = 0;
  gb_set_u32(out->data + start + 8, size);
}

bool gb_nws_decode(const unsigned char *bytes, size_t size, gb_nws_message *out) {
  gb_reader in = {.at = bytes, .left = size};
  *out = (gb_nws_message){0};
  (void)gb_get_u32(&in); /* the version, which no receiver looks at */
  out->number = gb_get_u32(&in);
  uint32_t body = gb_get_u32(&in);
  const body_codec *codec = body_codec_of(out->number);
  if (codec == NULL || in.bad || (body != in.left && out->number != GB_NWS_FORE_FORECAST))
    return false;
  if (codec->get != NULL)
    codec->get(&in, out);
  return !in.bad && in.left == 0;
}
