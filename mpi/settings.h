/* Where the settings come from: environment variables, or MPI_Info keys of the same name in lower case. Read
 * on rank 0 only.
 */
#ifndef GB_MPI_SETTINGS_H
#define GB_MPI_SETTINGS_H

#include "mpi/preload.h"
#include "plan/settings.h"
#include <mpi.h>
#include <stdbool.h>

/* What gbcast_setup() was given in place of the environment, and what else is kept for gbcast_refresh(). */
typedef struct gb_overrides {
  char **value;        /* of each setting, by its number; NULL where it was not given, or nothing was */
  gb_preload *preload; /* not NULL: the preloaded library's. What cannot be set up is passed on to MPI, as is
                          a job without a hosts file */
  struct gb_nws_weather *service; /* of GBCAST_LIVE, which goes on where it was (live.h); NULL: none yet */
  int code; /* not MPI_SUCCESS: they could not be read, which rank 0 has to tell the others */
} gb_overrides;

/* Keys that begin with gbcast_ and are no settings are told on stderr, and ignored as MPI has it. */
void gb_overrides_read(const char *hosts_path, MPI_Info info, gb_overrides *out);
void gb_overrides_release(gb_overrides *overrides);

/* Overrides first, then the environment. A value that cannot be used is GBCAST_EUSAGE. */
int gb_settings_read(const gb_overrides *overrides, gb_settings *out, gbcast_error *err);

/* This one alone, from the environment; the others are as if not given. */
int gb_settings_read_one(const char *name, gb_settings *out, gbcast_error *err);

/* Tells on stderr which environment variables begin with GBCAST_ and are no settings. */
void gb_settings_tell_unknown(void);

#endif
