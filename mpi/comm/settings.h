/* Where the settings come from: environment variables, or MPI_Info keys of the same names in lower case. The
 * set-up reads them on rank 0 alone. */
#ifndef GB_MPI_COMM_SETTINGS_H
#define GB_MPI_COMM_SETTINGS_H

#include "mpi/comm/preload.h"
#include "mpi/settings/settings.h"
#include <mpi.h>
#include <stdbool.h>

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

/* Reads one setting from the environment; the others have their defaults. */
int gb_settings_read_one(const char *name, gb_settings *out, gbcast_error *err);

/* Prints environment variables that begin with GBCAST_ and are no settings. */
void gb_settings_tell_unknown(void);

#endif
