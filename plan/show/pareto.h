/* Plans of which none is beaten in both time and cost, as text, JSON and a picture. */
#ifndef GB_PLAN_SHOW_PARETO_H
#define GB_PLAN_SHOW_PARETO_H

#include "plan/show/show.h"

typedef struct gb_pareto_point {
  gbcast_plan *plan;
  double within; /* the request's objective for which it was made (gbcast_request) */
} gb_pareto_point;

typedef struct gb_pareto {
  size_t count;             /* 1 at least */
  gb_pareto_point *point;   /* count; the faster ones first, the cheaper ones last */
  double bound, cost_bound; /* s and USD: nothing is faster, or cheaper; the latter NAN: not known */
} gb_pareto;

/* All plans of the list have the same request but for the objective, and cost something. In the C locale, as
 * show.h has it. GBCAST_OK or GBCAST_EMEMORY; the caller looks at ferror(out). */
int gb_pareto_text(const gb_pareto *pareto, FILE *out);
int gb_pareto_json(const gb_pareto *pareto, FILE *out);
int gb_pareto_svg(const gb_pareto *pareto, FILE *out);

#endif
