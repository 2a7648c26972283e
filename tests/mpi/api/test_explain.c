/* gbcast_explain(): every rank gets the same text, and it names the plan's hash. */
#include "tests/support/mpi/check.h"

static char *same_everywhere(MPI_Comm comm, size_t n, int root, bool scatter) {
  char *text = NULL;
  if (scatter)
    MUST(gbcast_explain_scatter(comm, n, root, &text));
  else
    MUST(gbcast_explain(comm, n, root, &text));
  CHECK(text != NULL && text[0] != '\0', "no text");
  int length = (int)strlen(text), longest;
  MUST(MPI_Allreduce(&length, &longest, 1, MPI_INT, MPI_MAX, comm));
  CHECK(length == longest, "texts differ in length");
  char *first = allocate((size_t)length + 1);
  memcpy(first, text, (size_t)length + 1);
  MUST(MPI_Bcast(first, length + 1, MPI_CHAR, 0, comm));
  CHECK(strcmp(first, text) == 0, "texts differ");
  free(first);
  return text;
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  MPI_Comm comm = MPI_COMM_WORLD;
  MUST(set_up(comm, "grid.txt", NULL, NULL, NULL));
  int last = size_of(comm) - 1;
  char *text = same_everywhere(comm, 1 << 20, 0, false);
  CHECK(strstr(text, "plan ") != NULL, "the text names no hash:\n%s", text);
  char *again = same_everywhere(comm, 1 << 20, 0, false);
  CHECK(strcmp(text, again) == 0, "not the same when asked again");
  if (argc > 1) /* the hash that gbcast-plan gives for the same */
    CHECK(strstr(text, argv[1]) != NULL, "hash %s is not in:\n%s", argv[1], text);
  free(text);
  free(again);
  free(same_everywhere(comm, 1000, last, true));
  free(same_everywhere(comm, 1, last, false));
  MUST(gbcast_explain(MPI_COMM_SELF, 5, 0, &text));
  free(text);
  CHECK(strcmp(gbcast_version(), "0.1.0") == 0, "version %s", gbcast_version());
  MUST(MPI_Finalize());
  return 0;
}
