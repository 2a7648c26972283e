/* The network interfaces of a machine, as a test has them: for programs that are linked with --wrap for
 * getifaddrs and freeifaddrs. */
#ifndef GB_TESTS_SUPPORT_NWS_INTERFACES_H
#define GB_TESTS_SUPPORT_NWS_INTERFACES_H

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdint.h>

enum { INTERFACES_MOST = 8, INTERFACE_SENDS_TO_ALL = 0x2 /* IFF_BROADCAST */ };

typedef struct interface {
  struct ifaddrs entry;
  struct sockaddr_in address, broadcast;
} interface;

static interface interfaces[INTERFACES_MOST];
static unsigned interface_count;

/* In host byte order; broadcast 0: it has none. */
static inline void interfaces_add(const char *name, uint32_t address, uint32_t broadcast) {
  interface *i = &interfaces[interface_count++];
  i->address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
  i->broadcast = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(broadcast)};
  i->entry = (struct ifaddrs){.ifa_name = (char *)name, .ifa_addr = (struct sockaddr *)&i->address};
  if (broadcast != 0) {
    i->entry.ifa_flags = INTERFACE_SENDS_TO_ALL;
    i->entry.ifa_broadaddr = (struct sockaddr *)&i->broadcast;
  }
  if (interface_count > 1)
    interfaces[interface_count - 2].entry.ifa_next = &i->entry;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __wrap_getifaddrs(struct ifaddrs **list);
void __wrap_freeifaddrs(struct ifaddrs *list);

int __wrap_getifaddrs(struct ifaddrs **list) {
  *list = interface_count > 0 ? &interfaces[0].entry : NULL;
  return 0;
}

void __wrap_freeifaddrs(struct ifaddrs *list) {
  (void)list;
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

#endif
