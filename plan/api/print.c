/* gbcast_plan_print: picks the printer, in the C locale whatever the program's is. */
#include "plan/api/api.h"
#include "plan/codegen/codegen.h"
#include "platform/text/text.h"

#include "inter/inter.h"
#include "intra/intra.h"

#include <string.h>

/* Of broadcasts and scatters, and of all-to-alls. */
static int (*const printer[][2])(const gbcast_plan *plan, FILE *out) = {
    [GBCAST_TEXT] = {gb_print_text, gb_print_alltoall_text},
    [GBCAST_JSON] = {gb_print_json, gb_print_alltoall_json},
    [GBCAST_COMPARE] = {gb_print_compare, gb_print_alltoall_compare},
    [GBCAST_C] = {gb_emit, gb_emit},
    [GBCAST_DOT] = {gb_print_dot, gb_print_alltoall_dot},
    [GBCAST_SVG] = {gb_print_svg, gb_print_svg},
    [GBCAST_TRACE] = {gb_print_trace, gb_print_alltoall_trace},
    [GBCAST_HTML] = {gb_print_html, gb_print_html},
};

static int written(int rc, FILE *out) {
  return rc == GBCAST_OK && (fflush(out) != 0 || ferror(out)) ? GBCAST_EINPUT : rc;
}

int gbcast_plan_print(const gbcast_plan *plan, enum gbcast_format format, FILE *out) {
  gb_plain_locale plain;
  if (!gb_plain_locale_set(&plain)) {
    return GBCAST_EMEMORY;
  }
  const size_t formats = sizeof printer / sizeof *printer, which = plan->alltoall != NULL ? 1 : 0;
  const int rc = (size_t)format < formats ? printer[format][which](plan, out) : GBCAST_EUSAGE;
  gb_plain_locale_end(&plain);
  return written(rc, out);
}

int gb_pareto_print(const gb_pareto *pareto, enum gbcast_format format, FILE *out) {
  gb_plain_locale plain;
  if (!gb_plain_locale_set(&plain)) {
    return GBCAST_EMEMORY;
  }
  const int rc = format == GBCAST_TEXT   ? gb_pareto_text(pareto, out)
                 : format == GBCAST_JSON ? gb_pareto_json(pareto, out)
                 : format == GBCAST_SVG  ? gb_pareto_svg(pareto, out)
                                         : GBCAST_EUSAGE;
  gb_plain_locale_end(&plain);
  return written(rc, out);
}

static void list_line(FILE *out, const char *name, const char *operations, const char *summary) {
  fprintf(out, "  %-24s %-15s %s\n", name, operations, summary);
}

void gbcast_list_algorithms(FILE *out) {
  fputs("Between sites (--inter):\n", out);
  list_line(out, "auto", "bcast, scatter", "the one with the least predicted time");
  for (size_t i = 0; i < gb_inter_count; i++) {
    if (strcmp(gb_inter_table[i].name, "auto") != 0) {
      list_line(out, gb_inter_table[i].name, gb_inter_table[i].bcast_only ? "bcast" : "bcast, scatter",
                gb_inter_table[i].summary);
    }
  }
  fputs("Inside a site (--intra):\n", out);
  list_line(out, "auto", "bcast, scatter", "the one with the least predicted time");
  for (size_t i = 0; i < gb_intra_count; i++) {
    const gb_intra_algorithm *a = &gb_intra_table[i];
    bool bcast = (a->operations & (1u << GB_BCAST)) != 0;
    bool scatter = (a->operations & (1u << GB_SCATTER)) != 0;
    if (strcmp(a->name, "auto") != 0) {
      list_line(out, a->name,
                bcast && scatter ? "bcast, scatter"
                : scatter        ? "scatter"
                                 : "bcast",
                a->summary);
    }
  }
  fprintf(out, "Between the phases of an all-to-all (--sync; NAME:N for blocks of N phases, else %u):\n",
          GB_SYNC_BLOCK);
  list_line(out, "auto", "alltoall", "the one with the least predicted time");
  for (size_t i = 0; i < gb_sync_count; i++) {
    list_line(out, gb_sync_table[i].name, "alltoall", gb_sync_table[i].summary);
  }
}
