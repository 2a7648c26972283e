/* A program that takes MPI's functions from a handle of dlopen(), as some language bindings do:
 *
 *   opened LIBRARY */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

typedef int init_fn(int *, char ***);
typedef int bcast_fn(void *, int, MPI_Datatype, int, MPI_Comm);
typedef int finalize_fn(void);

#ifdef OPEN_MPI /* whose handles are addresses in the library */
#define WORLD (MPI_Comm) dlsym(library, "ompi_mpi_comm_world")
#define INT (MPI_Datatype) dlsym(library, "ompi_mpi_int")
#else
#define WORLD MPI_COMM_WORLD
#define INT MPI_INT
#endif

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
  bcast(buffer, 60000, INT, 0, WORLD);
  return finalize();
}
