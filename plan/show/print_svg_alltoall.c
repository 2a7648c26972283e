/* An all-to-all as an SVG image. */
#include "plan/show/print_alltoall.h"
#include "plan/show/svg.h"

static int draw_exchange(gb_svg *svg, const gbcast_plan *plan) {
  const gb_alltoall *a = plan->alltoall;
  const bool phases = a->site_count == 1 && gb_sync_in_phases(a->sync.sync) && !plan->native;
  int rc = gb_svg_lines(svg, plan, gb_print_alltoall_head);
  if (rc != GBCAST_OK) {
    return rc;
  }
  if (plan->predicted <= 0 || plan->schedule.endpoint_count == 1) {
    svg->y += 30;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, "b", "There is one rank: nothing is sent.");
    return GBCAST_OK;
  }
  if (phases && a->site->phases.count > 0) {
    return gb_svg_phases(svg, plan);
  }
  /* What MPI's own all-to-all does is not known in detail. */
  rc = gb_svg_transfers(svg, plan);
  return rc == GBCAST_OK && a->site_count == 1 && !plan->native ? gb_svg_matrix(svg, plan) : rc;
}

int gb_draw_alltoall(const gbcast_plan *plan, gb_span *span, FILE *out) {
  gb_svg svg;
  const int rc = gb_svg_begin(&svg, span);
  return rc != GBCAST_OK
             ? rc
             : gb_svg_end(&svg, draw_exchange(&svg, plan), "All-to-all planned by gbcast",
                          "A time line of what each host or cluster sends; or who sends to whom.", out);
}

int gb_print_alltoall_svg(const gbcast_plan *plan, FILE *out) {
  return gb_draw_alltoall(plan, NULL, out);
}
