/* Where a daemon listens, and under which name. Neither the resolver nor the interfaces are the system's. */
#include "nws/client/client.h"

#include "tests/support/nws/interfaces.h"

#include <criterion/criterion.h>
#include <netdb.h>

static struct sockaddr_in known;
static struct addrinfo answer;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                       struct addrinfo **found);
void __wrap_freeaddrinfo(struct addrinfo *found);

int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                       struct addrinfo **found) {
  static char full[] = "Ottawa.Example.ORG";
  (void)service, (void)hints;
  const bool group = strcmp(host, "group") == 0;
  if (!group && strcmp(host, "ottawa") != 0)
    return EAI_NONAME;
  known =
      (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(group ? 0xE0000001 : 0x0A000001)};
  answer = (struct addrinfo){.ai_family = AF_INET,
                             .ai_addr = (struct sockaddr *)&known,
                             .ai_addrlen = sizeof known,
                             .ai_canonname = full};
  *found = &answer;
  return 0;
}

void __wrap_freeaddrinfo(struct addrinfo *found) {
  (void)found;
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

Test(nws_listen, names_are_full_and_in_lower_case) {
  gb_machine machine = {0};
  cr_assert_eq(gb_machine_look_up("ottawa", &machine), 0);
  cr_assert_str_eq(machine.name, "ottawa.example.org");
  cr_assert_eq(machine.address, 0x0A000001);
  cr_assert_neq(gb_machine_look_up("nowhere", &machine), 0);
}

Test(nws_listen, addresses_of_groups_are_refused) {
  static const struct {
    const char *text, *kind; /* NULL: a program can listen there */
  } cases[] = {{"224.0.0.0", "multicast"},
               {"239.255.255.255", "multicast"},
               {"223.255.255.255", NULL},
               {"240.0.0.0", NULL},
               {"255.255.255.255", "broadcast"},
               {"127.255.255.255", "broadcast"},
               {"127.0.0.1", NULL},
               {"0.0.0.0", NULL},
               {"10.0.0.255", "broadcast"},
               {"10.0.0.1", NULL},
               {"10.0.1.255", NULL},
               {"172.16.0.9", NULL},
               {"group", "multicast"},
               {"ottawa", NULL}};
  interfaces_add("eth0", 0x0A000001, 0x0A0000FF);
  interfaces_add("eth1", 0xAC100009, 0xAC100009); /* a network of its own, as clouds have them */
  interfaces_add("lo", 0x7F000001, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gb_machine machine;
    gbcast_error err = {""};
    const int status = gb_machine_find(cases[i].text, &machine, &err);
    cr_expect_eq(status, cases[i].kind != NULL ? GBCAST_EINPUT : GBCAST_OK, "%s: %s", cases[i].text,
                 err.message);
    if (cases[i].kind != NULL)
      cr_expect(strstr(err.message, cases[i].kind) != NULL && strstr(err.message, cases[i].text) != NULL,
                "%s", err.message);
  }
}

Test(nws_listen, own_addresses) {
  struct ifaddrs *own = NULL;
  interfaces_add("eth0", 0x0A000001, 0x0A0000FF);
  cr_assert_eq(getifaddrs(&own), 0);
  cr_expect(gb_is_own_address(own, 0x0A000001) && gb_is_own_address(own, 0x7F000001) &&
            gb_is_own_address(own, 0x7FABCDEF));
  cr_expect(!gb_is_own_address(own, 0x0A0000FF) && !gb_is_own_address(own, 0x0A000002) &&
            !gb_is_own_address(own, 0));
}
