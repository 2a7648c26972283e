/* The links as live values have made them: which value counts, how old it is, what the file says.
 *
 *   Live values of file:weather.txt, up to 600 s old:
 *   link            latency                        bandwidth
 *   ottawa -> lyon  60 ms, 12 s old (file: 46 ms)  200 Mbit/s of the file (live: 12 min old) */
#include "plan/show/print.h"
#include "platform/live/live.h"
#include "platform/text/text.h"

#include <math.h>
#include <string.h>

enum { SHOWN_MOST = 30 };

typedef struct live_counts {
  uint32_t alike, without;
} live_counts;

static void add_cell(gb_table *table, const gb_reading *r, bool assumed, gb_text (*text)(double)) {
  const char *kept = assumed ? "assumed" : "of the file";
  char error[64] = "", file[64] = "";
  if (gb_reading_uncertain(r))
    snprintf(error, sizeof error, ", uncertain by %s", text(r->error).s);
  if (gb_reading_changes(r))
    snprintf(file, sizeof file, " (%s: %s)", assumed ? "assumed" : "file", text(r->file).s);
  switch (r->state) {
  case GB_READING_USED:
    gb_table_add(table, "%s, %s old%s%s", text(r->value).s, gb_text_seconds(r->age).s, error, file);
    break;
  case GB_READING_OLD:
    gb_table_add(table, "%s %s (live: %s old)", text(r->file).s, kept,
                 isfinite(r->age) ? gb_text_seconds(r->age).s : "nobody knows how");
    break;
  case GB_READING_USELESS:
    gb_table_add(table, "%s %s (live: no usable number)", text(r->file).s, kept);
    break;
  case GB_READING_ABSURD:
    gb_table_add(table, "%s %s (live: %s is absurd)", text(r->file).s, kept, text(r->value).s);
    break;
  default:
    gb_table_add(table, "%s %s", text(r->file).s, kept);
  }
}

static const char *remark(const gb_finding *f, const gb_link *l) {
  static const char *const text[][2] = {
      [GB_TABLE_KEPT] = {"", "one stream"},
      [GB_TABLE_MOVED] = {"latencies of plogp changed alike", "one stream; latencies of plogp changed alike"},
      [GB_TABLE_DROPPED] = {"plogp not used", "one stream; plogp not used"}};
  return text[f->plogp][isfinite(l->stream_bandwidth) && f->bandwidth.state == GB_READING_USED];
}

static bool no_news(const gb_reading *r) {
  bool as_before = r->state == GB_READING_USED && !gb_reading_changes(r) && !gb_reading_uncertain(r);
  return r->state == GB_READING_NONE || as_before;
}

static void add_link(gb_table *table, const gbcast_platform *p, const gb_link *l, bool all, live_counts *n) {
  const gb_finding *f = gb_weather_of(p->weather, l->from, l->to);
  bool alike = f != NULL && no_news(&f->latency) && no_news(&f->bandwidth);
  n->without += f == NULL;
  n->alike += alike;
  if ((f == NULL || alike) && !all)
    return;
  const gb_finding none = gb_no_finding(l);
  f = f == NULL ? &none : f;
  if (table->cells == 0)
    gb_table_row(table, "link", "latency", "bandwidth", "", NULL);
  gb_table_add(table, "%s -> %s", p->cluster[l->from].name, p->cluster[l->to].name);
  add_cell(table, &f->latency, p->weather->assumed, gb_text_seconds);
  add_cell(table, &f->bandwidth, p->weather->assumed, gb_text_rate);
  gb_table_add(table, "%s", remark(f, l));
}

static void print_count(FILE *out, uint32_t n, const char *noun, const char *rest) {
  if (n > 0)
    fprintf(out, "%s %s\n", gb_text_count(n, noun).s, rest);
}

static void print_ignored(const gb_weather *w, FILE *out) {
  static const char *const why[] = {[GB_IGNORED_UNKNOWN] = "not used: no such host in the file",
                                    [GB_IGNORED_INSIDE] = "not used: within one site",
                                    [GB_IGNORED_LINKLESS] = "not used: no link joins the sites",
                                    [GB_IGNORED_UNREADABLE] = "not understood, and left out"};
  for (int i = 0; i < GB_IGNORED_KINDS; i++) {
    char rest[sizeof w->first[i] + 64];
    (void)snprintf(rest, sizeof rest, "%s (%s%s)", why[i], w->first[i], w->ignored[i] > 1 ? ", ..." : "");
    print_count(out, w->ignored[i], i == GB_IGNORED_UNREADABLE ? "line" : "live value", rest);
  }
}

int gb_print_live(const gbcast_platform *p, bool all, FILE *out) {
  const gb_weather *w = p->weather;
  if (w == NULL)
    return GBCAST_OK;
  live_counts n = {0};
  gb_table table = {.columns = 4, .align = "llll", .most = all ? 0 : SHOWN_MOST};
  for (uint32_t i = 0; i < p->link_count; i++)
    add_link(&table, p, &p->link[i], all, &n);
  fprintf(out, "\nLive values of %s, up to %s old:\n",
          strcmp(w->source, "-") == 0 ? "standard input" : w->source, gb_text_seconds(w->max_age).s);
  if (w->count == 0)
    fputs("no link has any\n", out);
  const uint32_t more = table.left_out / table.columns;
  const int rc = gb_table_print(&table, out);
  print_count(out, more, "more link", "of this kind (--format=json has every one)");
  if (!all)
    print_count(out, n.alike, "link", w->assumed ? "as assumed" : "as in the file");
  if (w->count > 0)
    print_count(out, n.without, "link", "without live values");
  print_ignored(w, out);
  return rc;
}

int gbcast_platform_print_live(const gbcast_platform *platform, FILE *out) {
  gb_plain_locale plain;
  if (!gb_plain_locale_set(&plain))
    return GBCAST_EMEMORY;
  int rc = gb_print_live(platform, true, out);
  gb_plain_locale_end(&plain);
  return rc == GBCAST_OK && (fflush(out) != 0 || ferror(out)) ? GBCAST_EINPUT : rc;
}
