/* The entries of the log on disk, as bytes. No I/O. All numbers big-endian:
 *
 *      +------+--------+--------+---------+
 *      | sync | length | CRC32C |  body   |      3 x u32; the checksum is of length and body
 *      +------+--------+--------+---------+
 *
 * The sync word is where a reader looks for the next entry after bytes that are none. */
#ifndef GB_NWS_STORE_LOG_ENTRY_H
#define GB_NWS_STORE_LOG_ENTRY_H

#include "nws/store/memory.h"
#include "nws/store/registry.h"

/* First byte of an entry's body. The numbers are on disk. */
enum { GB_ENTRY_OBJECT = 1, GB_ENTRY_FORGET, GB_ENTRY_STORE, GB_ENTRY_CLEAN, GB_ENTRY_SERIES };

/* All append one entry to `out`. */
void gb_entry_object(gb_bytes *out, gb_text object, double expires, uint64_t number);
void gb_entry_forget(gb_bytes *out, gb_text object);
void gb_entry_store(gb_bytes *out, const gb_batch *batch);
void gb_entry_clean(gb_bytes *out, double last);              /* gb_memory_clean */
void gb_entry_series(gb_bytes *out, const gb_series *series); /* the whole series, in place of what it was */

enum gb_found { GB_FOUND_ENTRY, GB_FOUND_GAP, GB_FOUND_END };

/* Looks at what begins at *at of `size` bytes. GB_FOUND_ENTRY: an entry, its body in `body`. GB_FOUND_GAP:
 * bytes that are none, before another entry. GB_FOUND_END: no entry from here on (*at < size: bytes that are
 * none). *at is then behind the entry or the gap; it stays where it is at the end. */
enum gb_found gb_entry_next(const unsigned char *bytes, size_t size, size_t *at, gb_text *body);

/* Whether these bytes, in which there is no entry, begin one that was not written to its end. */
bool gb_entry_is_torn(const unsigned char *bytes, size_t size);

/* Does what an entry says. GB_APPLY_BAD: it says nothing that can be understood. */
enum gb_apply { GB_APPLIED, GB_APPLY_BAD, GB_APPLY_NO_MEMORY };
enum gb_apply gb_entry_apply(gb_text body, gb_registry *registry, gb_memory *memory);

#endif
