/* Where each value of a link is from, in JSON. */
#include "plan/show/print.h"
#include "platform/live/live.h"

#include <math.h>

static void add_value(gb_json_object *list, const gbcast_platform *p, const gb_link *link,
                      const gb_reading *r, const char *quantity, const char *plogp) {
  static const char *const state[] = {[GB_READING_NONE] = "none",
                                      [GB_READING_USED] = "used",
                                      [GB_READING_OLD] = "old",
                                      [GB_READING_USELESS] = "unusable",
                                      [GB_READING_ABSURD] = "absurd"};
  const char *kept = p->weather->assumed ? "assumed" : p->file;
  const bool used = r->state == GB_READING_USED;
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_texts(&o, "what", "link ", p->cluster[link->from].name, " -> ", p->cluster[link->to].name, NULL);
  gb_json_string(&o, "quantity", quantity);
  gb_json_number(&o, "value", used ? r->value : r->file);
  gb_json_string(&o, "from", used ? p->weather->source : kept);
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
  if (plogp != NULL)
    gb_json_string(&o, "plogp", plogp);
  gb_json_end(&o);
}

static void add_link(gb_json_object *list, const gbcast_platform *p, const gb_link *link) {
  bool stream = isfinite(link->stream_bandwidth);
  const gb_finding none = gb_no_finding(link);
  const gb_finding *f = gb_weather_of(p->weather, link->from, link->to);
  f = f == NULL ? &none : f;
  add_value(list, p, link, &f->latency, "latency", f->plogp == GB_TABLE_MOVED ? "moved" : NULL);
  add_value(list, p, link, &f->bandwidth, stream ? "stream-bandwidth" : "bandwidth",
            f->plogp == GB_TABLE_DROPPED ? "dropped" : NULL);
}

static void add_ignored(gb_json_object *list, const gb_weather *w, enum gb_ignored kind) {
  static const char *const what[] = {[GB_IGNORED_UNKNOWN] = "values of unknown hosts",
                                     [GB_IGNORED_INSIDE] = "values within one site",
                                     [GB_IGNORED_LINKLESS] = "values between sites without a link",
                                     [GB_IGNORED_UNREADABLE] = "lines that are not understood"};
  if (w->ignored[kind] == 0)
    return;
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_string(&o, "what", what[kind]);
  gb_json_string(&o, "from", w->source);
  gb_json_number(&o, "age_seconds", NAN);
  gb_json_string(&o, "live", "ignored");
  gb_json_integer(&o, "count", w->ignored[kind]);
  gb_json_string(&o, "first", w->first[kind]);
  gb_json_end(&o);
}

void gb_json_sources(gb_json_object *document, const gbcast_platform *p) {
  gb_json_object list = gb_json_begin_list(document, "sources", GB_JSON_ANY_LINES);
  for (uint32_t i = 0; p->weather != NULL && i < p->link_count; i++)
    add_link(&list, p, &p->link[i]);
  for (int kind = 0; p->weather != NULL && kind < GB_IGNORED_KINDS; kind++)
    add_ignored(&list, p->weather, (enum gb_ignored)kind);
  gb_json_end(&list);
}
