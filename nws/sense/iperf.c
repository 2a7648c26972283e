#include "nws/sense/iperf.h"

#include <errno.h>
#include <fcntl.h>
#include <iperf_api.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static double serve(const gb_iperf_end *end) {
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

static double measure(const gb_iperf_end *end) {
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
    if (i_errno != IECONNECT) /* it may not listen yet */
      return -1;
    iperf_free_test(test);
    (void)nanosleep(&pause, NULL);
  }
  return -1;
}

/* Inherited connections would otherwise stay open for as long as the child lives. */
static void close_all_but(int kept) {
  long most = sysconf(_SC_OPEN_MAX);
  int nowhere = open("/dev/null", O_RDWR);
  for (int file = 0; file < 3 && nowhere >= 0; file++)
    (void)dup2(nowhere, file);
  for (int file = 3; file < most; file++)
    if (file != kept)
      (void)close(file);
}

/* The signal handlers of the event loop must not run in the child. */
static void default_signals(const sigset_t *mask) {
  const int signals[] = {SIGINT, SIGTERM, SIGALRM, SIGPIPE};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    (void)signal(signals[i], SIG_DFL);
  (void)sigprocmask(SIG_SETMASK, mask, NULL);
}

void gb_iperf_stop(gb_iperf_process *p) {
  if (p->event != NULL)
    event_free(p->event);
  if (p->id > 0) {
    (void)kill(p->id, SIGKILL); /* it may still run after its result */
    while (waitpid(p->id, NULL, 0) < 0 && errno == EINTR)
      ;
    (void)close(p->pipe);
  }
  *p = (gb_iperf_process){0};
}

static void on_result(evutil_socket_t file, short what, void *context) {
  gb_iperf_process *p = context;
  double result = 0;
  bool good = (what & EV_READ) != 0 && read(file, &result, sizeof result) == (ssize_t)sizeof result;
  gb_iperf_ended *ended = p->ended;
  void *for_whom = p->context;
  gb_iperf_stop(p);
  ended(for_whom, good ? result : -1);
}

bool gb_iperf_start(gb_iperf_process *p, struct event_base *base, enum gb_iperf_role role,
                    const gb_iperf_end *end, gb_iperf_ended *ended, void *context) {
  int ends[2];
  sigset_t all, before;
  if (pipe(ends) != 0)
    return false;
  (void)fflush(NULL); /* or the child would write it again */
  (void)sigfillset(&all);
  (void)sigprocmask(SIG_BLOCK, &all, &before);
  pid_t process = fork();
  if (process == 0) {
    close_all_but(ends[1]);
    default_signals(&before);
    (void)alarm(GB_IPERF_SECONDS);
    double result = role == GB_IPERF_SERVE ? serve(end) : measure(end);
    _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
  }
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  (void)close(ends[1]);
  *p = (gb_iperf_process){.id = process, .pipe = ends[0], .ended = ended, .context = context};
  if (process > 0)
    p->event = event_new(base, ends[0], EV_READ, on_result, p);
  const struct timeval time = {.tv_sec = GB_IPERF_SECONDS};
  if (p->event != NULL && event_add(p->event, &time) == 0)
    return true;
  if (process < 0)
    (void)close(ends[0]);
  gb_iperf_stop(p);
  return false;
}
