/* Daemons that a client talks to without a network, in simulated time: what they answer is a function, and
 * how they misbehave are numbers. */
#ifndef GB_TESTS_SUPPORT_NWS_PEER_H
#define GB_TESTS_SUPPORT_NWS_PEER_H

#include "nws/client/request_queue.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

typedef struct peer {
  /* appends what the daemon at `to` answers */
  void (*reply)(struct peer *p, const gb_nws_address *to, const gb_nws_message *request, gb_bytes *out);
  void *context;
  size_t chunk;       /* bytes that arrive at once */
  size_t close_after; /* bytes of a connection */
  uint16_t refused;   /* port where nobody listens */
  double now;         /* s */
  uint32_t connection, connections;
  uint32_t pending_most; /* requests that came before their answers went */
  gb_bytes in, out;
  size_t given;     /* of out */
  size_t held_most; /* bytes that the client kept */
} peer;

static inline peer new_peer(void (*reply)(peer *, const gb_nws_address *, const gb_nws_message *,
                                          gb_bytes *)) {
  return (peer){.reply = reply, .chunk = 1 << 20, .close_after = SIZE_MAX, .now = 100};
}

static inline void peer_release(peer *p) {
  gb_bytes_release(&p->in);
  gb_bytes_release(&p->out);
}

static inline size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Answers the requests that have come whole. */
static inline void peer_think(peer *p, const gb_nws_address *to) {
  size_t used = 0, size = 0;
  uint32_t count = 0;
  while (gb_nws_frame(p->in.data + used, p->in.size - used, 1 << 20, &size) == GB_NWS_WHOLE) {
    gb_nws_message request;
    cr_assert(gb_nws_decode(p->in.data + used, size, &request));
    p->reply(p, to, &request, &p->out);
    used += size;
    count++;
  }
  p->pending_most = count > p->pending_most ? count : p->pending_most;
  p->in.size -= used;
  if (used > 0)
    memmove(p->in.data, p->in.data + used, p->in.size);
}

static inline void peer_connect(peer *p, gb_client *c, const gb_nws_address *to) {
  p->connection = c->connection;
  p->connections++;
  p->given = 0;
  gb_bytes_clear(&p->in);
  gb_bytes_clear(&p->out);
  if (to->port == p->refused)
    gb_client_closed(c, "refused", p->now);
  else
    gb_client_opened(c, p->now);
}

/* One move of bytes or of time; false: there is nothing left to happen by itself. */
static inline bool peer_step(peer *p, gb_client *c) {
  const gb_nws_address *to = gb_client_wants(c, p->now);
  if (to == NULL && c->first == NULL)
    return false;
  if (to == NULL) {
    p->now = gb_client_due(c);
    return true;
  }
  if (p->connection != c->connection) {
    peer_connect(p, c, to);
    return true;
  }
  gb_view out = gb_client_output(c);
  size_t sent = least(out.length, p->chunk);
  gb_put(&p->in, out.at, sent);
  if (sent > 0)
    gb_client_sent(c, sent);
  if (p->in.size > 0)
    peer_think(p, to);
  size_t size = least(least(p->out.size - p->given, p->chunk), p->close_after - p->given);
  p->held_most = c->in.capacity > p->held_most ? c->in.capacity : p->held_most;
  if (p->given == p->close_after) {
    gb_client_closed(c, "closed", p->now);
  } else if (size > 0) {
    p->given += size;
    gb_client_came(c, p->out.data + p->given - size, size, p->now);
  } else if (sent == 0) {
    if (!isfinite(gb_client_due(c)))
      return false;
    p->now = gb_client_due(c);
    gb_client_time(c, p->now);
  }
  return true;
}

static inline void peer_run(peer *p, gb_client *c) {
  for (uint32_t steps = 0; peer_step(p, c); steps++)
    cr_assert_lt(steps, 20000000, "it never ends");
}

/* The bytes of a captured message. */
static inline gb_bytes vector(const char *name) {
  char path[256];
  unsigned char data[512];
  gb_bytes out = {0};
  (void)snprintf(path, sizeof path, "%s/nws/vectors/%s.bin", GB_TEST_DATA, name);
  FILE *in = fopen(path, "rb");
  cr_assert_not_null(in, "%s", path);
  for (size_t n; (n = fread(data, 1, sizeof data, in)) > 0;)
    gb_put(&out, data, n);
  fclose(in);
  return out;
}

static inline gb_nws_message decoded(const gb_bytes *bytes) {
  gb_nws_message m;
  cr_assert(gb_nws_decode(bytes->data, bytes->size, &m));
  return m;
}

static inline gb_nws_address address(const char *text) {
  gb_nws_address a;
  cr_assert(gb_nws_address_read(gb_view_of(text), 1, &a), "%s", text);
  return a;
}

#endif
