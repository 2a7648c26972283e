#include "close_stdout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void close_stdout(void) {
  int failed = ferror(stdout);
  errno = 0;
  if (fclose(stdout) != 0 || failed) {
    fprintf(stderr, GBCAST_PROGRAM ": cannot write to standard output%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    _exit(1);
  }
}
