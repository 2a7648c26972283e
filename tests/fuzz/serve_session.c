/* Conversations with gbcast-nws serve: whatever a client says to the memory and to the name server, the
 * answers are messages, and the log brings back what is kept. */
#include "serve.h"

#include "nws/serve/session.h"

#include <stdio.h>
#include <sys/mman.h>

#define NOW 1795300000.0

static void check_answers(gb_view said) {
  gb_nws_message m;
  size_t size = 0;
  for (; said.length > 0; said = (gb_view){said.at + size, said.length - size}) {
    must(gb_nws_frame((const unsigned char *)said.at, said.length, SIZE_MAX, &size) == GB_NWS_WHOLE);
    must(gb_nws_decode((const unsigned char *)said.at, size, &m));
  }
}

static void converse(gb_service *service, bool with_memory, const uint8_t *data, size_t size) {
  gb_session s;
  gb_session_start(&s, service, with_memory);
  gb_session_take(&s, data, size);
  while (gb_session_has_work(&s)) {
    (void)gb_session_work(&s, NOW, 1);
    gb_view said = gb_session_output(&s);
    check_answers(said);
    gb_session_sent(&s, said.length);
  }
  gb_session_end(&s);
  must(service->held == 0 && LIST_EMPTY(&service->subscribers));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FILE *file = tmpfile();
  must(file != NULL);
  gb_store store = {.report = stderr, .memory.ring = 7};
  store.log = (gb_log){.path = "fuzz", .folder = -1, .lock = -1, .file = fileno(file)};
  gb_service service = {
      .store = &store, .own = gb_view_of("name:m\tobjectclass:nwsHost\t\t"), .held_most = 1u << 26};
  converse(&service, true, data, size);
  converse(&service, false, data, size);
  if (store.log.size > 0) {
    void *log = mmap(NULL, store.log.size, PROT_READ, MAP_PRIVATE, store.log.file, 0);
    must(log != MAP_FAILED);
    must_bring_back(log, store.log.size, &store.registry, &store.memory);
    (void)munmap(log, store.log.size);
  }
  gb_nws_registry_release(&store.registry);
  gb_nws_memory_release(&store.memory);
  gb_bytes_release(&store.entry);
  (void)fclose(file);
  return 0;
}
