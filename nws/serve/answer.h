/* What is said to each request. */
#ifndef GB_NWS_SERVE_ANSWER_H
#define GB_NWS_SERVE_ANSWER_H

#include "nws/serve/session.h"

/* False: no request of this daemon, which ends the session without a word. */
bool gb_answer(gb_session *s, const gb_nws_message *request, double now);

/* Requests that only the one or the other daemon answers; false: none of them. */
bool gb_answer_name_server(gb_session *s, const gb_nws_message *request, double now);
bool gb_answer_memory(gb_session *s, const gb_nws_message *request, double now);

/* Searches and unregistrations look at a part of the objects at each turn, as a filter can be long and the
 * objects many; from the first turn on in which there is room for what they may find. */
void gb_search_begin(gb_session *s, gb_text filter, bool unregister);
size_t gb_search_room(const gb_session *s); /* bytes; 0: not now */
void gb_search_step(gb_session *s, double now);

/* Autofetch: `names` are separated by TABs; an empty list ends the subscription. False: out of memory, and
 * nothing has changed. */
bool gb_subscribe(gb_session *s, gb_text names);
void gb_unsubscribe(gb_session *s);

/* Sends the state to all that have subscribed to its series. */
void gb_push(gb_service *service, const gb_nws_state *state);

/* Appends the number of a message without a body. */
void gb_say_number(gb_session *s, uint32_t number);

#endif
