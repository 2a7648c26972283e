/* Joining, leaving and finding cliques. */
#include "nws/sense/sensor_clique.h"

#include "nws/sense/sense.h"
#include "platform/text/text.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

gb_sensor_clique *gb_sensor_clique_find(gb_sensor *s, gb_view name) {
  gb_sensor_clique *c = s->cliques;
  while (c != NULL && !gb_view_is(name, c->is.token.name))
    c = c->next;
  return c;
}

static gb_clique_rules rules_of(const gb_sensor_clique *c) {
  double iperf = c->sensor->iperf ? GB_PEER_PROBE_IPERF : 0;
  return (gb_clique_rules){.period = fmax(c->is.token.period, GB_PERIOD_LEAST),
                           .slot = fmin(c->is.token.period / c->is.token.count, 10),
                           .experiment = GB_NAMING_MOST + GB_PEER_PROBE_MOST + iperf,
                           .hand_over = GB_HAND_OVER_MOST};
}

struct sockaddr_in gb_sensor_clique_address(const gb_sensor_clique *c, uint32_t member) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_addr = {htonl(c->is.token.member[member].address)},
                              .sin_port = htons((uint16_t)c->is.token.member[member].port)};
}

/* What has begun ends without a result. */
static void halt(gb_sensor_clique *c) {
  gb_peer_probe_stop(&c->probe);
  gb_peer_exchange_stop(&c->exchange);
}

void gb_sensor_clique_over(gb_sensor_clique *c, const gb_token_id *ended) {
  halt(c);
  c->over = true;
  c->ended = *ended;
  c->told_at = 0;
  gb_sensor_clique_register(c);
}

const char *gb_sensor_clique_told_name(const gb_sensor_clique *c, uint32_t member) {
  const gb_token *t = &c->is.token;
  uint32_t i = gb_token_find(&c->told.token, t->member[member].address, t->member[member].port);
  return i < c->told.token.count ? c->told.name[i] : "";
}

void gb_sensor_clique_label(const gb_sensor_clique *c, uint32_t member, char out[GB_MEMBER_NAME]) {
  const struct sockaddr_in at = gb_sensor_clique_address(c, member);
  char number[INET_ADDRSTRLEN] = "";
  (void)inet_ntop(AF_INET, &at.sin_addr, number, sizeof number);
  if (c->is.name[member][0] != '\0')
    (void)snprintf(out, GB_MEMBER_NAME, "%s", c->is.name[member]);
  else
    (void)snprintf(out, GB_MEMBER_NAME, "%s:%u", number, ntohs(at.sin_port));
}

/* Those that are not known are to be asked for. */
static void name_members(gb_sensor_clique *c) {
  uint32_t self = gb_clique_self(&c->is.token, c->sensor);
  for (uint32_t i = 0; i < c->is.token.count; i++) {
    const char *name = c->verbatim ? gb_sensor_clique_told_name(c, i) : "";
    if (*name == '\0' && i == self)
      name = c->sensor->name;
    c->naming[i] = *name != '\0' ? GB_NAME_TOLD : GB_NAME_WANTED;
    (void)snprintf(c->is.name[i], GB_MEMBER_NAME, "%s", name);
  }
}

static void warn_of_skill(const gb_token *t) {
  char name[GB_QUOTED(sizeof t->name)], skill[GB_QUOTED(sizeof t->skill)],
      options[GB_QUOTED(sizeof t->options)];
  gb_sense_warn("clique %s: skill %s with options '%s' is not one of this sensor: it passes the token on, "
                "and measures nothing",
                gb_quote(name, sizeof name, t->name, strlen(t->name)),
                gb_quote(skill, sizeof skill, t->skill, strlen(t->skill)),
                gb_quote(options, sizeof options, t->options, strlen(t->options)));
}

void gb_sensor_clique_define(gb_sensor_clique *c, const gb_token *token, bool redefines,
                             const gb_token_id *id) {
  bool begins = c->over;
  halt(c);
  if (c->registered)
    gb_registration_withdraw(c->sensor, "nwsActivity", token->name);
  c->registered = false;
  c->over = false;
  c->is.token = *token;
  name_members(c);
  c->measures = strcmp(token->skill, GB_CLIQUE_SKILL) == 0 && gb_clique_sizes(token, &c->sizes);
  if (!c->measures)
    warn_of_skill(token);
  memset(c->absent, 0, sizeof c->absent);
  const gb_clique_rules rules = rules_of(c);
  uint32_t self = gb_clique_self(token, c->sensor);
  if (begins)
    gb_clique_start(&c->clique, &rules, token->count, self, gb_clock_wall(), gb_clock_now());
  if (redefines)
    gb_clique_redefine(&c->clique, &rules, token->count, self, id, gb_clock_now());
}

static void on_timer(evutil_socket_t file, short what, void *context) {
  (void)file;
  (void)what;
  gb_sensor_clique_act(context);
}

static void drop(gb_sensor_clique **at) {
  gb_sensor_clique *c = *at;
  *at = c->next;
  halt(c);
  event_free(c->timer);
  free(c);
}

/* Whether there is room for one more, after the oldest that is over was forgotten. */
static bool make_room(gb_sensor *s) {
  gb_sensor_clique **oldest = NULL;
  uint32_t known = 0, going = 0;
  for (gb_sensor_clique **at = &s->cliques; *at != NULL; at = &(*at)->next) {
    known++;
    going += !(*at)->over;
    if ((*at)->over)
      oldest = at;
  }
  if (going >= GB_SENSOR_CLIQUES_MOST)
    return false;
  if (known >= GB_SENSOR_CLIQUES_KNOWN)
    drop(oldest);
  return true;
}

gb_sensor_clique *gb_sensor_clique_new(gb_sensor *s, const char *name) {
  gb_sensor_clique *c = gb_sensor_clique_find(s, gb_view_of(name));
  if (c != NULL) {
    halt(c); /* it may be telling that it is over */
    return c;
  }
  c = make_room(s) ? calloc(1, sizeof *c) : NULL;
  struct event *timer = c != NULL ? evtimer_new(s->base, on_timer, c) : NULL;
  if (timer == NULL) {
    free(c);
    return NULL;
  }
  c->sensor = s;
  c->timer = timer;
  c->over = true;
  c->ended.generated = -INFINITY;
  (void)snprintf(c->is.token.name, sizeof c->is.token.name, "%s", name);
  c->next = s->cliques;
  s->cliques = c;
  return c;
}

/* Joining what runs already, with the same members, changes nothing. */
static gb_sensor_clique *join_running(gb_sensor_clique *c, const gb_clique_definition *d, gbcast_error *err) {
  if (gb_token_same_clique(&c->is.token, &d->token))
    return c;
  (void)gb_fail(err, GBCAST_EINPUT, "clique %s: there is another one of that name", d->token.name);
  return NULL;
}

static void begin(gb_sensor_clique *c, const gb_clique_definition *d, bool defined) {
  c->told = *d;
  c->verbatim = !defined;
  c->told_at = gb_clock_wall();
  gb_sensor_clique_define(c, &d->token, defined, NULL);
  (void)gb_event_wait(c->timer, 0);
}

gb_sensor_clique *gb_sensor_clique_join(gb_sensor *s, const gb_token *about, const gb_members *members,
                                        bool defined, gbcast_error *err) {
  gb_clique_definition d = {.token = *about};
  d.token.time_out = GB_TOKEN_TIME_OUT * about->period;
  if (gb_clique_definition_read(&d, s, members, err) != GBCAST_OK)
    return NULL;
  gb_sensor_clique *c = gb_sensor_clique_find(s, gb_view_of(about->name));
  if (c != NULL && !c->over)
    return join_running(c, &d, err);
  c = gb_sensor_clique_new(s, about->name);
  if (c == NULL)
    (void)gb_fail(err, GBCAST_EINPUT, "clique %s: this sensor is in %d cliques, or out of memory",
                  about->name, GB_SENSOR_CLIQUES_MOST);
  else
    begin(c, &d, defined);
  return c;
}

bool gb_sensor_clique_end(gb_sensor *s, gb_view name) {
  gb_sensor_clique *c = gb_sensor_clique_find(s, name);
  if (c == NULL || c->over)
    return false;
  /* Newer than every token of this clique, also one from a clock that is ahead, so that all drop theirs. */
  double generated = fmax(gb_clock_wall(), nextafter(c->clique.seen.generated, INFINITY));
  const gb_token_id id = {generated, 0, gb_clique_self(&c->is.token, s)};
  gb_sensor_clique_over(c, &id);
  gb_sensor_clique_tell_end(c);
  return true;
}

void gb_sensor_cliques_stop(gb_sensor *s) {
  while (s->cliques != NULL)
    drop(&s->cliques);
}
