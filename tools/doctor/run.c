/* Running commands. What they print on stdout and on stderr is read apart, so that no line of one ends within
 * a line of the other. */
#include "tools/doctor/doctor.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { NOT_FOUND = 127, CHUNK = 4096, STREAMS = 2 }; /* stdout, stderr */

typedef struct stream {
  int from, to; /* the ends of a pipe; -1: closed */
  FILE *memory; /* what has come */
  char *text;
  size_t length;
} stream;

static void close_end(int *end) {
  if (*end >= 0)
    (void)close(*end);
  *end = -1;
}

static bool open_streams(stream s[STREAMS]) {
  bool ok = true;
  for (int i = 0; i < STREAMS; i++) {
    int end[2] = {-1, -1};
    ok = pipe(end) == 0 && ok;
    s[i] = (stream){.from = end[0], .to = end[1]};
    s[i].memory = open_memstream(&s[i].text, &s[i].length);
    ok = s[i].memory != NULL && ok;
  }
  return ok;
}

/* Returns 0, or the number of the error. */
static int start(char *const *command, const stream s[STREAMS], pid_t *child) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0)
    return code;
  code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (int i = 0; code == 0 && i < STREAMS; i++)
    code = posix_spawn_file_actions_adddup2(&actions, s[i].to, STDOUT_FILENO + i);
  for (int i = 0; code == 0 && i < STREAMS; i++) {
    code = posix_spawn_file_actions_addclose(&actions, s[i].from);
    if (code == 0)
      code = posix_spawn_file_actions_addclose(&actions, s[i].to);
  }
  if (code == 0)
    code = posix_spawnp(child, command[0], &actions, NULL, command, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
  return code;
}

/* Reads both until they end; false: they have not ended in time. */
static bool copy(stream s[STREAMS], unsigned seconds) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  const time_t until = now.tv_sec + (time_t)seconds;
  while (s[0].from >= 0 || s[1].from >= 0) {
    struct pollfd ready[STREAMS] = {{.fd = s[0].from, .events = POLLIN}, {.fd = s[1].from, .events = POLLIN}};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec >= until)
      return false;
    if (poll(ready, STREAMS, 1000) <= 0)
      continue;
    for (int i = 0; i < STREAMS; i++) {
      char bytes[CHUNK];
      const ssize_t got = ready[i].revents != 0 ? read(s[i].from, bytes, sizeof bytes) : -1;
      if (got > 0)
        (void)fwrite(bytes, 1, (size_t)got, s[i].memory);
      else if (got == 0)
        close_end(&s[i].from);
    }
  }
  return true;
}

/* Closes both, and returns what came by them, stdout first; NULL: out of memory. */
static char *join(stream s[STREAMS]) {
  for (int i = 0; i < STREAMS; i++) {
    close_end(&s[i].from);
    close_end(&s[i].to);
    if (s[i].memory != NULL)
      (void)fclose(s[i].memory);
  }
  char *text = NULL;
  if (s[0].text != NULL && s[1].text != NULL)
    text = malloc(s[0].length + s[1].length + 2);
  if (text != NULL)
    (void)sprintf(text, "%s\n%s", s[0].text, s[1].text);
  for (int i = 0; i < STREAMS; i++)
    free(s[i].text);
  return text;
}

int gb_doctor_run(char *const *command, unsigned seconds, char **output) {
  stream s[STREAMS];
  pid_t child = -1;
  int status = -1, state = 0;
  if (open_streams(s)) {
    const int code = start(command, s, &child);
    for (int i = 0; i < STREAMS; i++)
      close_end(&s[i].to);
    const bool ended = code == 0 && copy(s, seconds);
    if (code == 0 && !ended)
      (void)kill(child, SIGTERM);
    while (code == 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
      ;
    if (ended && WIFEXITED(state))
      status = WEXITSTATUS(state);
    else if (code == ENOENT || code == EACCES || code == ENOTDIR || code == ENOEXEC)
      status = NOT_FOUND;
  }
  *output = join(s);
  return status;
}
