/* Answers to requests. */
#ifndef GB_NWS_SERVE_ANSWER_H
#define GB_NWS_SERVE_ANSWER_H

#include "nws/serve/session.h"

/* False: not a request to this daemon; the session ends without an answer. */
bool gb_answer(gb_session *s, const gb_nws_message *request, double now);

/* Requests to one of the two daemons. False: not one of them. */
bool gb_answer_name_server(gb_session *s, const gb_nws_message *request, double now);
bool gb_answer_memory(gb_session *s, const gb_nws_message *request, double now);

/* Searches and unregistrations look at some of the objects in each turn, and may pause in the middle of a
 * filter, as objects may be many and filters long. They start when there is room for all that they may find.
 */
void gb_session_search_begin(gb_session *s, gb_view filter, bool unregister);
size_t gb_session_search_room(const gb_session *s); /* bytes; 0: none now */
void gb_session_search_step(gb_session *s, double now);

/* Autofetch: `names` are separated by TABs; an empty list ends the subscription. False: more than 20000
 * names, or out of memory; nothing has changed. */
bool gb_subscribe(gb_session *s, gb_view names);
void gb_unsubscribe(gb_session *s);

/* Sends the state to all subscribers of its series. */
void gb_push(gb_service *service, const gb_nws_state *state);

/* Appends a message without a body. */
void gb_say_number(gb_session *s, uint32_t number);

#endif
