/* What a name server and a memory keep, as the entries of a log. */
#ifndef GB_TESTS_FUZZ_SERVE_H
#define GB_TESTS_FUZZ_SERVE_H

#include "fuzz.h"

#include "nws/store/log_entry.h"

static inline gb_bytes kept(const gb_nws_registry *registry, const gb_nws_memory *memory) {
  gb_bytes out = {0};
  const gb_registered *object;
  const gb_stored_series *series;
  for (uint64_t next = 0; (object = gb_nws_registry_from(registry, next, 0)) != NULL;
       next = object->indexed.number + 1)
    gb_log_entry_object(&out, object->indexed.key, object->expires, object->indexed.number);
  for (uint64_t next = 0; (series = gb_nws_memory_from(memory, next)) != NULL;
       next = series->indexed.number + 1)
    gb_log_entry_series(&out, series);
  must(!out.failed);
  return out;
}

/* The log of a registry and a memory brings back just these. */
static inline void must_bring_back(const unsigned char *log, size_t size, const gb_nws_registry *registry,
                                   const gb_nws_memory *memory) {
  gb_nws_registry registry_again = {0};
  gb_nws_memory memory_again = {.ring = memory->ring};
  gb_view body;
  for (size_t at = 0; at < size;) {
    must(gb_log_entry_next(log, size, &at, &body) == GB_LOG_SCAN_ENTRY);
    must(gb_log_entry_apply(body, &registry_again, &memory_again) == GB_APPLIED);
  }
  gb_bytes want = kept(registry, memory), got = kept(&registry_again, &memory_again);
  must(got.size == want.size && (want.size == 0 || memcmp(got.data, want.data, want.size) == 0));
  gb_bytes_release(&want);
  gb_bytes_release(&got);
  gb_nws_registry_release(&registry_again);
  gb_nws_memory_release(&memory_again);
}

#endif
