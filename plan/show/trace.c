/* Pieces of a list of Chrome trace events. */
#include "plan/show/trace.h"
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
  gb_json_number(key, seconds * 1e6, trace->out);
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

void gb_trace_begin(gb_trace *trace, const gbcast_plan *plan, const char *operation, FILE *out) {
  *trace = (gb_trace){.out = out};
  fputs("{ \"displayTimeUnit\": \"ms\",\n  \"otherData\": { ", out);
  gb_json_string("operation", operation, out);
  fputs(", ", out);
  gb_json_integer("message_bytes", plan->bytes, out);
  fputs(", ", out);
  gb_json_number("predicted_seconds", plan->predicted, out);
  fputs(", ", out);
  gb_json_number("lower_bound_seconds", plan->bound, out);
  fprintf(out, ", \"hash\": \"%016" PRIx64 "\" },\n  \"traceEvents\": [", plan->hash);
  mark(trace, "lower bound", plan->bound);
  mark(trace, "predicted", plan->predicted);
}

void gb_trace_end(gb_trace *trace) {
  fputs("\n] }\n", trace->out);
}

void gb_trace_process(gb_trace *trace, uint32_t process, const char *name) {
  event(trace, "M");
  place(trace, process, 0);
  fputs("\"name\": \"process_sort_index\", \"args\": { ", trace->out);
  gb_json_integer("sort_index", process, trace->out);
  fputs(" } }", trace->out);
  event(trace, "M");
  place(trace, process, 0);
  fputs("\"name\": \"process_name\", \"args\": { ", trace->out);
  gb_json_string("name", name, trace->out);
  fputs(" } }", trace->out);
}

void gb_trace_thread(gb_trace *trace, uint32_t process, uint32_t thread) {
  event(trace, "M");
  place(trace, process, thread);
  fputs("\"name\": \"thread_sort_index\", \"args\": { ", trace->out);
  gb_json_integer("sort_index", thread, trace->out);
  fputs(" } }", trace->out);
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
