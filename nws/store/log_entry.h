/* Log entries as bytes. No I/O. All numbers are big-endian:
 *
 *      +------+--------+--------+---------+
 *      | sync | length | CRC32C |  body   |      3 x u32; the checksum is of length and body
 *      +------+--------+--------+---------+
 *
 * After damaged bytes, a reader looks for the next entry at its sync word. */
#ifndef GB_NWS_STORE_LOG_ENTRY_H
#define GB_NWS_STORE_LOG_ENTRY_H

#include "nws/store/memory.h"
#include "nws/store/registry.h"

#include <stddef.h>
#include <stdint.h>

/* First byte of a log entry's body; on disk. */
enum {
  GB_LOG_ENTRY_OBJECT = 1,
  GB_LOG_ENTRY_FORGET,
  GB_LOG_ENTRY_OLD_STORE, /* read only, from before GB_LOG_ENTRY_RECORDS: a batch without its place */
  GB_LOG_ENTRY_CLEAN,
  GB_LOG_ENTRY_OLD_SERIES, /* read only: a whole series, instead of all earlier entries about it */
  GB_LOG_ENTRY_RECORDS     /* of one series; says which, so that they may come several times */
};

/* An entry with several records holds at most this many bytes of them. Damage destroys whole entries, so
 * small entries lose little. */
#define GB_LOG_ENTRY_RECORD_BYTES 1024u
#define GB_LOG_ENTRY_TIMES 24u /* of them, for the times of one record */

/* These append one log entry to `out`. */
void gb_log_entry_object(gb_bytes *out, gb_view object, double expires, uint64_t number);
void gb_log_entry_forget(gb_bytes *out, gb_view object);
void gb_log_entry_clean(gb_bytes *out, double last); /* gb_nws_memory_clean */

/* These append as many entries as the records need: of a batch, and of a whole series. */
void gb_log_entry_records(gb_bytes *out, gb_record_place place, const gb_batch *batch);
void gb_log_entry_series(gb_bytes *out, const gb_stored_series *series);

/* The series that a damaged entry of records seems to be about. False: it does not seem to be one. */
bool gb_log_entry_names(const unsigned char *bytes, size_t size, gb_view *id);

enum gb_log_scan { GB_LOG_SCAN_ENTRY, GB_LOG_SCAN_GAP, GB_LOG_SCAN_END };

/* Scans from *at of `size` bytes. GB_LOG_SCAN_ENTRY: a log entry, its body in `body`. GB_LOG_SCAN_GAP:
 * damaged bytes before another entry. GB_LOG_SCAN_END: no entry from here on; *at < size: damaged bytes. *at
 * moves behind the entry or the gap; at the end it does not move. */
enum gb_log_scan gb_log_entry_next(const unsigned char *bytes, size_t size, size_t *at, gb_view *body);

/* Whether these bytes, which contain no whole entry, are the beginning of one. */
bool gb_log_entry_is_torn(const unsigned char *bytes, size_t size);

/* Applies a log entry. GB_APPLIED_OLD: and the log should be written anew, before entries of today's kinds
 * are added. GB_APPLY_BAD: it is invalid. */
enum gb_apply { GB_APPLIED, GB_APPLIED_OLD, GB_APPLY_BAD, GB_APPLY_NO_MEMORY };
enum gb_apply gb_log_entry_apply(gb_view body, gb_nws_registry *registry, gb_nws_memory *memory);

/* CRC-32C (Castagnoli), as of iSCSI: RFC 3720, section 12.1 and appendix B.4. Continues from the checksum of
 * the preceding bytes; 0 at the beginning. */
uint32_t gb_crc32c(uint32_t before, const void *data, size_t size);

#endif
