/* Finds the sites of a job.
 *
 * Round trips between sites take long, so as few as possible are measured. Each site has a pivot, its first
 * host. One host after another is measured against the pivot of the host before it, and only a host that is
 * far from that pivot is measured against the other pivots:
 *
 *   pivot a0:  a1 near, a2 near, c0 far         c0:  there is no other pivot, so it becomes one
 *   pivot c0:  c1 near, l0 far                  l0:  a0 far, so it becomes one
 *   pivot l0:  l1 near ...
 *
 * One pair is measured at a time. Hosts are taken in the order of their domains, so that neighbours probably
 * follow each other; names decide nothing. probe/groups.c then finds the sites from the latencies. */
#include "platform/text/text.h"
#include "probe/lead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHARE = 0.4; /* of the budget, within which the sites must be found */

typedef struct finder {
  gb_lead *l;
  uint32_t *order; /* machines, in the order in which they are measured */
  uint32_t *pivot; /* machines that are pivots */
  uint32_t pivots;
} finder;

static const char *domain_of(const char *name) {
  const char *dot = strchr(name, '.');
  return dot != NULL ? dot + 1 : "";
}

static int keep(gb_lead *l, uint32_t a, uint32_t b, double latency, gbcast_error *err) {
  gb_near *grown = gb_grow(l->near, l->near_count, &l->near_capacity, sizeof *grown);
  if (grown == NULL)
    return gb_no_memory(err);
  l->near = grown;
  l->near[l->near_count++] = (gb_near){a, b, latency};
  return GBCAST_OK;
}

/* Has machine `from` measure its latency to the others, until one is less than `below` or at least `above`
 * (s), or the order is full or its time is over. *taken: to how many; *last: the last latency (s). */
static int hold(finder *f, uint32_t from, const uint32_t *to, uint32_t count, double below, double above,
                uint32_t *taken, double *last, int *status, gbcast_error *err) {
  gb_lead *l = f->l;
  gb_report report = {0};
  *taken = 0;
  gb_order order = {.kind = GB_ORDER_NEAR, .count = count < GB_NEAR_MOST ? count : GB_NEAR_MOST};
  order.below = below;
  order.above = above;
  order.seconds = fmin(SHARE * l->options->budget - gb_lead_elapsed(l), GB_LEAD_NEAR_MOST);
  for (uint32_t i = 0; i < order.count; i++)
    order.peer[i] = l->machine_rank[to[i]];
  if (order.seconds <= 0) {
    *status = gb_fail(err, GBCAST_EUSAGE,
                      "the sites of %u hosts were not found within %.3g s; give a longer --budget, or a file "
                      "with the sites (--hosts)",
                      (unsigned)l->machines, SHARE * l->options->budget);
    return MPI_SUCCESS;
  }
  int rc = gb_lead_near(l, l->machine_rank[from], &order, &report);
  for (uint32_t i = 0; rc == MPI_SUCCESS && *status == GBCAST_OK && i < report.count && i < order.count;
       i++) {
    *last = report.near[i];
    *status = keep(l, from, to[i], *last, err);
  }
  *taken = report.count;
  return rc;
}

/* Machine `far` is far from pivot *current. Sets *current to the pivot near it, or makes it a pivot. */
static int place(finder *f, uint32_t far, uint32_t *current, int *status, gbcast_error *err) {
  uint32_t others = 0, taken = 0;
  uint32_t *other = calloc(f->pivots, sizeof *other);
  int rc = MPI_SUCCESS;
  if (other == NULL) {
    *status = gb_no_memory(err);
    return rc;
  }
  for (uint32_t i = 0; i < f->pivots; i++)
    if (f->pivot[i] != *current)
      other[others++] = f->pivot[i];
  *current = far;
  for (uint32_t i = 0; rc == MPI_SUCCESS && *status == GBCAST_OK && i < others; i += taken) {
    double last = INFINITY;
    rc = hold(f, far, other + i, others - i, GB_PROBE_NEAR, INFINITY, &taken, &last, status, err);
    if (last < GB_PROBE_NEAR) {
      gb_near *found = &f->l->near[f->l->near_count - 1];
      *current = other[i + taken - 1];
      found->a = *current; /* the pivot first, as everywhere */
      found->b = far;
      break;
    }
  }
  if (*current == far)
    f->pivot[f->pivots++] = far;
  free(other);
  return rc;
}

static int search(finder *f, int *status, gbcast_error *err) {
  uint32_t current = f->order[0], taken = 0;
  int rc = MPI_SUCCESS;
  f->pivot[f->pivots++] = current;
  for (uint32_t at = 1; rc == MPI_SUCCESS && *status == GBCAST_OK && at < f->l->machines; at += taken) {
    double last = 0;
    rc = hold(f, current, f->order + at, f->l->machines - at, 0, GB_PROBE_NEAR, &taken, &last, status, err);
    if (rc == MPI_SUCCESS && *status == GBCAST_OK && last >= GB_PROBE_NEAR)
      rc = place(f, f->order[at + taken - 1], &current, status, err);
  }
  return rc;
}

/* Orders the machines by domain, and then by first rank. */
static int set_order(finder *f, gbcast_error *err) {
  const gb_lead *l = f->l;
  gb_arena arena = {0};
  gb_names domains = {0};
  uint32_t *of = malloc(sizeof *of * l->machines), at = 0;
  int status = of == NULL ? gb_no_memory(err) : GBCAST_OK;
  for (uint32_t m = 0; status == GBCAST_OK && m < l->machines; m++) {
    const char *domain = domain_of(l->machine_name[m]);
    bool is_new = false;
    of[m] = gb_names_add(&domains, &arena, domain, strlen(domain), &is_new);
    if (of[m] == GB_NONE)
      status = gb_no_memory(err);
  }
  for (uint32_t d = 0; status == GBCAST_OK && d < domains.count; d++)
    for (uint32_t m = 0; m < l->machines; m++)
      if (of[m] == d)
        f->order[at++] = m;
  free(of);
  gb_names_release(&domains);
  gb_arena_release(&arena);
  return status;
}

int gb_lead_find_sites(gb_lead *l, int *status, gbcast_error *err) {
  uint32_t *list = calloc(l->machines, 2 * sizeof *list);
  finder f = {.l = l, .order = list, .pivot = list == NULL ? NULL : list + l->machines};
  int rc = MPI_SUCCESS;
  *status = list == NULL ? gb_no_memory(err) : set_order(&f, err);
  if (*status == GBCAST_OK) {
    gb_lead_say(l, "looking for sites among %u hosts", (unsigned)l->machines);
    rc = search(&f, status, err);
  }
  if (rc == MPI_SUCCESS && *status == GBCAST_OK)
    *status = gb_probe_groups(l->machines, l->near, l->near_count, &l->groups, err);
  free(list);
  return rc;
}
