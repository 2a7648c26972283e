/* The stderr of a rank is a pipe to the launcher, so the terminal is found from the stderr of the launcher.
 * The launcher is the parent of the rank, or with Hydra the parent of its parent. */
#include "mpi/job/job.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds the name and the parent of a process in /proc; false: that is not possible. */
static bool look_up(long pid, char name[32], long *parent) {
  char path[64];
  (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  FILE *in = fopen(path, "r");
  char line[512] = "";
  bool ok = in != NULL && fgets(line, sizeof line, in) != NULL;
  if (in != NULL)
    (void)fclose(in);
  const char *open = strchr(line, '('), *close = strrchr(line, ')');
  if (!ok || open == NULL || close == NULL || strlen(close) < 5)
    return false;
  (void)snprintf(name, 32, "%.*s", (int)(close - open - 1), open + 1);
  *parent = strtol(close + 4, NULL, 10); /* behind ") S " */
  return true;
}

/* Opens the terminal to which the launcher's stderr goes. NULL: it goes to none, or the launcher runs on
 * another machine. */
static FILE *launcher_terminal(void) {
  long pid = getppid(), parent = 0;
  char name[32], path[64];
  if (!look_up(pid, name, &parent))
    return NULL;
  if (strncmp(name, "hydra", 5) == 0)
    pid = parent;
  (void)snprintf(path, sizeof path, "/proc/%ld/fd/2", pid);
  int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  FILE *out = fd >= 0 && isatty(fd) == 1 ? fdopen(fd, "w") : NULL;
  if (fd >= 0 && out == NULL)
    (void)close(fd);
  return out;
}

FILE *gb_job_terminal(void) {
  return isatty(STDERR_FILENO) == 1 ? stderr : launcher_terminal();
}
