/* Joining, leaving and finding cliques. */
#include "nws/sense/sensor_clique.h"

#include "nws/sense/net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gb_sensor_clique **find(gb_sensor *s, const char *name) {
  gb_sensor_clique **at = &s->cliques;
  while (*at != NULL && strcmp((*at)->about.name, name) != 0)
    at = &(*at)->next;
  return at;
}

static uint32_t clique_count(const gb_sensor *s) {
  uint32_t count = 0;
  for (const gb_sensor_clique *c = s->cliques; c != NULL; c = c->next)
    count++;
  return count;
}

static bool is_self(const gb_sensor_clique *c, uint32_t i, uint16_t port) {
  const gb_sensor *s = c->sensor;
  return strcmp(c->members.name[i], s->name) == 0 ||
         (port == s->port && gb_net_is_local(c->address[i].sin_addr));
}

/* Resolves the members' addresses. *self: index of this sensor; count: it is none of them. */
static int look_up(gb_sensor_clique *c, uint32_t *self, gbcast_error *err) {
  *self = c->members.count;
  for (uint32_t i = 0; i < c->members.count; i++) {
    const char *name = c->members.name[i];
    gb_nws_address at;
    bool own = strcmp(name, c->sensor->name) == 0;
    bool known = gb_nws_address_read(gb_view_of(name), GB_NWS_SENSOR_PORT, &at) &&
                 gb_net_resolve(at.host, at.port, &c->address[i]);
    if (!known && !own)
      return gb_fail(err, GBCAST_EINPUT, "clique %s: no IPv4 address is known for %s", c->about.name, name);
    if (!is_self(c, i, at.port))
      continue;
    if (*self < c->members.count)
      return gb_fail(err, GBCAST_EINPUT, "clique %s: %s and %s are both this sensor", c->about.name,
                     c->members.name[*self], name);
    *self = i;
  }
  return GBCAST_OK;
}

static int find_self(gb_sensor_clique *c, uint32_t *self, gbcast_error *err) {
  const char *why = NULL;
  int status = look_up(c, self, err);
  if (status == GBCAST_OK && *self == c->members.count) {
    if (!gb_members_add(&c->members, gb_view_of(c->sensor->name), &why))
      return gb_fail(err, GBCAST_EINPUT,
                     "clique %s: with this sensor there are too many members: expected %s", c->about.name,
                     why);
    status = look_up(c, self, err);
  }
  if (status == GBCAST_OK && c->members.count < 2)
    return gb_fail(err, GBCAST_EINPUT, "clique %s: %s is this sensor, and there is no other member",
                   c->about.name, c->members.name[0]);
  return status;
}

static void describe(gb_sensor_clique *c, double period) {
  gb_token *t = &c->about;
  (void)snprintf(t->skill, sizeof t->skill, "tcpMessageMonitor");
  (void)snprintf(t->options, sizeof t->options, "members:%08x\t", gb_members_hash(&c->members));
  t->period = period;
  t->count = c->members.count;
  for (uint32_t i = 0; i < t->count; i++) {
    t->member[i].address = ntohl(c->address[i].sin_addr.s_addr);
    t->member[i].port = ntohs(c->address[i].sin_port);
  }
}

static void on_timer(evutil_socket_t file, short what, void *context) {
  (void)file;
  (void)what;
  gb_sensor_clique_act(context);
}

/* Sets the members and *self, the index of this sensor. */
static gb_sensor_clique *new_clique(gb_sensor *s, const char *name, const gb_members *members, uint32_t *self,
                                    gbcast_error *err) {
  gb_sensor_clique *c = calloc(1, sizeof *c);
  if (c == NULL) {
    (void)gb_no_memory(err);
    return NULL;
  }
  c->sensor = s;
  c->members = *members;
  (void)snprintf(c->about.name, sizeof c->about.name, "%s", name);
  if (find_self(c, self, err) == GBCAST_OK) {
    c->timer = evtimer_new(s->base, on_timer, c);
    if (c->timer != NULL)
      return c;
    (void)gb_no_memory(err);
  }
  free(c);
  return NULL;
}

gb_sensor_clique *gb_sensor_clique_join(gb_sensor *s, const char *name, const gb_members *members,
                                        double period, gbcast_error *err) {
  uint32_t self = 0;
  if (*find(s, name) != NULL || clique_count(s) == GB_SENSOR_CLIQUES_MOST) {
    (void)gb_fail(err, GBCAST_EINPUT, "clique %s: there is one of that name, or there are %d already", name,
                  GB_SENSOR_CLIQUES_MOST);
    return NULL;
  }
  gb_sensor_clique *c = new_clique(s, name, members, &self, err);
  if (c == NULL)
    return NULL;
  describe(c, period);
  const gb_clique_rules rules = {.period = period,
                                 .slot = fmin(period / c->members.count, 10),
                                 .experiment = GB_PEER_PROBE_MOST + (s->iperf ? GB_PEER_PROBE_IPERF : 0),
                                 .hand_over = GB_HAND_OVER_MOST};
  gb_clique_start(&c->clique, &rules, c->members.count, self, gb_clock_wall(), gb_clock_now());
  c->about.time_out = gb_clique_round_most(&c->clique);
  c->next = s->cliques;
  s->cliques = c;
  (void)gb_event_wait(c->timer, 0);
  return c;
}

static void leave(gb_sensor_clique **at) {
  gb_sensor_clique *c = *at;
  *at = c->next;
  gb_peer_probe_stop(&c->probe);
  gb_tcp_connection_close(&c->connection);
  gb_message_codec_release(&c->codec);
  event_free(c->timer);
  free(c);
}

bool gb_sensor_clique_leave(gb_sensor *s, gb_view name) {
  gb_sensor_clique **at = &s->cliques;
  while (*at != NULL && !gb_view_is(name, (*at)->about.name))
    at = &(*at)->next;
  if (*at == NULL)
    return false;
  leave(at);
  return true;
}

void gb_sensor_cliques_stop(gb_sensor *s) {
  while (s->cliques != NULL)
    leave(&s->cliques);
}

void gb_sensor_clique_offered(gb_sensor *s, const gb_token *token, gb_token *answer) {
  const gb_sensor_clique *c = *find(s, token->name);
  *answer = *token;
  answer->count = 0;
  if (c == NULL || token->count != c->about.count || strcmp(token->options, c->about.options) != 0)
    return;
  *answer = c->about;
  answer->id = gb_clique_offered(&c->clique, &token->id);
}

void gb_sensor_clique_take(gb_sensor *s, const gb_token *token) {
  gb_sensor_clique *c = *find(s, token->name);
  if (c == NULL || strcmp(token->options, c->about.options) != 0)
    return;
  gb_clique_take(&c->clique, &token->id, gb_clock_now());
  gb_sensor_clique_act(c);
}
