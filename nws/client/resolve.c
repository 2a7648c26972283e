#include "nws/client/resolve.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct gb_resolver {
  pthread_mutex_t lock;
  bool done, dropped; /* by the thread; by the asker */
  int status;         /* of getaddrinfo */
  gb_host_addresses found;
  char host[]; /* read by the thread alone */
};

bool gb_resolve_number(const char *host, gb_host_addresses *out) {
  out->count = inet_pton(AF_INET, host, &out->at[0]) == 1;
  return out->count > 0;
}

static void free_resolver(gb_resolver *r) {
  (void)pthread_mutex_destroy(&r->lock);
  free(r);
}

static void *resolve(void *context) {
  gb_resolver *r = context;
  const struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  struct addrinfo *list = NULL;
  gb_host_addresses found = {.count = 0};
  int status = getaddrinfo(r->host, NULL, &wanted, &list);
  for (const struct addrinfo *a = status == 0 ? list : NULL; a != NULL && found.count < GB_HOST_ADDRESSES;
       a = a->ai_next) {
    struct sockaddr_in in;
    memcpy(&in, a->ai_addr, sizeof in);
    found.at[found.count++] = in.sin_addr;
  }
  if (status == 0)
    freeaddrinfo(list);
  (void)pthread_mutex_lock(&r->lock);
  r->done = true;
  r->status = status;
  r->found = found;
  bool dropped = r->dropped;
  (void)pthread_mutex_unlock(&r->lock);
  if (dropped)
    free_resolver(r);
  return NULL;
}

/* Blocks all signals: the program's handlers expect to run in its own threads. */
static bool start_thread(gb_resolver *r) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&thread, &attributes, resolve, r) == 0;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  (void)pthread_attr_destroy(&attributes);
  return started;
}

gb_resolver *gb_resolver_start(const char *host) {
  size_t length = strlen(host);
  gb_resolver *r = calloc(1, sizeof *r + length + 1);
  if (r == NULL)
    return NULL;
  memcpy(r->host, host, length);
  if (pthread_mutex_init(&r->lock, NULL) != 0) {
    free(r);
    return NULL;
  }
  if (start_thread(r))
    return r;
  free_resolver(r);
  return NULL;
}

bool gb_resolver_done(gb_resolver *r, gb_host_addresses *out, const char **why) {
  (void)pthread_mutex_lock(&r->lock);
  bool done = r->done;
  *out = r->found;
  *why = r->status != 0 ? gai_strerror(r->status) : "no IPv4 address";
  (void)pthread_mutex_unlock(&r->lock);
  return done;
}

void gb_resolver_drop(gb_resolver *r) {
  (void)pthread_mutex_lock(&r->lock);
  bool done = r->done;
  r->dropped = true;
  (void)pthread_mutex_unlock(&r->lock);
  if (done)
    free_resolver(r);
}
