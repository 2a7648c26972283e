/* A plan as a C program that needs only MPI. */
#ifndef GB_PLAN_CODEGEN_CODEGEN_H
#define GB_PLAN_CODEGEN_CODEGEN_H

#include "plan/core/core.h"

/* Writes the program: tables, and behind them a routine that is the same for all plans of its kind
 * (emit_*.c.in). Prints in the C locale, which the caller sets for the thread. GBCAST_EUSAGE: the plan is of
 * a scatter, or has relays. GBCAST_EMEMORY. The caller looks at ferror(out). */
int gb_emit(const gbcast_plan *plan, FILE *out);

#endif
