/* Which site is below which in an image, and which ones are drawn. */
#include "plan/show/svg_site_tree.h"

enum { SITES_FED_FIRST = 30 };

/* Marks the sites that get a critical send from the site that feeds them. Trees of several lanes may connect
 * the sites in the same way. */
static void mark_critical(gb_site_outline *o, const bool *critical) {
  const gbcast_plan *plan = o->plan;
  for (size_t i = 0; i < (size_t)plan->schedule.tree_count * plan->schedule.endpoint_count; i++) {
    if (critical[i]) {
      const uint32_t to = (uint32_t)(i % plan->schedule.endpoint_count);
      const uint32_t from = plan->schedule.tree[i / plan->schedule.endpoint_count].parent[to];
      gb_site_item *it = &o->item[o->item_of[o->site_of[to]]];
      it->critical |= it->parent != GB_NONE && it->parent == o->item_of[o->site_of[from]];
    }
  }
}

/* The tree over sites of one tree. */
int gb_site_outline_fill(gb_site_outline *o, uint32_t tree, const bool *critical, gb_site_row *rows) {
  const gbcast_plan *plan = o->plan;
  const int rc = gb_site_rows(plan, tree, rows);
  for (uint32_t i = 0; rc == GBCAST_OK && i < plan->site_count; i++) {
    gb_site_item *it = &o->item[i];
    *it = (gb_site_item){.row = rows[i], .parent = GB_NONE, .first_child = GB_NONE, .next = GB_NONE};
    it->drawn = i < SITES_FED_FIRST || plan->site_count <= SITES_FED_FIRST + 10;
    o->item_of[rows[i].site] = i;
    if (rows[i].from != GB_NONE) {
      it->parent = o->item_of[o->site_of[rows[i].from]];
      gb_site_item *parent = &o->item[it->parent];
      it->depth = parent->depth + 1;
      if (parent->first_child == GB_NONE) {
        parent->first_child = i;
      } else {
        o->item[parent->last_child].next = i;
      }
      parent->last_child = i;
    }
  }
  if (rc != GBCAST_OK) {
    return rc;
  }
  mark_critical(o, critical);
  for (uint32_t i = 0; i < plan->site_count; i++) {
    for (uint32_t up = i; o->item[i].critical && up != GB_NONE && !o->item[up].drawn;
         up = o->item[up].parent) {
      o->item[up].drawn = true;
    }
  }
  return GBCAST_OK;
}
