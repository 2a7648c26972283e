#include "nws/sense/iperf.h"

#include <iperf_api.h>
#include <jansson.h>
#include <time.h>

enum { ATTEMPTS = 40, PAUSE_MS = 50 }; /* until the server listens */

static struct iperf_test *new_test(const gb_iperf_end *end, char role) {
  struct iperf_test *test = iperf_new_test();
  if (test == NULL || iperf_defaults(test) != 0)
    return NULL;
  iperf_set_test_role(test, role);
  iperf_set_test_server_port(test, end->port);
  iperf_set_test_json_output(test, 1);
  return test;
}

double gb_iperf_serve(const void *what) {
  const gb_iperf_end *end = what;
  struct iperf_test *test = new_test(end, 's');
  if (test == NULL)
    return -1;
  iperf_set_test_bind_address(test, end->address);
  iperf_set_test_one_off(test, 1);
  return iperf_run_server(test) == 0 ? 0 : -1;
}

/* end.sum_received.bits_per_second: what arrived, by the receiver's clock. */
static double read_result(const char *text) {
  json_t *root = text != NULL ? json_loads(text, 0, NULL) : NULL;
  const json_t *received = json_object_get(json_object_get(root, "end"), "sum_received");
  const json_t *rate = json_object_get(received, "bits_per_second");
  double result = json_is_number(rate) ? json_number_value(rate) / 1e6 : -1;
  json_decref(root);
  return result;
}

static bool listens_not_yet(void) {
  return i_errno == IECONNECT;
}

double gb_iperf_measure(const void *what) {
  const gb_iperf_end *end = what;
  const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    struct iperf_test *test = new_test(end, 'c');
    if (test == NULL)
      return -1;
    iperf_set_test_server_hostname(test, end->address);
    iperf_set_test_duration(test, 0);
    iperf_set_test_bytes(test, (uint64_t)GB_IPERF_SIZE * 1024);
    iperf_set_test_blksize(test, GB_IPERF_MESSAGE * 1024);
    if (iperf_run_client(test) == 0)
      return read_result(iperf_get_test_json_output_string(test));
    if (!listens_not_yet())
      return -1;
    iperf_free_test(test);
    (void)nanosleep(&pause, NULL);
  }
  return -1;
}
