/* What a rank says on stderr. Not in the simulator, whose ranks share one. */
#ifndef GB_TESTS_SUPPORT_MPI_HEARD_H
#define GB_TESTS_SUPPORT_MPI_HEARD_H

#include "tests/support/mpi/check.h"

#ifndef GB_TEST_SMPI
/* What `call` writes to stderr in this process; to be freed. */
static inline char *heard(void (*call)(MPI_Comm), MPI_Comm comm) {
  char *text = NULL;
  size_t length = 0;
  FILE *kept = tmpfile(), *out = open_memstream(&text, &length);
  CHECK(kept != NULL && out != NULL, "no temporary file");
  fflush(stderr);
  int before = dup(STDERR_FILENO);
  CHECK(before >= 0 && dup2(fileno(kept), STDERR_FILENO) >= 0, "cannot redirect stderr");
  call(comm);
  fflush(stderr);
  CHECK(dup2(before, STDERR_FILENO) >= 0, "cannot put stderr back");
  close(before);
  rewind(kept);
  for (int c; (c = getc(kept)) != EOF;)
    putc(c, out);
  fclose(kept);
  CHECK(fclose(out) == 0, "no memory");
  return text;
}
#endif

#endif
