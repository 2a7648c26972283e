/* A host with several addresses: each is tried until one answers, and no socket is left behind. Its addresses
 * come from here, and not from the system's resolver. */
#define _GNU_SOURCE /* gaicb */
#include "nws/client/socket.h"

#include "tests/support/nws/peer.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define GENEROUS 5.0 /* s */

/* The client begins with the last. Of the loopback's addresses a socket hears its own only. */
static const char *const addresses[] = {"127.0.0.1", "127.0.0.2", "255.255.255.255", "127.0.0.3"};
enum { ADDRESSES = sizeof addresses / sizeof *addresses };
static struct sockaddr_in known[ADDRESSES];
static struct addrinfo list[ADDRESSES];
static bool pending; /* the lookup never ends */

/* The program is linked with --wrap for all. */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __wrap_getaddrinfo_a(int mode, struct gaicb *requests[], int count, struct sigevent *event);
int __wrap_gai_error(struct gaicb *request);
int __wrap_gai_cancel(struct gaicb *request);
void __wrap_freeaddrinfo(struct addrinfo *found);

int __wrap_getaddrinfo_a(int mode, struct gaicb *requests[], int count, struct sigevent *event) {
  (void)event;
  cr_assert(mode == GAI_NOWAIT && count == 1);
  for (size_t i = 0; i < ADDRESSES; i++) {
    known[i] = (struct sockaddr_in){.sin_family = AF_INET};
    (void)inet_pton(AF_INET, addresses[i], &known[i].sin_addr);
    list[i] = (struct addrinfo){.ai_family = AF_INET,
                                .ai_addr = (struct sockaddr *)&known[i],
                                .ai_addrlen = sizeof known[i],
                                .ai_next = i + 1 < ADDRESSES ? &list[i + 1] : NULL};
  }
  requests[0]->ar_result = list;
  return 0;
}

int __wrap_gai_error(struct gaicb *request) {
  return request->ar_result == list && !pending ? 0 : EAI_INPROGRESS;
}

int __wrap_gai_cancel(struct gaicb *request) {
  (void)request;
  return EAI_ALLDONE;
}

void __wrap_freeaddrinfo(struct addrinfo *found) {
  cr_assert_eq(found, list);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

static uint32_t open_files(void) {
  uint32_t count = 0;
  DIR *d = opendir("/proc/self/fd");
  while (readdir(d) != NULL)
    count++;
  (void)closedir(d);
  return count;
}

typedef struct outcome {
  uint32_t replies, failures;
  char why[512];
} outcome;

static void answer(void *context, const gb_nws_message *reply, const char *why) {
  outcome *o = context;
  o->replies += reply != NULL;
  o->failures += why != NULL;
  if (why != NULL)
    (void)snprintf(o->why, sizeof o->why, "%s", why);
}

/* One question to that host, at a port where somebody listens or not, on the first address. */
static outcome dial(bool listens) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof at;
  int listening = socket(AF_INET, SOCK_STREAM, 0), heard = -1;
  cr_assert_eq(bind(listening, (struct sockaddr *)&at, sizeof at), 0);
  if (listens)
    cr_assert_eq(listen(listening, 8), 0);
  cr_assert_eq(getsockname(listening, (struct sockaddr *)&at, &size), 0);
  const uint32_t files = open_files();

  gb_bytes request = vector("07_fetch_req"), reply = vector("09_memory_failed_rep");
  const gb_nws_message m = decoded(&request);
  const gb_nws_address to = {.host = "several.example", .port = ntohs(at.sin_port)};
  gb_client client;
  gb_socket sockets;
  outcome o = {0};
  gb_client_init(&client, GENEROUS, NULL, NULL);
  gb_socket_init(&sockets, &client);
  cr_assert(gb_client_ask(&client, &to, &m, answer, &o));
  for (double end = gb_clock_now() + GENEROUS; o.replies + o.failures == 0 && gb_clock_now() < end;) {
    (void)gb_sockets_serve(&sockets, 1, gb_clock_now() + 0.005);
    if (listens && heard < 0 && client.state == GB_CLIENT_OPEN) {
      heard = accept(listening, NULL, NULL);
      cr_assert_eq(send(heard, reply.data, reply.size, MSG_NOSIGNAL), (ssize_t)reply.size);
    }
  }
  if (heard >= 0)
    (void)close(heard);
  gb_socket_release(&sockets);
  gb_client_forget(&client);
  cr_assert_eq(open_files(), files, "a socket is left");
  (void)close(listening);
  gb_bytes_release(&request);
  gb_bytes_release(&reply);
  return o;
}

Test(nws_dial, the_one_address_that_answers_is_found) {
  const outcome o = dial(true);
  cr_assert_eq(o.replies, 1, "%s", o.why);
}

Test(nws_dial, no_address_answers) {
  const outcome o = dial(false);
  cr_assert_eq(o.failures, 1);
  cr_assert(strstr(o.why, "refused") != NULL, "%s", o.why);
}

static void answer_and_ask_again(void *context, const gb_nws_message *reply, const char *why) {
  gb_client *c = context;
  const gb_nws_address to = {.host = "several.example", .port = 1};
  cr_assert(reply == NULL && why != NULL);
  gb_client_pause(c, 1000);
  cr_assert(gb_client_ask(c, &to, &(gb_nws_message){.number = GB_NWS_HOST_TEST}, answer_and_ask_again, c));
}

/* A lookup that outlasts its request goes on, but nobody looks at it while the client pauses. */
Test(nws_dial, a_pause_is_slept_through) {
  const gb_nws_address to = {.host = "several.example", .port = 1};
  gb_client client;
  gb_socket sockets;
  struct pollfd p;
  double wake = INFINITY;
  pending = true;
  gb_client_init(&client, 0, NULL, NULL);
  gb_socket_init(&sockets, &client);
  cr_assert(gb_client_ask(&client, &to, &(gb_nws_message){.number = GB_NWS_HOST_TEST}, answer_and_ask_again,
                          &client));
  cr_assert(gb_socket_prepare(&sockets, &p, &wake));
  cr_assert_not_null(sockets.resolver);
  gb_socket_handle(&sockets, &p);
  wake = INFINITY;
  cr_assert(gb_socket_prepare(&sockets, &p, &wake));
  cr_assert_not_null(sockets.resolver);
  cr_assert_eq(wake, client.resume);
  gb_socket_release(&sockets);
  gb_client_forget(&client);
}
