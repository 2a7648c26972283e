/* Sizes of an experiment that a peer may ask for. */
#include "nws/sense/experiment.h"

enum { BURST_MOST = 64 << 20, BUFFER_LEAST = 4096, BUFFER_MOST = 4 << 20 };

bool gb_experiment_sound(const gb_experiment *e) {
  return e->size <= BURST_MOST && e->message <= BURST_MOST && (e->size == 0 || e->message > 0);
}

uint64_t gb_experiment_burst(const gb_experiment *e) {
  return e->size == 0 ? 0 : ((uint64_t)e->size + e->message - 1) / e->message * e->message;
}

int gb_experiment_socket_buffer(const gb_experiment *e) {
  if (e->buffer < BUFFER_LEAST)
    return BUFFER_LEAST;
  return e->buffer < BUFFER_MOST ? (int)e->buffer : BUFFER_MOST;
}
