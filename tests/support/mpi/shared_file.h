/* Temporary files of rank 0. */
#ifndef GB_TESTS_SUPPORT_MPI_SHARED_FILE_H
#define GB_TESTS_SUPPORT_MPI_SHARED_FILE_H

#include "tests/support/mpi/check.h"

enum { PATH = 64 };

/* A file that all know the name of. */
static inline void make_file(char path[PATH]) {
  snprintf(path, PATH, "/tmp/gbcast-test-XXXXXX");
  if (rank_in(MPI_COMM_WORLD) == 0) {
    int fd = mkstemp(path);
    CHECK(fd >= 0 && close(fd) == 0, "no temporary file %s", path);
  }
  MUST(MPI_Bcast(path, PATH, MPI_CHAR, 0, MPI_COMM_WORLD));
}

static inline void write_file(const char *path, const char *text) {
  if (rank_in(MPI_COMM_WORLD) == 0) {
    FILE *out = fopen(path, "w");
    CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0, "cannot write %s", path);
  }
}

#endif
