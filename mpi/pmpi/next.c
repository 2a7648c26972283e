/* The next functions of the same names in the dynamic linker's order. */
#define _GNU_SOURCE
#include "mpi/pmpi/next.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* The functions of this process; constant after the first call. */
static gb_next_library next;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool called;

void *gb_next_named(const char *name) {
  char own[64]; /* MPI's own, if nothing comes next: MPI is linked into the program itself */
  void *found = dlsym(RTLD_NEXT, name);
  (void)snprintf(own, sizeof own, "P%s", name);
  return found != NULL ? found : dlsym(RTLD_DEFAULT, own);
}

static void look_up(void) {
#define NAMES(name, title) "MPI_" #title, "MPI_I" #name,
#define COUNTED(name, title) "MPI_" #title "_c", "MPI_I" #name "_c",
  static const char *const name[] = {"MPI_Init", "MPI_Init_thread", "MPI_Finalize",
                                     GB_EACH_COLLECTIVE(NAMES) GB_EACH_COUNTED(COUNTED)};
  void *found[sizeof name / sizeof *name];
  _Static_assert(sizeof found == sizeof next, "a name for each function, in their order");
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    found[i] = gb_next_named(name[i]);
  /* ISO C knows no way from an object to a function; POSIX has it so */
  memcpy(&next, (const void *)found, sizeof next);
  atomic_store(&called, true);
}

const gb_next_library *gb_next_in_line(void) {
  (void)pthread_once(&once, look_up);
  return &next;
}

bool gb_next_was_called(void) {
  return atomic_load(&called);
}

const char *gb_next_instead(const char *name) {
  Dl_info own, first;
  void *found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL || dladdr(found, &first) == 0 || dladdr((void *)&next, &own) == 0 ||
      first.dli_fbase == own.dli_fbase)
    return NULL;
  return first.dli_fname;
}
