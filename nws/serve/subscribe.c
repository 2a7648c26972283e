/* Autofetch. A series is pushed to subscribers that named it exactly; NWS 2.0.5 also pushes series whose name
 * is a substring of the list. */
#include "nws/serve/answer.h"

#include <stdlib.h>

#define NAMES_MOST 20000u     /* of a subscription; as many series as serve keeps */
#define NAME_COST 2000u       /* of sorting it among as many */
#define SUBSCRIBER_COST 5000u /* to look for a name among those of a subscription */

static int by_text(const void *a, const void *b) {
  const gb_view *x = a, *y = b;
  return gb_view_compare(*x, *y);
}

void gb_unsubscribe(gb_session *s) {
  struct gb_subscription *own = &s->subscription;
  if (own->count > 0) {
    if (own->before != NULL)
      own->before->subscription.after = own->after;
    else
      s->service->subscribers = own->after;
    if (own->after != NULL)
      own->after->subscription.before = own->before;
  }
  free(own->text);
  free(own->name);
  *own = (struct gb_subscription){0};
}

/* The names that TABs separate; without `name` counts them only. */
static size_t split(gb_view list, gb_view *name) {
  size_t count = 0;
  while (list.length > 0) {
    gb_view next = gb_view_before(list, '\t', &list);
    if (next.length > 0 && name != NULL)
      name[count] = next;
    count += next.length > 0;
  }
  return count;
}

bool gb_subscribe(gb_session *s, gb_view names) {
  size_t count = split(names, NULL);
  if (count == 0) {
    gb_unsubscribe(s);
    return true;
  }
  if (count > NAMES_MOST)
    return false;
  s->service->spent += NAME_COST * count;
  char *text = malloc(names.length);
  gb_view *name = malloc(count * sizeof *name);
  if (text == NULL || name == NULL) {
    free(text);
    free(name);
    return false;
  }
  memcpy(text, names.at, names.length);
  (void)split((gb_view){text, names.length}, name);
  qsort(name, count, sizeof *name, by_text);
  gb_unsubscribe(s);
  gb_session *first = s->service->subscribers;
  s->subscription =
      (struct gb_subscription){text, name, count, names.length + count * sizeof *name, NULL, first};
  if (first != NULL)
    first->subscription.before = s;
  s->service->subscribers = s;
  return true;
}

static bool wants(const gb_session *s, gb_view id) {
  const struct gb_subscription *own = &s->subscription;
  return bsearch(&id, own->name, own->count, sizeof id, by_text) != NULL;
}

void gb_push(gb_service *service, const gb_nws_state *state) {
  gb_nws_message m = {.number = GB_NWS_STATE_FETCHED, .state = *state};
  gb_view id = gb_view_of(state->id);
  for (gb_session *s = service->subscribers; s != NULL; s = s->subscription.after) {
    service->spent += SUBSCRIBER_COST;
    if (s->closing || !wants(s, id))
      continue;
    gb_session_say(s, &m);
    service->spent += GB_BYTE_COST * state->records.length;
    if (gb_session_output(s).length > GB_SESSION_PUSH_MOST)
      s->closing = true;
  }
}
