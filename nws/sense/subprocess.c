#include "nws/sense/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

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

void gb_subprocess_stop(gb_subprocess *c) {
  if (c->event != NULL)
    event_free(c->event);
  if (c->process > 0) {
    (void)kill(c->process, SIGKILL); /* it may still run after its result */
    while (waitpid(c->process, NULL, 0) < 0 && errno == EINTR)
      ;
    (void)close(c->pipe);
  }
  *c = (gb_subprocess){0};
}

static void on_result(evutil_socket_t file, short what, void *context) {
  gb_subprocess *c = context;
  double result = 0;
  bool good = (what & EV_READ) != 0 && read(file, &result, sizeof result) == (ssize_t)sizeof result;
  gb_subprocess_ended *ended = c->ended;
  void *for_whom = c->context;
  gb_subprocess_stop(c);
  ended(for_whom, good, result);
}

bool gb_subprocess_start(gb_subprocess *c, struct event_base *base, unsigned seconds,
                         gb_subprocess_work *work, const void *what, gb_subprocess_ended *ended,
                         void *context) {
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
    (void)alarm(seconds);
    double result = work(what);
    _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
  }
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  (void)close(ends[1]);
  *c = (gb_subprocess){.process = process, .pipe = ends[0], .ended = ended, .context = context};
  if (process > 0)
    c->event = event_new(base, ends[0], EV_READ, on_result, c);
  const struct timeval time = {.tv_sec = seconds};
  if (c->event != NULL && event_add(c->event, &time) == 0)
    return true;
  if (process < 0)
    (void)close(ends[0]);
  gb_subprocess_stop(c);
  return false;
}
