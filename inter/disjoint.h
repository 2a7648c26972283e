/* Interior-disjoint trees while they are built (disjoint.c). */
#ifndef GB_INTER_DISJOINT_H
#define GB_INTER_DISJOINT_H

#include "inter/packing.h"

typedef struct gb_disjoint {
  const gb_site_graph *g;
  uint32_t trees;
  double come_in;     /* s: the longest that a message takes to come into a site */
  double *send;       /* n: s between two copies that a site sends at least */
  uint32_t *wide;     /* n: the site to which it sends fastest; itself: it can send to none */
  double *distance;   /* n: from the root, as a fraction of twice the longest */
  uint32_t *copies;   /* n: of a share */
  uint32_t *slot;     /* trees * n: of these, to be sent in a tree */
  uint32_t *order;    /* n: sites */
  double *key, *next; /* n: for the order; when a site's next copy can leave */
  double *load;       /* by resource */
  uint32_t *parent;   /* trees * n */
} gb_disjoint;

/* To which site each site sends fastest, and how fast; and how long the slowest one takes to receive. */
void gb_disjoint_find_widest(gb_disjoint *d);

/* s: the least time tau in which the sites can send enough copies for so many trees; INFINITY: the root can
 * send none. */
double gb_disjoint_time(gb_disjoint *d);

/* How many copies of a share each site can send in that time or more; returns how many all can. */
uint64_t gb_disjoint_find_copies(gb_disjoint *d, double tau);

#endif
