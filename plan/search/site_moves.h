/* Small changes of a tree over sites (an array of parents).
 *
 *      r                 hang b          swap a and c        a takes
 *     /|\                under a                             its siblings
 *    a b d                 r                 r                   r
 *      |                  / \               /|\                  |
 *      c                 a   d             c b d                 a
 *                        |                   |                  / \
 *                        b - c               a                 b   d - ...
 */
#ifndef GB_PLAN_SEARCH_SITE_MOVES_H
#define GB_PLAN_SEARCH_SITE_MOVES_H

#include <stdbool.h>
#include <stdint.h>

enum gb_site_change { GB_HANG, GB_SWAP, GB_TAKE };

typedef struct gb_site_move {
  enum gb_site_change change;
  uint32_t site, other; /* other: the new parent, or the site to swap with */
  double estimate;      /* s */
} gb_site_move;

/* Hangs a site under one that is not below it, swaps two sites of which none is the root, or lets a site take
 * its siblings. parent (n) is changed in place. */
void gb_site_move_apply(uint32_t *parent, uint32_t n, gb_site_move move);

/* Inserts a move into a list of at most `most` moves, by increasing estimate; returns the new count. */
uint32_t gb_site_move_insert(gb_site_move *list, uint32_t count, uint32_t most, gb_site_move move);

/* Whether u is v or below it. */
bool gb_site_is_below(const uint32_t *parent, uint32_t u, uint32_t v);

#endif
