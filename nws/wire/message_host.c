/* Bodies of messages of all hosts, and between sensors. */
#include "nws/wire/body.h"

void gb_nws_put_host(gb_bytes *out, const gb_nws_message *m) {
  gb_put_field(out, m->host.name, sizeof m->host.name);
  gb_put_u32(out, m->host.type);
  gb_put_field(out, m->host.name_server, sizeof m->host.name_server);
  gb_put_u32(out, m->host.healthy);
}

void gb_nws_get_host(gb_reader *in, gb_nws_message *m) {
  gb_get_field(in, sizeof m->host.name, m->host.name);
  m->host.type = gb_get_u32(in);
  gb_get_field(in, sizeof m->host.name_server, m->host.name_server);
  m->host.healthy = gb_get_u32(in) != 0;
}

void gb_nws_put_handshake(gb_bytes *out, const gb_nws_message *m) {
  gb_put_u32(out, m->handshake.address);
  gb_put_u16(out, m->handshake.port);
}

void gb_nws_get_handshake(gb_reader *in, gb_nws_message *m) {
  m->handshake.address = gb_get_u32(in);
  m->handshake.port = gb_get_u16(in);
}

void gb_nws_put_experiment(gb_bytes *out, const gb_nws_message *m) {
  gb_put_u32(out, m->experiment.experiment);
  gb_put_u32(out, m->experiment.buffer);
  gb_put_u32(out, m->experiment.message);
}

void gb_nws_get_experiment(gb_reader *in, gb_nws_message *m) {
  m->experiment.experiment = gb_get_u32(in);
  m->experiment.buffer = gb_get_u32(in);
  m->experiment.message = gb_get_u32(in);
}

void gb_nws_put_word(gb_bytes *out, const gb_nws_message *m) {
  gb_put_u32(out, m->word);
}

void gb_nws_get_word(gb_reader *in, gb_nws_message *m) {
  m->word = gb_get_u32(in);
}
