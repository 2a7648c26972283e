/* Pieces of a list of Chrome trace events. */
#include "plan/show/trace.h"
#include "plan/core/core.h"
#include "plan/show/json.h"

#include <inttypes.h>
#include <math.h>

static void event(gb_trace *trace, const char *kind) {
  fprintf(trace->out, trace->any ? ",\n{ \"ph\": \"%s\", " : "\n{ \"ph\": \"%s\", ", kind);
  trace->any = true;
}

static void place(gb_trace *trace, uint32_t process, uint32_t thread) {
  fprintf(trace->out, "\"pid\": %" PRIu32 ", \"tid\": %" PRIu32 ", ", process, thread);
}

static void put_time(gb_trace *trace, const char *key, double seconds) {
  gb_json_object o = {.out = trace->out};
  gb_json_number(&o, key, seconds * 1e6);
  fputs(", ", trace->out);
}

static void mark(gb_trace *trace, const char *name, double seconds) {
  if (isfinite(seconds)) {
    event(trace, "i");
    place(trace, 1, 1);
    put_time(trace, "ts", seconds);
    fprintf(trace->out, "\"s\": \"g\", \"name\": \"%s\" }", name);
  }
}

gb_json_object gb_trace_open(gb_trace *trace, FILE *out) {
  *trace = (gb_trace){.out = out};
  fputs("{ \"displayTimeUnit\": \"ms\",\n  \"otherData\": ", out);
  return gb_json_begin(out);
}

void gb_trace_events(const gb_json_object *other) {
  gb_json_end(other);
  fputs(",\n  \"traceEvents\": [", other->out);
}

void gb_trace_begin(gb_trace *trace, const gbcast_plan *plan, const char *operation, FILE *out) {
  gb_json_object o = gb_trace_open(trace, out);
  gb_json_string(&o, "operation", operation);
  gb_json_integer(&o, "message_bytes", plan->bytes);
  gb_json_number(&o, "predicted_seconds", plan->predicted);
  gb_json_number(&o, "lower_bound_seconds", plan->bound);
  gb_json_hash(&o, "hash", plan->hash);
  gb_trace_events(&o);
  mark(trace, "lower bound", plan->bound);
  mark(trace, "predicted", plan->predicted);
}

void gb_trace_end(gb_trace *trace) {
  fputs("\n] }\n", trace->out);
}

/* Where a process or thread stands among the others. */
static void put_index(gb_trace *trace, uint32_t process, uint32_t thread, const char *name, uint32_t index) {
  event(trace, "M");
  place(trace, process, thread);
  fprintf(trace->out, "\"name\": \"%s\", \"args\": { \"sort_index\": %" PRIu32 " } }", name, index);
}

void gb_trace_process(gb_trace *trace, uint32_t process, const char *name) {
  put_index(trace, process, 0, "process_sort_index", process);
  event(trace, "M");
  place(trace, process, 0);
  fputs("\"name\": \"process_name\", \"args\": ", trace->out);
  gb_json_object o = gb_json_begin(trace->out);
  gb_json_string(&o, "name", name);
  gb_json_end(&o);
  fputs(" }", trace->out);
}

void gb_trace_thread(gb_trace *trace, uint32_t process, uint32_t thread) {
  put_index(trace, process, thread, "thread_sort_index", thread);
  event(trace, "M");
  place(trace, process, thread);
  fputs("\"name\": \"thread_name\", \"args\": { \"name\": \"", trace->out);
}

void gb_trace_slice(gb_trace *trace, uint32_t process, uint32_t thread, double start, double end,
                    const char *category) {
  event(trace, "X");
  place(trace, process, thread);
  put_time(trace, "ts", start);
  put_time(trace, "dur", end > start ? end - start : 0);
  fprintf(trace->out, "\"cat\": \"%s\", ", category);
}

void gb_trace_arrow(gb_trace *trace, uint32_t process, uint32_t thread, double time, size_t id, bool begins) {
  event(trace, begins ? "s" : "f");
  place(trace, process, thread);
  put_time(trace, "ts", time);
  fprintf(trace->out, "\"id\": %zu, \"bp\": \"e\", \"cat\": \"send\", \"name\": \"send\" }", id);
}
