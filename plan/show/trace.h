/* Pieces of a list of Chrome trace events ("Trace Event Format"): times there are in microseconds. */
#ifndef GB_PLAN_SHOW_TRACE_H
#define GB_PLAN_SHOW_TRACE_H

#include "plan/core/core.h"
#include "plan/show/json.h"

typedef struct gb_trace {
  gb_json_object document, events;
} gb_trace;

/* Begins with the object "otherData", for members that say what is traced; and then the events. */
gb_json_object gb_trace_open(gb_trace *trace, FILE *out);
void gb_trace_events(gb_trace *trace, const gb_json_object *other);

/* Both for a plan. The predicted time and the bound are marks over all processes. */
void gb_trace_begin(gb_trace *trace, const gbcast_plan *plan, FILE *out);
void gb_trace_end(const gb_trace *trace);

void gb_trace_process(gb_trace *trace, uint32_t process, const char *name); /* from 1 */
/* From 1; rest: what stands behind the name. */
void gb_trace_thread(gb_trace *trace, uint32_t process, uint32_t thread, const char *name, const char *rest);
/* The event stays open: its name, and what else there is to say, are to follow. */
gb_json_object gb_trace_slice(gb_trace *trace, uint32_t process, uint32_t thread, double start, double end,
                              const char *category);
/* One end of an arrow, which begins or ends in the slice of that time. */
void gb_trace_arrow(gb_trace *trace, uint32_t process, uint32_t thread, double time, size_t id, bool begins);

#endif
