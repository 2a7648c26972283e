/* Shows progress on the user's terminal. The stderr of a rank is a pipe to the launcher, so the terminal is
 * found from the stderr of the launcher. The launcher is the parent of the rank, or with Hydra the parent of
 * its parent. */
#include "probe/lead.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
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

void gb_lead_open_terminal(gb_lead *l) {
  if (!l->options->quiet)
    l->terminal = isatty(STDERR_FILENO) == 1 ? stderr : launcher_terminal();
}

void gb_lead_close_terminal(gb_lead *l) {
  gb_lead_say(l, "%s", "");
  if (l->terminal != NULL && l->terminal != stderr)
    (void)fclose(l->terminal);
  l->terminal = NULL;
}

void gb_lead_say(const gb_lead *l, const char *format, ...) {
  if (l->terminal == NULL)
    return;
  va_list list;
  va_start(list, format);
  (void)fputs("\r\033[K", l->terminal);
  if (strcmp(format, "%s") != 0 && isfinite(l->options->budget))
    (void)fprintf(l->terminal, "%4.1f s of %g s: ", gb_lead_elapsed(l), l->options->budget);
  else if (strcmp(format, "%s") != 0)
    (void)fprintf(l->terminal, "%4.1f s: ", gb_lead_elapsed(l));
  (void)vfprintf(l->terminal, format, list);
  (void)fflush(l->terminal);
  va_end(list);
}
