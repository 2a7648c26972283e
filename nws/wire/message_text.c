/* Bodies that are strings. NWS ends them with a NUL and reads them up to the first; a missing NUL is
 * accepted. */
#include "nws/wire/body.h"

static gb_view before_nul(gb_view text) {
  const char *nul = text.length > 0 ? memchr(text.at, '\0', text.length) : NULL;
  return nul != NULL ? (gb_view){text.at, (size_t)(nul - text.at)} : text;
}

static void put_string(gb_bytes *out, gb_view text) {
  text = before_nul(text);
  gb_put(out, text.at, text.length);
  gb_put(out, "", 1);
}

void gb_nws_put_text(gb_bytes *out, const gb_nws_message *m) {
  put_string(out, m->text);
}

void gb_nws_put_password(gb_bytes *out, const gb_nws_message *m) {
  if (before_nul(m->text).length > 0)
    put_string(out, m->text);
}

void gb_nws_get_text(gb_reader *in, gb_nws_message *m) {
  m->text = before_nul(gb_get_rest(in));
}

void gb_nws_put_activity(gb_bytes *out, const gb_nws_message *m) {
  put_string(out, m->activity.name);
  put_string(out, m->activity.control);
  put_string(out, m->activity.skill);
  put_string(out, m->activity.options);
}

static gb_view get_string(gb_reader *in) {
  gb_reader rest = *in;
  gb_view text = before_nul(gb_get_rest(&rest));
  (void)gb_get(in, text.length + 1); /* bad when there is no NUL */
  return text;
}

void gb_nws_get_activity(gb_reader *in, gb_nws_message *m) {
  m->activity.name = get_string(in);
  m->activity.control = get_string(in);
  m->activity.skill = get_string(in);
  m->activity.options = before_nul(gb_get_rest(in));
}

/* The object alone has no NUL on the wire. */
void gb_nws_put_registration(gb_bytes *out, const gb_nws_message *m) {
  gb_view object = before_nul(m->registration.object);
  gb_put(out, object.at, object.length);
  gb_put_u32(out, m->registration.seconds);
}

void gb_nws_get_registration(gb_reader *in, gb_nws_message *m) {
  size_t length = in->left < sizeof m->registration.seconds ? 0 : in->left - sizeof m->registration.seconds;
  m->registration.object = before_nul((gb_view){(const char *)gb_get(in, length), length});
  m->registration.seconds = gb_get_u32(in);
}
