/* Pieces of a list of Chrome trace events. */
#include "plan/show/trace.h"

#include <math.h>

static gb_json_object begin_event(gb_trace *trace, const char *kind, uint32_t process, uint32_t thread) {
  gb_json_object o = gb_json_begin_object(&trace->events, NULL);
  gb_json_string(&o, "ph", kind);
  gb_json_integer(&o, "pid", process);
  gb_json_integer(&o, "tid", thread);
  return o;
}

static void put_time(gb_json_object *event, const char *key, double seconds) {
  gb_json_number(event, key, seconds * 1e6);
}

static void mark(gb_trace *trace, const char *name, double seconds) {
  if (!isfinite(seconds))
    return;
  gb_json_object o = begin_event(trace, "i", 1, 1);
  put_time(&o, "ts", seconds);
  gb_json_string(&o, "s", "g");
  gb_json_string(&o, "name", name);
  gb_json_end(&o);
}

gb_json_object gb_trace_open(gb_trace *trace, FILE *out) {
  trace->document = gb_json_begin_document(out);
  gb_json_string(&trace->document, "displayTimeUnit", "ms");
  return gb_json_begin_object(&trace->document, "otherData");
}

void gb_trace_events(gb_trace *trace, const gb_json_object *other) {
  gb_json_end(other);
  trace->events = gb_json_begin_list(&trace->document, "traceEvents", GB_JSON_FLUSH_LINES);
}

void gb_trace_begin(gb_trace *trace, const gbcast_plan *plan, FILE *out) {
  gb_json_object o = gb_trace_open(trace, out);
  gb_json_string(&o, "operation", gb_operation_table[plan->operation].name);
  gb_json_integer(&o, "message_bytes", plan->bytes);
  gb_json_number(&o, "predicted_seconds", plan->predicted);
  gb_json_number(&o, "lower_bound_seconds", plan->bound);
  gb_json_hash(&o, "hash", plan->hash);
  gb_trace_events(trace, &o);
  mark(trace, "lower bound", plan->bound);
  mark(trace, "predicted", plan->predicted);
}

void gb_trace_end(const gb_trace *trace) {
  gb_json_end(&trace->events);
  fputs(" }\n", trace->document.out);
}

/* Where a process or thread stands among the others, and its name. */
static void put_name(gb_trace *trace, uint32_t process, uint32_t thread, const char *const kind[2],
                     const char *name, const char *rest) {
  gb_json_object o = begin_event(trace, "M", process, thread);
  gb_json_string(&o, "name", kind[0]);
  gb_json_object args = gb_json_begin_object(&o, "args");
  gb_json_integer(&args, "sort_index", thread > 0 ? thread : process);
  gb_json_end(&args);
  gb_json_end(&o);
  o = begin_event(trace, "M", process, thread);
  gb_json_string(&o, "name", kind[1]);
  args = gb_json_begin_object(&o, "args");
  gb_json_texts(&args, "name", name, rest, NULL);
  gb_json_end(&args);
  gb_json_end(&o);
}

void gb_trace_process(gb_trace *trace, uint32_t process, const char *name) {
  static const char *const kind[] = {"process_sort_index", "process_name"};
  put_name(trace, process, 0, kind, name, "");
}

void gb_trace_thread(gb_trace *trace, uint32_t process, uint32_t thread, const char *name, const char *rest) {
  static const char *const kind[] = {"thread_sort_index", "thread_name"};
  put_name(trace, process, thread, kind, name, rest);
}

gb_json_object gb_trace_slice(gb_trace *trace, uint32_t process, uint32_t thread, double start, double end,
                              const char *category) {
  gb_json_object o = begin_event(trace, "X", process, thread);
  put_time(&o, "ts", start);
  put_time(&o, "dur", end > start ? end - start : 0);
  gb_json_string(&o, "cat", category);
  return o;
}

void gb_trace_arrow(gb_trace *trace, uint32_t process, uint32_t thread, double time, size_t id, bool begins) {
  gb_json_object o = begin_event(trace, begins ? "s" : "f", process, thread);
  put_time(&o, "ts", time);
  gb_json_integer(&o, "id", id);
  gb_json_string(&o, "bp", "e");
  gb_json_string(&o, "cat", "send");
  gb_json_string(&o, "name", "send");
  gb_json_end(&o);
}
