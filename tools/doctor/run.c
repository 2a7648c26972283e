/* Running commands. */
#include "tools/doctor/doctor.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOT_FOUND = 127, CHUNK = 4096 };

static pid_t start(char *const *command, int pipe_end[2]) {
  const pid_t child = fork();
  if (child != 0)
    return child;
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(pipe_end[1], STDOUT_FILENO) >= 0 &&
      dup2(pipe_end[1], STDERR_FILENO) >= 0) {
    (void)close(pipe_end[0]);
    (void)close(pipe_end[1]);
    (void)execvp(command[0], command);
  }
  _exit(NOT_FOUND);
}

/* Copies until the end; false: that does not come in time. */
static bool copy(int from, unsigned seconds, FILE *to) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  const time_t until = now.tv_sec + (time_t)seconds;
  while (now.tv_sec < until) {
    char bytes[CHUNK];
    struct pollfd ready = {.fd = from, .events = POLLIN};
    const int rc = poll(&ready, 1, 1000);
    const ssize_t got = rc > 0 ? read(from, bytes, sizeof bytes) : -1;
    if (rc > 0 && got == 0)
      return true;
    if (got > 0)
      (void)fwrite(bytes, 1, (size_t)got, to);
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
  }
  return false;
}

int gb_doctor_run(char *const *command, unsigned seconds, char **output) {
  size_t length = 0;
  int pipe_end[2], state = 0;
  *output = NULL;
  FILE *memory = open_memstream(output, &length);
  if (memory == NULL)
    return -1;
  if (pipe(pipe_end) != 0) {
    (void)fclose(memory);
    return -1;
  }
  const pid_t child = start(command, pipe_end);
  (void)close(pipe_end[1]);
  const bool ended = child > 0 && copy(pipe_end[0], seconds, memory);
  (void)close(pipe_end[0]);
  if (child > 0 && !ended)
    (void)kill(child, SIGTERM);
  while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
    ;
  (void)fclose(memory);
  return ended && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}
