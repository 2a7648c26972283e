/* The members of a clique, sorted, so that all members have the same list. */
#ifndef GB_NWS_SENSE_MEMBERS_H
#define GB_NWS_SENSE_MEMBERS_H

#include "nws/sense/token.h"
#include "nws/wire/wire.h"

enum { GB_MEMBER_NAME = 72 }; /* machine:port, of at most 69 bytes */

typedef struct gb_members { /* starts as zeros */
  uint32_t count;
  char name[GB_CLIQUE_MOST][GB_MEMBER_NAME]; /* machine:port */
} gb_members;

/* Adds `HOST[:PORT]`, unless it is a member already. False, with a reason: it is invalid, or there are too
 * many members. */
bool gb_members_add(gb_members *m, gb_view host, const char **why);

/* Index of a name, or count. */
uint32_t gb_members_find(const gb_members *m, const char *name);

#endif
