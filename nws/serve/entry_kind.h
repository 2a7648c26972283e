/* First byte of an entry's body. The numbers are on disk. */
#ifndef GB_NWS_ENTRY_KIND_H
#define GB_NWS_ENTRY_KIND_H

enum { GB_ENTRY_OBJECT = 1, GB_ENTRY_FORGET, GB_ENTRY_STORE, GB_ENTRY_CLEAN, GB_ENTRY_SERIES };

#endif
