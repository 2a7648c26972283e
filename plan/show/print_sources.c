/* Where each value of a link is from: JSON's `sources`. */
#include "plan/show/json.h"
#include "plan/show/print.h"
#include "platform/live/live.h"

#include <math.h>

typedef struct list {
  const gbcast_platform *p;
  FILE *out;
  bool any;
} list;

static gb_json_object begin(list *l) {
  fputs(l->any ? ",\n    " : "\n    ", l->out);
  l->any = true;
  return gb_json_begin(l->out);
}

static void add_value(list *l, const gb_link *link, const gb_reading *r, const char *quantity,
                      const char *plogp) {
  static const char *const state[] = {[GB_READING_NONE] = "none",
                                      [GB_READING_USED] = "used",
                                      [GB_READING_OLD] = "old",
                                      [GB_READING_USELESS] = "unusable",
                                      [GB_READING_ABSURD] = "absurd"};
  FILE *out = l->out;
  const char *kept = l->p->weather->assumed ? "assumed" : l->p->file;
  bool used = r->state == GB_READING_USED;
  gb_json_object o = begin(l);
  gb_json_key(&o, "what");
  fputs("\"link ", out);
  gb_json_escape(l->p->cluster[link->from].name, out);
  fputs(" -> ", out);
  gb_json_escape(l->p->cluster[link->to].name, out);
  putc('"', out);
  gb_json_string(&o, "quantity", quantity);
  gb_json_number(&o, "value", used ? r->value : r->file);
  gb_json_string(&o, "from", used ? l->p->weather->source : kept);
  gb_json_number(&o, "age_seconds", used ? r->age : NAN);
  gb_json_number(&o, "file_value", r->file);
  gb_json_string(&o, "live", state[r->state]);
  if (used) {
    gb_json_bool(&o, "uncertain", gb_reading_uncertain(r));
    gb_json_number(&o, "error", r->error >= 0 ? r->error : NAN);
    gb_json_integer(&o, "series", r->pairs);
  } else if (r->state == GB_READING_OLD) {
    gb_json_number(&o, "live_age_seconds", r->age);
  }
  if (plogp != NULL) {
    gb_json_string(&o, "plogp", plogp);
  }
  gb_json_end(&o);
}

static void add_link(list *l, const gb_link *link) {
  bool stream = isfinite(link->stream_bandwidth);
  const gb_finding none = gb_no_finding(link);
  const gb_finding *f = gb_weather_of(l->p->weather, link->from, link->to);
  f = f == NULL ? &none : f;
  add_value(l, link, &f->latency, "latency", f->plogp == GB_TABLE_MOVED ? "moved" : NULL);
  add_value(l, link, &f->bandwidth, stream ? "stream-bandwidth" : "bandwidth",
            f->plogp == GB_TABLE_DROPPED ? "dropped" : NULL);
}

static void add_ignored(list *l, enum gb_ignored kind) {
  static const char *const what[] = {[GB_IGNORED_UNKNOWN] = "values of unknown hosts",
                                     [GB_IGNORED_INSIDE] = "values within one site",
                                     [GB_IGNORED_LINKLESS] = "values between sites without a link",
                                     [GB_IGNORED_UNREADABLE] = "lines that are not understood"};
  const gb_weather *w = l->p->weather;
  if (w->ignored[kind] == 0)
    return;
  gb_json_object o = begin(l);
  gb_json_string(&o, "what", what[kind]);
  gb_json_string(&o, "from", w->source);
  gb_json_number(&o, "age_seconds", NAN);
  gb_json_string(&o, "live", "ignored");
  gb_json_integer(&o, "count", w->ignored[kind]);
  gb_json_string(&o, "first", w->first[kind]);
  gb_json_end(&o);
}

void gb_print_sources(const gbcast_platform *p, FILE *out) {
  list l = {.p = p, .out = out};
  if (p->weather == NULL)
    return;
  for (uint32_t i = 0; i < p->link_count; i++)
    add_link(&l, &p->link[i]);
  for (int kind = 0; kind < GB_IGNORED_KINDS; kind++)
    add_ignored(&l, (enum gb_ignored)kind);
  if (l.any)
    fputs("\n  ", out);
}
