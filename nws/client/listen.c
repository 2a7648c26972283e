#define _DEFAULT_SOURCE /* IFF_BROADCAST */
#include "nws/client/listen.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int gb_machine_look_up(const char *name, gb_machine *out) {
  const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_CANONNAME};
  struct addrinfo *found = NULL;
  int status = getaddrinfo(name, NULL, &hints, &found);
  if (status != 0)
    return status;
  struct sockaddr_in address;
  memcpy(&address, found->ai_addr, sizeof address);
  out->address = ntohl(address.sin_addr.s_addr);
  if (found->ai_canonname != NULL && strlen(found->ai_canonname) < sizeof out->name)
    (void)snprintf(out->name, sizeof out->name, "%s", found->ai_canonname);
  freeaddrinfo(found);
  for (char *c = out->name; *c != '\0'; c++) /* as NWS compares them */
    *c = (char)tolower((unsigned char)*c);
  return 0;
}

/* The source address of packets to other networks; sends none. */
static bool look_outside(uint32_t *address) {
  struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(9)}, here;
  socklen_t size = sizeof here;
  there.sin_addr.s_addr = htonl(0xC0000201); /* 192.0.2.1, of nobody: RFC 5737 */
  int file = socket(AF_INET, SOCK_DGRAM, 0);
  bool found = file >= 0 && connect(file, (const struct sockaddr *)&there, sizeof there) == 0 &&
               getsockname(file, (struct sockaddr *)&here, &size) == 0;
  if (file >= 0)
    (void)close(file);
  if (found)
    *address = ntohl(here.sin_addr.s_addr);
  return found;
}

static bool is_ipv4(const struct sockaddr *address, uint32_t value) {
  struct sockaddr_in in;
  if (address == NULL || address->sa_family != AF_INET)
    return false;
  memcpy(&in, address, sizeof in);
  return ntohl(in.sin_addr.s_addr) == value;
}

/* Whether one of these interfaces has this address, or, if `broadcast`, sends to all with it. */
static bool is_of_interface(const struct ifaddrs *list, uint32_t address, bool broadcast) {
  bool found = false;
  for (const struct ifaddrs *i = list; i != NULL && !found; i = i->ifa_next)
    found = broadcast ? (i->ifa_flags & IFF_BROADCAST) != 0 && is_ipv4(i->ifa_broadaddr, address)
                      : is_ipv4(i->ifa_addr, address);
  return found;
}

bool gb_is_own_address(const struct ifaddrs *interfaces, uint32_t address) {
  return address >> 24 == 127 || is_of_interface(interfaces, address, false);
}

/* What stands for many machines, at which the system lets a program listen, but nobody ever connects; NULL
 * for another address. An interface that is a network of its own may have its address for broadcasts, too. */
static const char *kind_of_group(uint32_t address) {
  if (address >> 28 == 14)
    return "multicast";
  struct ifaddrs *list = NULL;
  (void)getifaddrs(&list);
  bool broadcast = address == INADDR_BROADCAST || address == 0x7FFFFFFF ||
                   (is_of_interface(list, address, true) && !is_of_interface(list, address, false));
  freeifaddrs(list);
  return broadcast ? "broadcast" : NULL;
}

static int check_listen(const char *text, uint32_t address, gbcast_error *err) {
  const char *kind = kind_of_group(address);
  if (kind == NULL)
    return GBCAST_OK;
  return gb_fail(err, GBCAST_EINPUT,
                 "--listen=%s is a %s address, to which nobody can connect; expected an address of this "
                 "machine, or 0.0.0.0 for all of them",
                 text, kind);
}

int gb_machine_find(const char *text, gb_machine *out, gbcast_error *err) {
  struct in_addr address;
  *out = (gb_machine){0};
  (void)snprintf(out->name, sizeof out->name, "%s", text);
  if (inet_pton(AF_INET, text, &address) != 1) {
    int status = strlen(text) < sizeof out->name ? gb_machine_look_up(text, out) : EAI_NONAME;
    out->listen = out->address;
    return status == 0 ? check_listen(text, out->listen, err)
                       : gb_fail(err, GBCAST_EINPUT, "--listen=%s: no IPv4 address is known for it: %s", text,
                                 gai_strerror(status));
  }
  out->listen = out->address = ntohl(address.s_addr);
  if (out->listen != INADDR_ANY)
    return check_listen(text, out->listen, err);
  out->address = INADDR_LOOPBACK;
  if (gethostname(out->name, sizeof out->name) != 0 || memchr(out->name, '\0', sizeof out->name) == NULL ||
      gb_machine_look_up(out->name, out) != 0)
    (void)snprintf(out->name, sizeof out->name, "127.0.0.1");
  if (out->address >> 24 == 127) /* some systems resolve their own name to a loopback address */
    (void)look_outside(&out->address);
  return GBCAST_OK;
}

static int cannot_listen(int file, uint32_t address, uint16_t port, const char *option, gbcast_error *err) {
  struct in_addr in = {htonl(address)};
  char text[INET_ADDRSTRLEN] = "";
  int why = errno;
  if (file >= 0)
    (void)close(file);
  (void)inet_ntop(AF_INET, &in, text, sizeof text);
  if (why == EADDRINUSE)
    (void)gb_fail(err, GBCAST_EINPUT, "%s:%u is in use by another program; choose another port with %s", text,
                  (unsigned)port, option);
  else if (why == EADDRNOTAVAIL)
    (void)gb_fail(err, GBCAST_EINPUT, "--listen: %s is no address of this machine", text);
  else
    (void)gb_fail(err, GBCAST_EINPUT, "%s:%u: cannot listen: %s", text, (unsigned)port, strerror(why));
  return -1;
}

int gb_listen(const gb_machine *machine, uint16_t *port, const char *option, gbcast_error *err) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(machine->listen)};
  socklen_t size = sizeof address;
  int file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (file < 0 || setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) != 0 ||
      bind(file, (const struct sockaddr *)&address, size) != 0 || listen(file, SOMAXCONN) != 0 ||
      getsockname(file, (struct sockaddr *)&address, &size) != 0)
    return cannot_listen(file, machine->listen, *port, option, err);
  *port = ntohs(address.sin_port);
  return file;
}

void gb_host_name(char out[GB_NWS_HOST_MOST + 1], const gb_machine *machine, uint16_t port) {
  memset(out, 0, GB_NWS_HOST_MOST + 1);
  (void)snprintf(out, GB_NWS_HOST_MOST + 1, "%s:%u", machine->name, (unsigned)port);
}

void gb_host_object(gb_bytes *out, const char *type, const char *name, const gb_machine *machine,
                    uint16_t port) {
  char number[8], address[INET_ADDRSTRLEN] = "", started[64] = "";
  struct in_addr in = {htonl(machine->address)};
  struct tm local;
  time_t now = time(NULL);
  const struct passwd *owner = getpwuid(getuid());
  (void)inet_ntop(AF_INET, &in, address, sizeof address);
  (void)snprintf(number, sizeof number, "%u", (unsigned)port);
  if (localtime_r(&now, &local) != NULL)
    (void)strftime(started, sizeof started, "%b %d, %Y %H:%M:%S", &local);
  gb_object_add_strings(out, "name", name, "objectclass", "nwsHost", "hostType", type, "ipAddress", address,
                        "owner", owner != NULL ? owner->pw_name : "unknown", "port", number, "started",
                        started, "version", "2.0.5", NULL);
  gb_object_end(out);
}
