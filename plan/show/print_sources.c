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

static void begin(list *l) {
  fputs(l->any ? ",\n    { " : "\n    { ", l->out);
  l->any = true;
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
  begin(l);
  fputs("\"what\": \"link ", out);
  gb_json_escape(l->p->cluster[link->from].name, out);
  fputs(" -> ", out);
  gb_json_escape(l->p->cluster[link->to].name, out);
  fputs("\", ", out);
  gb_json_string("quantity", quantity, out);
  fputs(", ", out);
  gb_json_number("value", used ? r->value : r->file, out);
  fputs(", ", out);
  gb_json_string("from", used ? l->p->weather->source : kept, out);
  fputs(", ", out);
  gb_json_number("age_seconds", used ? r->age : NAN, out);
  fputs(", ", out);
  gb_json_number("file_value", r->file, out);
  fputs(", ", out);
  gb_json_string("live", state[r->state], out);
  if (used) {
    fprintf(out, ", \"uncertain\": %s, ", gb_reading_uncertain(r) ? "true" : "false");
    gb_json_number("error", r->error >= 0 ? r->error : NAN, out);
    fputs(", ", out);
    gb_json_integer("series", r->pairs, out);
  } else if (r->state == GB_READING_OLD) {
    fputs(", ", out);
    gb_json_number("live_age_seconds", r->age, out);
  }
  if (plogp != NULL) {
    fputs(", ", out);
    gb_json_string("plogp", plogp, out);
  }
  fputs(" }", out);
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
  begin(l);
  gb_json_string("what", what[kind], l->out);
  fputs(", ", l->out);
  gb_json_string("from", w->source, l->out);
  fputs(", \"age_seconds\": null, \"live\": \"ignored\", ", l->out);
  gb_json_integer("count", w->ignored[kind], l->out);
  fputs(", ", l->out);
  gb_json_string("first", w->first[kind], l->out);
  fputs(" }", l->out);
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
