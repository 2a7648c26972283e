/* What the files that write a routine share. */
#ifndef GB_PLAN_CODEGEN_EMIT_H
#define GB_PLAN_CODEGEN_EMIT_H

#include "plan/codegen/codegen.h"

/* The numbers of the ranks that the routine is for (gb_numbering). */
typedef struct gb_ranks {
  uint32_t *endpoint; /* of each rank: endpoint_count */
  uint32_t *number;   /* of each endpoint, */
  uint32_t *first;    /* and the first endpoint of each host of the platform: host_count */
} gb_ranks;

/* The tables of a routine. */
int gb_emit_bcast(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out);
int gb_emit_alltoall(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out);
int gb_emit_groups(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out); /* in two steps */

/* Elements of an initializer, as many on a line as fit. At least one is to be added. */
typedef struct gb_list {
  FILE *out;
  size_t column;
} gb_list;
gb_list gb_list_begin(FILE *out, const char *opening); /* that line */
__attribute__((format(printf, 2, 3))) void gb_list_add(gb_list *list, const char *format, ...);
void gb_list_line(gb_list *list, const char *comment, uint32_t number); /* a new line with a comment */
void gb_list_end(gb_list *list, const char *closing);

#endif
