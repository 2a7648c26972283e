/* The libraries beside this program, and whether the launcher belongs to their MPI library. */
#define _GNU_SOURCE
#include "tools/doctor/doctor.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>

enum { LONGEST_VERSION = 16384, PATIENCE = 20 };

typedef int version_of_mpi(char *version, int *length);
typedef const char *version_of_gbcast(void);

/* Where it is installed, or in the folders of a build. */
static bool find(const gb_doctor *d, const char *name, char path[GB_DOCTOR_PATH]) {
  static const char *const folder[] = {GBCAST_LIBRARIES, "../mpi", "../mpi/pmpi"};
  for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
    char at[GB_DOCTOR_PATH + 64];
    (void)snprintf(at, sizeof at, "%s/%s/%s", d->bin, folder[i], name);
    if (realpath(at, path) != NULL)
      return true;
  }
  path[0] = '\0';
  return false;
}

/* The file that programs load, which are linked with it; false: they find none without help. */
static bool find_loaded(const char *name, char path[GB_DOCTOR_PATH]) {
  struct link_map *map = NULL;
  void *handle = dlopen(name, RTLD_LAZY);
  return handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, path) != NULL;
}

/* Loads the library and sets what its MPI library is called. */
static bool load(gb_doctor *d, const char *path, char mpi[GB_VERSION_TEXT]) {
  char version[LONGEST_VERSION] = "";
  int length = 0;
  void *handle = dlopen(path, RTLD_LAZY);
  if (handle == NULL) {
    gb_doctor_say(d, GB_FAIL, "library", "%s: install that MPI library, or add its folder to LD_LIBRARY_PATH",
                  dlerror());
    return false;
  }
  version_of_mpi *of_mpi;
  version_of_gbcast *of_gbcast;
  *(void **)&of_mpi = dlsym(handle, "MPI_Get_library_version");
  *(void **)&of_gbcast = dlsym(handle, "gbcast_version");
  if (of_mpi == NULL || of_gbcast == NULL || of_mpi(version, &length) != 0) {
    gb_doctor_say(d, GB_FAIL, "library", "%s is no libgbcast with an MPI library: install gbcast again",
                  path);
    return false;
  }
  gb_shorten_version(version, mpi);
  const bool same = strcmp(of_gbcast(), GBCAST_VERSION) == 0;
  gb_doctor_say(d, same ? GB_WELL : GB_FAIL, "library", "%s: version %s with %s%s", path, of_gbcast(), mpi,
                same ? "" : ", but this is gbcast-doctor " GBCAST_VERSION ": install gbcast again");
  return true;
}

static void check_preload(gb_doctor *d) {
  const char *given = getenv("LD_PRELOAD");
  char *list = strdup(given != NULL ? given : ""), *rest = NULL;
  for (char *path = list != NULL ? strtok_r(list, ": ", &rest) : NULL; path != NULL;
       path = strtok_r(NULL, ": ", &rest)) {
    char real[PATH_MAX] = "";
    if (strstr(path, "libgbcast-pmpi") == NULL)
      continue;
    if (realpath(path, real) == NULL)
      gb_doctor_say(d, GB_FAIL, "preload", "LD_PRELOAD names %s, which is not there: set it to %s", path,
                    d->preload);
    else if (strcmp(real, d->preload) != 0)
      gb_doctor_say(d, GB_WARN, "preload",
                    "LD_PRELOAD names %s, which is not of this installation: set it to %s", path, d->preload);
  }
  free(list);
}

/* Which kind a library or a launcher is of; NULL: of another, or of any. */
static const char *kind_of(const char *text) {
  static const char *const kind[][2] = {
      {"Open MPI", "Open MPI"}, {"OpenRTE", "Open MPI"}, {"prte", "Open MPI"}, {"Spectrum MPI", "Open MPI"},
      {"HYDRA", "MPICH"},       {"MPICH", "MPICH"},      {"MVAPICH", "MPICH"}, {"Intel(R) MPI", "MPICH"}};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
    if (strstr(text, kind[i][0]) != NULL)
      return kind[i][1];
  return NULL;
}

static void check_launcher(gb_doctor *d, const char *mpi) {
  char *command[] = {d->launcher != NULL ? d->launcher[0] : "mpiexec", "--version", NULL}, *output = NULL;
  const int status = gb_doctor_run(command, PATIENCE, &output);
  const char *library = kind_of(mpi), *kind = output != NULL && status == 0 ? kind_of(output) : NULL;
  if (status == 127) {
    d->launcher = NULL; /* nothing can be started */
    gb_doctor_say(d, GB_FAIL, "launcher", "%s is not in PATH: install the launcher of %s, or add its folder",
                  command[0], mpi);
  } else if (kind != NULL && library != NULL && kind != library)
    gb_doctor_say(
        d, GB_FAIL, "launcher",
        "%s is of %s, but this gbcast was built with %s: use the mpiexec of %s, or build gbcast with %s",
        command[0], kind, mpi, library, kind);
  else
    gb_doctor_say(d, GB_WELL, "launcher", "%s%s%s", command[0], kind != NULL ? " of " : "",
                  kind != NULL ? kind : ", of no known MPI library: it is taken to be the right one");
  free(output);
}

void gb_doctor_library(gb_doctor *d) {
  static const char name[] = "libgbcast.so.0";
  char path[GB_DOCTOR_PATH], loaded[GB_DOCTOR_PATH], mpi[GB_VERSION_TEXT] = "its MPI library";
  const bool is_loaded = find_loaded(name, loaded); /* first: loaded by its path it would be found by name */
  if (!find(d, name, path) || !find(d, "libgbcast-pmpi.so", d->preload)) {
    gb_doctor_say(d, GB_FAIL, "library", "%s/" GBCAST_LIBRARIES " has no %s: install gbcast again", d->bin,
                  path[0] == '\0' ? name : "libgbcast-pmpi.so");
    return;
  }
  if (!load(d, path, mpi))
    return;
  if (is_loaded && strcmp(loaded, path) != 0)
    gb_doctor_say(d, GB_WARN, "library", "programs load %s instead: change LD_LIBRARY_PATH", loaded);
  check_preload(d);
  check_launcher(d, mpi);
}
