/* The token of a clique, as sensors hand it on: CLIQUE_TOKEN_FWD and, back, CLIQUE_TOKEN_ACK with the same
 * token. CLIQUE_DIE, which nobody answers, ends the clique. */
#ifndef GB_NWS_SENSE_TOKEN_H
#define GB_NWS_SENSE_TOKEN_H

#include "nws/wire/wire.h"

#define GB_CLIQUE_SKILL "tcpMessageMonitor" /* what its members do: the experiment of experiment.h */

enum { GB_NWS_CLIQUE_DIE = 401, GB_NWS_CLIQUE_TOKEN_ACK = 402, GB_NWS_CLIQUE_TOKEN_FWD = 403 };
#define GB_TOKEN_TIME_OUT 2.5 /* periods after which it is lost: the most that sensors of NWS wait */

enum { GB_TOKEN_BYTES = 968, GB_CLIQUE_MOST = 100 /* members */, GB_CLIQUE_NAME_MOST = 31 };

/* Which of a clique's tokens: of two, the older one is dropped, in the order of NWS 2.0.5. */
typedef struct gb_token_id {
  double generated; /* s since 1970, when the clique was defined; 0: a member started that was told of it */
  double instance;  /* grows whenever a token is made in place of one that is lost */
  uint32_t leader;  /* the member that made it; of two made alike, the higher one's wins */
} gb_token_id;

/* Below 0: a is older than b; 0: the same token. */
int gb_token_compare(const gb_token_id *a, const gb_token_id *b);

typedef struct gb_token {
  char name[32]; /* of the clique */
  gb_token_id id;
  char skill[32], options[64];
  double period, time_out; /* s */
  uint32_t count;          /* members */
  struct {
    uint32_t address, port;
  } member[GB_CLIQUE_MOST];
} gb_token;

/* Whether both say the same of the clique: its members, in any order, period, skill and options. */
bool gb_token_same_clique(const gb_token *a, const gb_token *b);
/* Index of the member at this address, in host order; count: none. */
uint32_t gb_token_find(const gb_token *token, uint32_t address, uint32_t port);

/* Appends a message of that number with the token: a header and 968 bytes. */
void gb_token_encode(gb_bytes *out, uint32_t number, const gb_token *token);
/* From the 968 bytes behind the header. */
bool gb_token_decode(const unsigned char *bytes, size_t size, gb_token *out);

#endif
