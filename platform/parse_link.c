/* link and plogp lines. */
#include "platform/parse.h"

#include <math.h>
#include <string.h>

#define MOST_WINDOW (UINT64_C(1) << 53) /* bytes: a double has all whole ones up to here */

typedef struct pair {
  uint32_t from, to;
  gb_lexeme a, b;
  bool directed;
  uint32_t next; /* the word behind */
} pair;

/* Reads A B or A -> B; a plogp line may stop behind A, and `to` is then `from`. */
static int read_pair(gb_parser *q, bool alone, pair *r) {
  gb_source *s = &q->source;
  r->a = s->word[1];
  int status = gb_check_name(s, &r->a, "cluster");
  if (status != GBCAST_OK)
    return status;
  gb_place where = gb_lexeme_place(s, &r->a);
  status = gb_intern_cluster(q, r->a.text, r->a.length, &where, &r->from);
  r->next = 2;
  r->to = r->from;
  r->b = r->a;
  const gb_lexeme *second = &s->word[2];
  bool value = second->length > 0 && memchr(second->text, '=', second->length) != NULL;
  if (status != GBCAST_OK || (alone && (second->length == 0 || value)))
    return status;
  r->directed = gb_lexeme_is(second, "->");
  r->next = r->directed ? 3 : 2;
  r->b = s->word[r->next++];
  status = gb_check_name(s, &r->b, "cluster");
  if (status != GBCAST_OK)
    return status;
  where = gb_lexeme_place(s, &r->b);
  status = gb_intern_cluster(q, r->b.text, r->b.length, &where, &r->to);
  if (status == GBCAST_OK && r->from == r->to)
    return gb_expected(s, &r->b, "another cluster than at the other end");
  return status;
}

/* Fails if this was said before. `kind` distinguishes A B from A -> B, and measured sizes from each other. */
static int once(gb_parser *q, uint32_t from, uint32_t to, uint64_t kind, const gb_lexeme *found,
                const char *what) {
  char key[2 * sizeof from + sizeof kind];
  bool is_new = false;
  memcpy(key, &from, sizeof from);
  memcpy(key + sizeof from, &to, sizeof to);
  memcpy(key + sizeof from + sizeof to, &kind, sizeof kind);
  if (gb_names_add(&q->seen, &q->s->arena, key, sizeof key, &is_new) == GB_NONE)
    return gb_source_no_memory(&q->source);
  return is_new ? GBCAST_OK : gb_expected(&q->source, found, "%s only once for each direction", what);
}

static int add_link(gb_parser *q, const pair *r, gb_link link) {
  gb_raw_link *links = gb_grow(q->link, q->link_count, &q->link_capacity, sizeof *links);
  if (links == NULL)
    return gb_source_no_memory(&q->source);
  q->link = links;
  links[q->link_count++] = (gb_raw_link){link, r->directed};
  /* sizes are above 0 and below 2^63, so these two never meet one */
  return once(q, link.from, link.to, r->directed ? UINT64_MAX : 0, &r->b, "a link");
}

int gb_parse_link(gb_parser *q) {
  gb_source *s = &q->source;
  enum { LATENCY, BANDWIDTH, OVERHEAD, STREAM, WINDOW, INJECTION, EGRESS, COUNT };
  gb_attribute a[COUNT] = {[LATENCY] = {"latency", GB_TIME},
                           [BANDWIDTH] = {"bandwidth", GB_RATE},
                           [OVERHEAD] = {"overhead", GB_TIME_OR_ZERO, .number = -1},
                           [STREAM] = {"stream-bandwidth", GB_RATE, .number = INFINITY},
                           [WINDOW] = {"initial-window", GB_SIZE},
                           [INJECTION] = {"injection", GB_TIME, .number = -1},
                           [EGRESS] = {"egress", GB_EGRESS, .number = -1}};
  pair r = {0};
  int status = read_pair(q, false, &r);
  if (status == GBCAST_OK)
    status = gb_attributes(s, r.next, a, COUNT);
  if (status != GBCAST_OK)
    return status;
  if (!a[LATENCY].given || !a[BANDWIDTH].given)
    return gb_expected(s, &s->word[s->count], "%s= of the link", a[LATENCY].given ? "bandwidth" : "latency");
  gb_link link = {.from = r.from,
                  .to = r.to,
                  .latency = a[LATENCY].number,
                  .bandwidth = a[BANDWIDTH].number,
                  .overhead = a[OVERHEAD].number, /* -1 until the notes are made */
                  .stream_bandwidth = a[STREAM].number,
                  .initial_window = !a[WINDOW].given                ? INFINITY
                                    : a[WINDOW].bytes < MOST_WINDOW ? (double)a[WINDOW].bytes
                                                                    : (double)MOST_WINDOW,
                  .injection = a[INJECTION].number,
                  .egress = a[EGRESS].number, /* -1 until all clusters are known */
                  .where = gb_lexeme_place(s, &s->word[0])};
  q->p->priced = q->p->priced || link.egress > 0;
  status = add_link(q, &r, link);
  if (status != GBCAST_OK || r.directed)
    return status;
  link.from = r.to;
  link.to = r.from;
  return add_link(q, &r, link);
}

static int add_point(gb_parser *q, uint32_t from, uint32_t to, const gb_plogp_point *point,
                     const gb_lexeme *name, const gb_lexeme *size) {
  gb_raw_plogp *list = gb_grow(q->plogp, q->plogp_count, &q->plogp_capacity, sizeof *list);
  if (list == NULL)
    return gb_source_no_memory(&q->source);
  q->plogp = list;
  list[q->plogp_count++] =
      (gb_raw_plogp){.from = from, .to = to, .point = *point, .where = gb_lexeme_place(&q->source, name)};
  return once(q, from, to, point->bytes, size, "this size of a plogp table");
}

int gb_parse_plogp(gb_parser *q) {
  gb_source *s = &q->source;
  enum { SIZE, GAP, LATENCY, SEND, RECEIVE, COUNT };
  gb_attribute a[COUNT] = {[SIZE] = {"size", GB_SIZE},
                           [GAP] = {"gap", GB_TIME},
                           [LATENCY] = {"latency", GB_TIME_OR_ZERO},
                           [SEND] = {"os", GB_TIME_OR_ZERO, .number = -1},
                           [RECEIVE] = {"or", GB_TIME_OR_ZERO, .number = -1}};
  pair r = {0};
  int status = read_pair(q, true, &r);
  if (status == GBCAST_OK)
    status = gb_attributes(s, r.next, a, COUNT);
  if (status != GBCAST_OK)
    return status;
  for (int i = SIZE; i <= LATENCY; i++)
    if (!a[i].given)
      return gb_expected(s, &s->word[s->count], "%s= of the measurement", a[i].key);
  gb_plogp_point point = {a[SIZE].bytes, a[GAP].number, a[LATENCY].number, a[SEND].number, a[RECEIVE].number};
  status = add_point(q, r.from, r.to, &point, &r.b, &a[SIZE].value);
  if (status != GBCAST_OK || r.directed || r.from == r.to)
    return status;
  return add_point(q, r.to, r.from, &point, &r.a, &a[SIZE].value);
}
