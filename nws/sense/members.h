/* The members of a clique: the same list for all of them, in whatever order each was told. */
#ifndef GB_NWS_SENSE_MEMBERS_H
#define GB_NWS_SENSE_MEMBERS_H

#include "nws/sense/token.h"
#include "nws/wire/wire.h"

enum { GB_MEMBER_NAME = 72 }; /* machine:port, of at most 69 bytes */

typedef struct gb_members { /* starts as zeros */
  uint32_t count;
  char name[GB_CLIQUE_MOST][GB_MEMBER_NAME]; /* machine:port */
} gb_members;

/* Puts `HOST[:PORT]` in its place; one that is there already is not added again. False, with a reason: it is
 * no such name, or there are too many. */
bool gb_members_add(gb_members *m, gb_view host, const char **why);

/* Index of a name, or count. */
uint32_t gb_members_find(const gb_members *m, const char *name);

/* By which members notice that they were told other lists. */
uint32_t gb_members_hash(const gb_members *m);

#endif
