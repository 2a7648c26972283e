#include "nws/sense/net.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 64 };

bool gb_net_resolve(const char *host, uint16_t port, struct sockaddr_in *out) {
  const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  struct addrinfo *found = NULL;
  if (getaddrinfo(host, NULL, &hints, &found) != 0)
    return false;
  memcpy(out, found->ai_addr, sizeof *out);
  out->sin_port = htons(port);
  freeaddrinfo(found);
  return true;
}

/* A bound socket; -1: failed. */
static int bound(int type, struct in_addr address, uint16_t port) {
  const struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = address, .sin_port = htons(port)};
  int file = socket(AF_INET, type, 0), on = 1;
  if (file < 0)
    return -1;
  if ((port == 0 || setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0) &&
      fcntl(file, F_SETFL, O_NONBLOCK) == 0 && bind(file, (const struct sockaddr *)&at, sizeof at) == 0)
    return file;
  int why = errno;
  (void)close(file);
  errno = why;
  return -1;
}

static uint16_t port_of(int file) {
  struct sockaddr_in at = {0};
  socklen_t size = sizeof at;
  return getsockname(file, (struct sockaddr *)&at, &size) == 0 ? ntohs(at.sin_port) : 0;
}

bool gb_net_is_local(struct in_addr address) {
  int file = bound(SOCK_DGRAM, address, 0);
  if (file >= 0)
    (void)close(file);
  return file >= 0;
}

int gb_net_listen(uint16_t *port) {
  int file = bound(SOCK_STREAM, (struct in_addr){htonl(INADDR_ANY)}, *port);
  if (file < 0)
    return -1;
  if (listen(file, BACKLOG) == 0) {
    *port = port_of(file);
    return file;
  }
  int why = errno;
  (void)close(file);
  errno = why;
  return -1;
}

uint16_t gb_net_free_port(struct in_addr address) {
  int file = bound(SOCK_STREAM, address, 0);
  uint16_t port = file >= 0 ? port_of(file) : 0;
  if (file >= 0)
    (void)close(file);
  return port;
}

void gb_net_own_name(char *out, size_t size) {
  const struct addrinfo hints = {.ai_family = AF_INET, .ai_flags = AI_CANONNAME};
  struct addrinfo *found = NULL;
  if (gethostname(out, size) != 0)
    (void)snprintf(out, size, "localhost");
  out[size - 1] = '\0';
  if (getaddrinfo(out, NULL, &hints, &found) == 0 && found->ai_canonname != NULL)
    (void)snprintf(out, size, "%s", found->ai_canonname);
  if (found != NULL)
    freeaddrinfo(found);
  for (char *c = out; *c != '\0'; c++)
    if (*c >= 'A' && *c <= 'Z')
      *c = (char)(*c - 'A' + 'a');
}
