/* A language binding that opens the MPI library by itself and asks that handle for its functions:
 *
 *   opened LIBRARY */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

typedef int init_fn(int *, char ***);
typedef int bcast_fn(void *, int, MPI_Datatype, int, MPI_Comm);
typedef int finalize_fn(void);

int main(int argc, char **argv) {
  static int buffer[60000];
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "opened: %s\n", dlerror());
    return 1;
  }
  init_fn *init = (init_fn *)dlsym(library, "MPI_Init");
  bcast_fn *bcast = (bcast_fn *)dlsym(library, "MPI_Bcast");
  finalize_fn *finalize = (finalize_fn *)dlsym(library, "MPI_Finalize");
  init(&argc, &argv);
  bcast(buffer, 60000, MPI_INT, 0, MPI_COMM_WORLD);
  return finalize();
}
