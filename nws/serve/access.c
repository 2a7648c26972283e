#include "nws/serve/serve.h"

#include "nws/client/client.h"

#include <arpa/inet.h>
#include <string.h>

static bool read_length(const char *text, unsigned *length) {
  size_t digits = strspn(text, "0123456789");
  if (digits == 0 || digits > 2 || text[digits] != '\0' || (digits == 2 && text[0] == '0'))
    return false;
  *length = 0;
  for (; *text != '\0'; text++)
    *length = *length * 10 + (unsigned)(*text - '0');
  return *length <= 32;
}

bool gb_cidr_read(const char *text, gb_cidr *out, const char **why) {
  char address[INET_ADDRSTRLEN];
  struct in_addr read;
  unsigned length = 32;
  size_t size = strcspn(text, "/");
  *why = "an IPv4 address, with or without the length of a prefix behind it, like 10.1.0.0/16";
  if (size >= sizeof address)
    return false;
  memcpy(address, text, size);
  address[size] = '\0';
  if (inet_pton(AF_INET, address, &read) != 1 ||
      (text[size] == '/' && !read_length(text + size + 1, &length)))
    return false;
  gb_cidr cidr = {ntohl(read.s_addr), length > 0 ? UINT32_MAX << (32 - length) : 0};
  *why = "no bits set behind the prefix";
  if ((cidr.address & ~cidr.mask) != 0)
    return false;
  *out = cidr;
  return true;
}

bool gb_may_connect(const gb_cidr *allowed, size_t count, uint32_t peer) {
  for (size_t i = 0; i < count; i++)
    if ((peer & allowed[i].mask) == allowed[i].address)
      return true;
  return gb_is_own_address(peer);
}
