/* The settings: environment variables, or MPI_Info keys of the same name in lower case. Read on rank 0 only.
 */
#ifndef GB_MPI_SETTINGS_H
#define GB_MPI_SETTINGS_H

#include <gbcast/error.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum gb_setting {
  GB_SET_HOSTS,
  GB_SET_LIVE,
  GB_SET_MAX_AGE,
  GB_SET_MAP,
  GB_SET_ALGORITHM,
  GB_SET_INTER,
  GB_SET_INTRA,
  GB_SET_SEGMENT,
  GB_SET_LANES,
  GB_SET_SYNC,
  GB_SET_VERBOSE,
  GB_SET_DISABLE,
  GB_SET_REFRESH,
  GB_SETTING_COUNT
};

/* What gbcast_setup() was given in place of the environment, NULL where it was not, and what else is kept for
 * gbcast_refresh(). */
typedef struct gb_overrides {
  char *value[GB_SETTING_COUNT];
  atomic_bool
      *told; /* not NULL: the preloaded library's. What cannot be set up is passed on to MPI, as is a job
                without a hosts file; why is told when this is false, which it is not afterwards */
  struct gb_nws_weather *service; /* of GBCAST_LIVE, which goes on where it was (live.h); NULL: none yet */
  int code; /* not MPI_SUCCESS: they could not be read, which rank 0 has to tell the others */
} gb_overrides;

void gb_overrides_read(const char *hosts_path, MPI_Info info, gb_overrides *out);
void gb_overrides_release(gb_overrides *overrides);

typedef struct gb_settings {
  char *hosts;         /* NULL: no file */
  char *live;          /* NULL: no live values */
  double max_age;      /* s, of live values */
  char *inter, *intra; /* NULL: the planner chooses */
  uint64_t segment;    /* 0: the planner chooses */
  uint32_t lanes;      /* alike */
  char *sync;          /* of an all-to-all's phases; NULL: the planner chooses */
  int verbose;
  double refresh; /* s from one look at the weather to the next; 0: none */
  bool map_by_order, disabled;
} gb_settings;

/* GBCAST_VERBOSE: 0 to 2, or -1 when its value cannot be used. */
int gb_settings_verbose(const gb_overrides *overrides);

/* Overrides first, then the environment. A value that cannot be used is GBCAST_EUSAGE. */
int gb_settings_read(const gb_overrides *overrides, gb_settings *out, gbcast_error *err);
void gb_settings_release(gb_settings *settings);

#endif
