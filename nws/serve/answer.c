/* What both daemons answer. */
#include "nws/serve/answer.h"

void gb_say_number(gb_session *s, uint32_t number) {
  gb_session_say(s, &(gb_nws_message){.number = number});
}

static void say_who(gb_session *s) {
  const gb_service *service = s->service;
  gb_nws_message m = {.number = GB_NWS_HOST_TEST_RESULT};
  memcpy(m.host.name, s->is_memory ? service->memory : service->name_server, sizeof m.host.name);
  memcpy(m.host.name_server, service->name_server, sizeof m.host.name_server);
  m.host.type = s->is_memory ? GB_NWS_MEMORY : GB_NWS_NAME_SERVER;
  m.host.healthy = true; /* the memory is always registered here */
  gb_session_say(s, &m);
}

bool gb_answer(gb_session *s, const gb_nws_message *request, double now) {
  switch (request->number) {
  case GB_NWS_HOST_TEST:
    say_who(s);
    return true;
  case GB_NWS_HOST_DIAGNOSTICS: /* there are no streams to switch on or off */
    gb_say_number(s, GB_NWS_HOST_DIAGNOSTICS_ACK);
    return true;
  case GB_NWS_HOST_DIE:      /* ended by a signal, not by whoever can connect */
  case GB_NWS_HOST_REGISTER: /* this memory and this name server stay together */
    gb_say_number(s, GB_NWS_HOST_REFUSED);
    return true;
  default:
    return s->is_memory ? gb_answer_memory(s, request, now) : gb_answer_name_server(s, request, now);
  }
}
