/* What the server stores: the registry, the memory, and the log from which they are restored. A write-ahead
 * log: each change is logged before it is made, and may be acknowledged after gb_store_commit returned true.
 */
#ifndef GB_NWS_STORE_STORE_H
#define GB_NWS_STORE_STORE_H

#include "nws/store/log.h"

typedef struct gb_store_limits {
  size_t objects, object_bytes; /* of the registry */
  size_t series, series_bytes;  /* of the memory */
  uint32_t ring;                /* records of a series */
  size_t log_floor;             /* bytes below which the log is not compacted */
} gb_store_limits;

typedef struct gb_store {
  gb_nws_registry registry;
  gb_nws_memory memory;
  gb_log log;
  size_t log_floor;
  gb_bytes entry; /* the log entry being written */
  FILE *report;   /* messages */
  bool refusing;  /* the last append failed, and this was reported */
  struct gb_compaction {
    bool on, copied;                 /* all data is in the current file */
    uint64_t object, series;         /* numbers of the next to copy */
    uint64_t object_end, series_end; /* those from here on are newer than the compaction */
    double resume;                   /* s since 1970: not before this time */
  } compaction;                      /* of live data into the current file of the log */
} gb_store;

/* Reads what the folder holds. `path` must outlive the store. */
int gb_store_open(gb_store *s, const char *path, const gb_store_limits *limits, double now, FILE *report,
                  gbcast_error *err);
void gb_store_close(gb_store *s);

/* All return false when the change is refused: no room, or the append failed. */
bool gb_store_register(gb_store *s, gb_view object, uint32_t seconds, double now); /* 0 s: for ever */
bool gb_store_unregister(gb_store *s, const gb_registered *object);
bool gb_store_put(gb_store *s, gb_batch *batch, double now); /* sets its sequence and time of arrival */
bool gb_store_clean(gb_store *s, double last);

/* Writes all changes to disk. False: some may be lost, and none may be acknowledged. Then, and whenever the
 * log has grown to several times the live data, the log is compacted, a piece at each call. */
bool gb_store_commit(gb_store *s, double now);

/* Whether gb_store_commit should be called again soon. */
bool gb_store_is_busy(const gb_store *s, double now);

/* Parts of the above, for tests. */
bool gb_store_compact_begin(gb_store *s);            /* false, with errno */
bool gb_store_compact_step(gb_store *s, double now); /* false, with errno: to be tried again */
bool gb_store_log(gb_store *s);                      /* appends s->entry; reports when this begins to fail */

#endif
