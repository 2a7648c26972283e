/* The log of gbcast-nws serve. As bytes of a file: reading ends, and goes forward. As bodies of entries (two
 * bytes of length before each), whatever they say: what is kept then can be written and read again. */
#include "serve.h"

static void read_as_file(const uint8_t *data, size_t size) {
  gb_view body;
  enum gb_log_scan found = GB_LOG_SCAN_GAP;
  for (size_t at = 0, before = 0; at < size && found != GB_LOG_SCAN_END; before = at) {
    found = gb_log_entry_next(data, size, &at, &body);
    must(at <= size && (at > before || found == GB_LOG_SCAN_END));
    if (found == GB_LOG_SCAN_END)
      (void)gb_log_entry_is_torn(data + at, size - at);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gb_nws_registry registry = {0};
  gb_nws_memory memory = {.ring = 5};
  gb_reader in = {.at = data, .left = size};
  read_as_file(data, size);
  while (in.left > 2) {
    size_t length = gb_get_u16(&in);
    length = length < in.left ? length : in.left;
    (void)gb_log_entry_apply((gb_view){(const char *)gb_get(&in, length), length}, &registry, &memory);
  }
  gb_bytes log = kept(&registry, &memory);
  must_bring_back(log.data, log.size, &registry, &memory);
  gb_bytes_release(&log);
  gb_nws_registry_release(&registry);
  gb_nws_memory_release(&memory);
  return 0;
}
