/* A platform as a hosts file that reads back as the same. Two layouts: hosts below their cluster and switch
 * lines where the order allows it, else all names first and cluster= / switch= on each line. */
#include "platform/parse.h"
#include "platform/platform.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
  const gbcast_platform *p;
  FILE *out;
  /* by cluster: without cluster lines the order of first mention must come out again */
  bool *mentioned, *printed;
  uint32_t next; /* all clusters below it are mentioned */
} printer;

static void print_cluster(const printer *x, const gb_cluster *c) {
  (void)fprintf(x->out, "cluster %s", c->name);
  gb_print_time(x->out, "latency", c->latency);
  if (!c->assumed_bandwidth)
    gb_print_rate(x->out, "bandwidth", c->bandwidth);
  gb_print_time(x->out, "overhead", c->overhead);
  if (c->reduce > 0)
    gb_print_time(x->out, "reduce", c->reduce);
  if (isfinite(c->wan_bandwidth))
    gb_print_rate(x->out, "wan-bandwidth", c->wan_bandwidth);
  if (c->contention != GB_DEFAULT_CONTENTION)
    gb_print_fraction(x->out, "contention", c->contention);
  if (c->egress > 0)
    gb_print_egress(x->out, c->egress);
  if (c->hire > 0)
    gb_print_hire(x->out, c->hire);
  if (c->relay)
    (void)fputs(" relay", x->out);
  if (c->leader != GB_NONE)
    (void)fprintf(x->out, " leader=%s", x->p->host[c->leader].name);
  (void)fputc('\n', x->out);
}

static void print_switch(const printer *x, const gb_switch *s, bool with_cluster) {
  (void)fprintf(x->out, "switch %s", s->name);
  if (with_cluster)
    (void)fprintf(x->out, " cluster=%s", x->p->cluster[s->cluster].name);
  if (s->uplink != GB_NONE)
    (void)fprintf(x->out, " uplink=%s", x->p->sw[s->uplink].name);
  gb_print_rate(x->out, "bandwidth", s->bandwidth);
  gb_print_time(x->out, "latency", s->latency);
  (void)fputc('\n', x->out);
}

static const gb_host *host_of(const gbcast_platform *p, uint32_t run) {
  return &p->host[p->run[run].host];
}

/* A run of slots. Words that belong to the host are printed with its first run. */
static void print_host(const printer *x, uint32_t run, bool with_cluster, bool with_switch) {
  const gb_host *h = host_of(x->p, run);
  const uint32_t slots = gb_slot_run_length(x->p, run);
  const bool address = strchr(h->name, ':') != NULL, first = x->p->run[run].k == 0;
  const bool user = first && h->user != NULL;
  if (user)
    (void)fprintf(x->out, "%s@", h->user);
  (void)fprintf(x->out, address ? "[%s]" : "%s", h->name);
  if (slots != 1 || (!user && gb_is_keyword(h->name)) || h->extra != NULL) /* which may name a limit */
    (void)fprintf(x->out, ":%u", (unsigned)slots);
  if (with_cluster)
    (void)fprintf(x->out, " cluster=%s", x->p->cluster[h->cluster].name);
  if (with_switch && h->sw != GB_NONE)
    (void)fprintf(x->out, " switch=%s", x->p->sw[h->sw].name);
  if (first && h->extra != NULL)
    (void)fprintf(x->out, " %s", h->extra);
  (void)fputc('\n', x->out);
}

static void print_table(const printer *x, const char *ends, const gb_plogp *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    gb_print_point(&t->point[i], ends, x->out);
    (void)fputc('\n', x->out);
  }
}

static void print_links(const printer *x) {
  const gbcast_platform *p = x->p;
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *l = &p->link[i];
    const gb_link *back = gb_platform_link(p, l->to, l->from);
    bool both = back != NULL && gb_links_alike(l, back);
    if (both && l->from > l->to)
      continue; /* one line said both */
    char ends[2 * GB_MAX_NAME + 8];
    (void)snprintf(ends, sizeof ends, both ? "%s %s" : "%s -> %s", p->cluster[l->from].name,
                   p->cluster[l->to].name);
    gb_print_link(l, ends, x->out);
    if (l->egress != p->cluster[l->from].egress || (both && back->egress != p->cluster[l->to].egress))
      gb_print_egress(x->out, l->egress);
    (void)fputc('\n', x->out);
    print_table(x, ends, &l->plogp);
  }
}

/* Whether each cluster's hosts and switches stand together, in the order of the clusters. */
static bool in_blocks(const gbcast_platform *p) {
  for (uint32_t r = 1; r < p->run_count; r++)
    if (host_of(p, r)->cluster < host_of(p, r - 1)->cluster)
      return false;
  for (uint32_t i = 1; i < p->switch_count; i++)
    if (p->sw[i].cluster < p->sw[i - 1].cluster)
      return false;
  return true;
}

/* How many runs must come before the first switch line: all up to the last host that is on no switch. */
static uint32_t runs_above(const gbcast_platform *p, uint32_t from, uint32_t to) {
  while (to > from && host_of(p, to - 1)->sw != GB_NONE)
    to--;
  return to - from;
}

/* A cluster of a lower number than the host's that is not mentioned yet was first mentioned by its plogp
 * lines. */
static void mention(printer *x, const gb_host *h) {
  for (; x->next < h->cluster; x->next++)
    if (!x->mentioned[x->next]) {
      x->printed[x->next] = true;
      print_table(x, x->p->cluster[x->next].name, &x->p->cluster[x->next].plogp);
    }
  x->mentioned[h->cluster] = true;
}

/* Runs from..to and switches s..s_end in file order, switch lines as late as the hosts allow. */
static void print_block(const printer *x, uint32_t from, uint32_t to, uint32_t s, uint32_t s_end) {
  const gbcast_platform *p = x->p;
  uint32_t above = from + runs_above(p, from, to);
  uint32_t current = GB_NONE;
  for (uint32_t r = from; r < to; r++) {
    const gb_host *host = host_of(p, r);
    for (; r >= above && host->sw != GB_NONE && host->sw >= s; s++) {
      print_switch(x, &p->sw[s], false);
      current = s;
    }
    print_host(x, r, false, host->sw != current);
  }
  for (; s < s_end; s++)
    print_switch(x, &p->sw[s], false);
}

static void print_blocks(const printer *x) {
  const gbcast_platform *p = x->p;
  uint32_t run = 0;
  uint32_t s = 0;
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    uint32_t to = run;
    while (to < p->run_count && host_of(p, to)->cluster == c)
      to++;
    uint32_t s_end = s + p->cluster[c].switch_count;
    print_cluster(x, &p->cluster[c]);
    print_block(x, run, to, s, s_end);
    run = to;
    s = s_end;
  }
}

/* Any order: hosts and then switches, each with its cluster= and switch= on its line. */
static void print_flat(const printer *x) {
  const gbcast_platform *p = x->p;
  for (uint32_t c = 0; c < p->cluster_count; c++)
    print_cluster(x, &p->cluster[c]);
  for (uint32_t r = 0; r < p->run_count; r++)
    print_host(x, r, true, true);
  for (uint32_t i = 0; i < p->switch_count; i++)
    print_switch(x, &p->sw[i], true);
}

/* No cluster and no link line: a cluster line would end the assumed links. */
static void print_mesh(printer *x) {
  const gbcast_platform *p = x->p;
  for (uint32_t r = 0; r < p->run_count; r++) {
    const gb_host *host = host_of(p, r);
    size_t length = 0;
    const char *group = gb_host_group(host->name, &length);
    bool natural = strlen(p->cluster[host->cluster].name) == length &&
                   memcmp(p->cluster[host->cluster].name, group, length) == 0;
    mention(x, host);
    print_host(x, r, !natural, true);
  }
  for (uint32_t i = 0; i < p->switch_count; i++)
    print_switch(x, &p->sw[i], false);
}

static void print_all(printer *x) {
  const gbcast_platform *p = x->p;
  if (p->assumed_mesh)
    print_mesh(x);
  else if (in_blocks(p))
    print_blocks(x);
  else
    print_flat(x);
  print_links(x);
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    const gb_cluster *k = &p->cluster[c];
    bool done = p->assumed_mesh && x->printed[c];
    if (!done)
      print_table(x, k->name, &k->plogp);
  }
}

int gbcast_platform_print(const gbcast_platform *platform, FILE *out) {
  printer x = {.p = platform, .out = out};
  gb_plain_locale plain;
  x.mentioned = calloc(2 * (size_t)platform->cluster_count + 1, sizeof *x.mentioned);
  int status = GBCAST_EMEMORY;
  if (x.mentioned != NULL && gb_plain_locale_set(&plain)) {
    x.printed = x.mentioned + platform->cluster_count;
    print_all(&x);
    gb_plain_locale_end(&plain);
    status = fflush(out) != 0 || ferror(out) ? GBCAST_EINPUT : GBCAST_OK;
  }
  free(x.mentioned);
  return status;
}
