/* The token of a clique, as sensors hand it on: CLIQUE_TOKEN_FWD and, back, CLIQUE_TOKEN_ACK with what the
 * receiver knows. */
#ifndef GB_NWS_SENSE_TOKEN_H
#define GB_NWS_SENSE_TOKEN_H

#include "nws/wire/wire.h"

enum { GB_NWS_CLIQUE_TOKEN_ACK = 402, GB_NWS_CLIQUE_TOKEN_FWD = 403 };
enum { GB_TOKEN_BYTES = 968, GB_CLIQUE_MOST = 100 /* members */, GB_CLIQUE_NAME_MOST = 31 };

/* Which of a clique's tokens: of two, the older one is dropped. */
typedef struct gb_token_id {
  double generated; /* newer for a clique that was defined anew */
  double instance;  /* grows whenever a token is made in place of one that is lost */
  uint32_t leader;  /* the member that made it; of two made alike, the lower one's wins */
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

/* Appends a message of that number with the token: a header and 968 bytes. */
void gb_token_encode(gb_bytes *out, uint32_t number, const gb_token *token);
/* From the 968 bytes behind the header. */
bool gb_token_decode(const unsigned char *bytes, size_t size, gb_token *out);

#endif
