#define _GNU_SOURCE /* getaddrinfo_a */
#include "nws/client/socket.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

struct gb_resolver {
  struct gaicb request;
  struct addrinfo wanted;
  char host[];
};

bool gb_resolve_number(const char *host, gb_host_addresses *out) {
  out->count = inet_pton(AF_INET, host, &out->at[0]) == 1;
  return out->count > 0;
}

gb_resolver *gb_resolver_start(const char *host) {
  size_t length = strlen(host);
  gb_resolver *r = calloc(1, sizeof *r + length + 1);
  if (r == NULL)
    return NULL;
  memcpy(r->host, host, length + 1);
  r->wanted = (struct addrinfo){.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  r->request = (struct gaicb){.ar_name = r->host, .ar_request = &r->wanted};
  struct gaicb *all[] = {&r->request};
  if (getaddrinfo_a(GAI_NOWAIT, all, 1, NULL) == 0)
    return r;
  free(r);
  return NULL;
}

bool gb_resolver_done(gb_resolver *r, gb_host_addresses *out, const char **why) {
  int status = gai_error(&r->request);
  out->count = 0;
  if (status == EAI_INPROGRESS)
    return false;
  *why = status != 0 ? gai_strerror(status) : "no IPv4 address";
  for (const struct addrinfo *a = status == 0 ? r->request.ar_result : NULL;
       a != NULL && out->count < GB_HOST_ADDRESSES; a = a->ai_next) {
    struct sockaddr_in in;
    memcpy(&in, a->ai_addr, sizeof in);
    out->at[out->count++] = in.sin_addr;
  }
  return true;
}

void gb_resolver_drop(gb_resolver *r) {
  if (gai_cancel(&r->request) == EAI_NOTCANCELED)
    return; /* the C library still writes to it, and cannot be stopped */
  if (r->request.ar_result != NULL)
    freeaddrinfo(r->request.ar_result);
  free(r);
}
