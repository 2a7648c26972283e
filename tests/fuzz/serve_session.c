/* Conversations with gbcast-nws serve: whatever a client says to the memory and to the name server, the
 * answers are messages, and the log brings back what is kept. */
#include "serve.h"

#include "nws/serve/session.h"

#include <stdio.h>
#include <sys/mman.h>

#define NOW 1795300000.0

static void check_answers(gb_text said) {
  gb_nws_message m;
  size_t size = 0;
  for (; said.length > 0; said = (gb_text){said.at + size, said.length - size}) {
    must(gb_nws_frame((const unsigned char *)said.at, said.length, SIZE_MAX, &size) == GB_NWS_WHOLE);
    must(gb_nws_decode((const unsigned char *)said.at, size, &m));
  }
}

static void converse(gb_service *service, bool with_memory, const uint8_t *data, size_t size) {
  gb_session s;
  gb_session_start(&s, service, with_memory);
  gb_session_take(&s, data, size);
  while (gb_session_has_work(&s)) {
    service->spent = 0;
    gb_session_work(&s, NOW);
    gb_text said = gb_session_output(&s);
    check_answers(said);
    gb_session_sent(&s, said.length);
  }
  gb_session_end(&s);
  must(service->held == 0 && service->subscribers == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FILE *file = tmpfile();
  must(file != NULL);
  gb_depot depot = {.report = stderr, .memory.ring = 7};
  depot.log = (gb_log){.path = "fuzz", .folder = -1, .lock = -1, .file = fileno(file)};
  gb_service service = {
      .depot = &depot, .own = gb_text_of("name:m\tobjectclass:nwsHost\t\t"), .held_most = 1u << 26};
  converse(&service, true, data, size);
  converse(&service, false, data, size);
  if (depot.log.size > 0) {
    void *log = mmap(NULL, depot.log.size, PROT_READ, MAP_PRIVATE, depot.log.file, 0);
    must(log != MAP_FAILED);
    must_bring_back(log, depot.log.size, &depot.registry, &depot.memory);
    (void)munmap(log, depot.log.size);
  }
  gb_registry_release(&depot.registry);
  gb_memory_release(&depot.memory);
  gb_bytes_release(&depot.entry);
  (void)fclose(file);
  return 0;
}
