/* Where the settings come from: environment variables, or MPI_Info keys of the same names in lower case. The
 * set-up reads them on rank 0 alone. */
#ifndef GB_MPI_COMM_SETTINGS_H
#define GB_MPI_COMM_SETTINGS_H

#include "mpi/settings/settings.h"
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>

/* What only the preloaded library knows about the process. */
typedef struct gb_preload {
  atomic_bool printed; /* the reason why calls are passed on to MPI has been printed */
  char *folder;        /* the current folder in MPI_Init(), where relative paths of settings begin; NULL: the
                          current folder now */
  MPI_Comm parent;   /* a duplicate of MPI_COMM_WORLD that returns errors. All other duplicates are made from
                        it, so that no error handler of the program is called. MPI_COMM_NULL: there is none */
  MPI_Group node;    /* the ranks that share memory with this one; MPI_GROUP_NULL: not known */
  int leader;        /* the lowest of them in MPI_COMM_WORLD; -1: not known */
  MPI_Comm requests; /* a duplicate of `parent` for requests of non-blocking calls: the messages that complete
                        them go from a process to itself, which MPICH 4.0 does not see on a communicator of
                        one process. MPI_COMM_NULL: not every process has a progress thread */
} gb_preload;

/* What gbcast_setup() was given in place of the environment, and what else is kept for gbcast_refresh(). */
typedef struct gb_overrides {
  char **value;        /* of each setting, by its number; NULL if it was not given. NULL: none was */
  gb_preload *preload; /* not NULL: of the preloaded library, which passes calls on to MPI if the set-up fails
                          or there is no hosts file */
  struct gb_nws_weather *service; /* GBCAST_LIVE: the weather service, kept open (live.h); NULL: none yet */
  int code; /* not MPI_SUCCESS: they could not be read, which rank 0 has to tell the other ranks */
} gb_overrides;

/* Prints keys that begin with gbcast_ and are no settings, and ignores them, as MPI does with unknown keys.
 */
void gb_overrides_read(const char *hosts_path, MPI_Info info, gb_overrides *out);
void gb_overrides_release(gb_overrides *overrides);

/* Overrides first, then the environment. A value that cannot be used is GBCAST_EUSAGE. */
int gb_settings_read(const gb_overrides *overrides, gb_settings *out, gbcast_error *err);

/* Reads one setting from the environment. Where its value is wrong, *out stays as it is. */
void gb_settings_read_one(const char *name, gb_settings *out);

/* Prints environment variables that begin with GBCAST_ and are no settings. */
void gb_settings_tell_unknown(void);

#endif
