#include "nws/client/request_queue.h"

enum { ROUNDS_MOST = 1000 }; /* somebody may register as fast as this unregisters */

static void replied(void *context, const gb_nws_message *reply, const char *why);

static bool ask(gb_unregister *u, uint32_t number) {
  gb_nws_message m = {.number = number, .text = gb_view_of(u->filter)};
  return gb_client_ask(u->client, &u->name_server, &m, replied, u);
}

static void replied(void *context, const gb_nws_message *reply, const char *why) {
  gb_unregister *u = context;
  bool found = reply != NULL && reply->number == GB_NWS_NS_SEARCHED && reply->text.length > 0;
  bool unregistered = reply != NULL && reply->number == GB_NWS_NS_UNREGISTERED;
  if (found && ++u->rounds == ROUNDS_MOST) {
    u->answer(u->context, NULL, "the name server lists what was unregistered, again and again");
    return;
  }
  if (!found && !unregistered)
    u->answer(u->context, reply, why);
  else if (!ask(u, found ? GB_NWS_NS_UNREGISTER : GB_NWS_NS_SEARCH))
    u->answer(u->context, NULL, "out of memory");
}

bool gb_unregister_begin(gb_unregister *u) {
  u->rounds = 0;
  return ask(u, GB_NWS_NS_UNREGISTER);
}
