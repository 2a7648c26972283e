/* All that the service keeps: registry and memory, and the log that brings them back. Every change is in the
 * log before it is made, and may be told to anybody once gb_depot_commit has returned true. */
#ifndef GB_NWS_STORE_STORE_H
#define GB_NWS_STORE_STORE_H

#include "nws/store/log.h"

typedef struct gb_depot_limits {
  size_t objects, object_bytes; /* of the registry */
  size_t series, series_bytes;  /* of the memory */
  uint32_t ring;                /* records of a series */
  size_t log_floor;             /* bytes of log that are never worth a copy */
} gb_depot_limits;

typedef struct gb_depot {
  gb_registry registry;
  gb_memory memory;
  gb_log log;
  size_t log_floor;
  gb_bytes entry; /* the one being written */
  FILE *report;   /* messages */
  bool refusing;  /* the log did not take the last change, and that was told */
  struct gb_copying {
    bool on, set_aside;
    uint64_t object, series;         /* numbers of the next ones to copy */
    uint64_t object_end, series_end; /* those from here on came after the copy began */
    double resume;                   /* s since 1970: not before this time */
  } copying;                         /* of what lives to the present file of the log */
} gb_depot;

/* Reads what the folder holds. `path` must outlive the depot. */
int gb_depot_open(gb_depot *d, const char *path, const gb_depot_limits *limits, double now, FILE *report,
                  gbcast_error *err);
void gb_depot_close(gb_depot *d);

/* All return false when the change is refused: no room, or the log does not take it. */
bool gb_depot_register(gb_depot *d, gb_text object, uint32_t seconds, double now); /* 0 s: for ever */
bool gb_depot_unregister(gb_depot *d, const gb_registered *object);
bool gb_depot_store(gb_depot *d, gb_batch *batch, double now); /* sets its sequence and time of arrival */
bool gb_depot_clean(gb_depot *d, double last);

/* Brings all changes to the disk. False: some may have been lost, and nobody may be told that they are kept.
 * Then, and whenever the log has grown to several times of what lives, what lives is copied to a new file, a
 * piece at each call. */
bool gb_depot_commit(gb_depot *d, double now);

/* Whether gb_depot_commit should be called again soon. */
bool gb_depot_is_busy(const gb_depot *d, double now);

/* depot_copy.c */
bool gb_depot_copy_begin(gb_depot *d);            /* false, with errno */
bool gb_depot_copy_step(gb_depot *d, double now); /* false, with errno: to be tried again */
bool gb_depot_log(gb_depot *d); /* d->entry to the log; tells when that begins or ceases to fail */

#endif
