#include "nws/sense/net.h"

#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

/* A socket at a port that the system chooses; -1: failed. */
static int bound(int type, struct in_addr address) {
  const struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = address};
  int file = socket(AF_INET, type, 0);
  if (file < 0 || bind(file, (const struct sockaddr *)&at, sizeof at) == 0)
    return file;
  (void)close(file);
  return -1;
}

static uint16_t port_of(int file) {
  struct sockaddr_in at = {0};
  socklen_t size = sizeof at;
  return getsockname(file, (struct sockaddr *)&at, &size) == 0 ? ntohs(at.sin_port) : 0;
}

bool gb_net_is_local(struct in_addr address) {
  int file = bound(SOCK_DGRAM, address);
  if (file >= 0)
    (void)close(file);
  return file >= 0;
}

uint16_t gb_net_free_port(struct in_addr address) {
  int file = bound(SOCK_STREAM, address);
  uint16_t port = file >= 0 ? port_of(file) : 0;
  if (file >= 0)
    (void)close(file);
  return port;
}
