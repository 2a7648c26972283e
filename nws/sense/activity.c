/* What start_activity and halt_activity of NWS look up: what a sensor can do, and which cliques there are. */
#include "nws/sense/sensor_clique.h"

#include <stdio.h>

/* "machine:port.WHAT" with its class; the caller appends the rest. */
static void begin_ability(gb_bytes *out, const gb_sensor *s, const char *what, const char *class) {
  char name[GB_MEMBER_NAME + 32];
  (void)snprintf(name, sizeof name, "%s.%s", s->name, what);
  gb_object_add_strings(out, "name", name, "objectclass", class, NULL);
}

/* What start_activity of NWS looks for before it asks a sensor to start a clique: that the sensor has this
 * control and skill, and how many values each of their options takes. */
void gb_registration_abilities(gb_sensor *s) {
  gb_bytes control = {0}, skill = {0};
  begin_ability(&control, s, "clique", "nwsControl");
  gb_object_add_strings(&control, "controlName", "clique", "host", s->name, "option", "member,period",
                        "skillName", GB_CLIQUE_SKILL, "member", "2_to_100_sensor", "period", "0_to_1_int",
                        NULL);
  gb_object_end(&control);
  gb_registration_add(s, &control);
  begin_ability(&skill, s, GB_CLIQUE_SKILL, "nwsSkill");
  gb_object_add_strings(&skill, "host", s->name, "option", "buffer,message,size,target", "skillName",
                        GB_CLIQUE_SKILL, "buffer", "0_to_1_int", "message", "0_to_1_int", "size",
                        "0_to_1_int", "target", "1_to_100_sensor", NULL);
  gb_object_end(&skill);
  gb_registration_add(s, &skill);
}

static void add_members(gb_bytes *out, const gb_sensor_clique *c) {
  gb_bytes list = {0};
  for (uint32_t i = 0; i < c->is.token.count; i++) {
    char name[GB_MEMBER_NAME];
    gb_sensor_clique_label(c, i, name);
    gb_put(&list, ",", i > 0);
    gb_put(&list, name, strlen(name));
  }
  out->failed |= list.failed;
  gb_object_add(out, "member", gb_bytes_view(&list));
  gb_bytes_release(&list);
}

static void add_activity(gb_sensor_clique *c) {
  const gb_token *t = &c->is.token;
  gb_view options = gb_view_of(t->options), name, value;
  gb_bytes object = {0};
  char names[sizeof t->options + 16], period[32];
  int length = 0;
  while (gb_object_attribute(&options, &name, &value))
    length += snprintf(names + length, sizeof names - (size_t)length, "%.*s,", (int)name.length, name.at);
  (void)snprintf(names + length, sizeof names - (size_t)length, "period,member");
  (void)snprintf(period, sizeof period, "%.0f", t->period);
  gb_object_add_strings(&object, "name", t->name, "objectclass", "nwsActivity", "controlName", "clique",
                        "host", c->sensor->name, "option", names, "resource",
                        GB_NWS_BANDWIDTH "," GB_NWS_LATENCY, "skillName", t->skill, NULL);
  for (options = gb_view_of(t->options); gb_object_attribute(&options, &name, &value);) {
    char option[sizeof t->options];
    (void)snprintf(option, sizeof option, "%.*s", (int)name.length, name.at);
    gb_object_add(&object, option, value);
  }
  gb_object_add_strings(&object, "period", period, NULL);
  add_members(&object, c);
  gb_object_end(&object);
  gb_registration_add(c->sensor, &object);
}

/* One member registers the clique: the one whose token goes round, once another member has taken it. */
void gb_sensor_clique_register(gb_sensor_clique *c) {
  const gb_clique *q = &c->clique;
  bool leads = !c->over && q->seen.leader == q->self;
  if (!leads && c->registered) {
    gb_registration_withdraw(c->sensor, "nwsActivity", c->is.token.name);
    c->registered = false;
  } else if (leads && !c->registered && !q->made && q->state == GB_CLIQUE_AWAY) {
    add_activity(c);
    c->registered = true;
  }
}

/* Puts measurements into the outbox, and registers their series once the memory is known. */
static void store(gb_sensor *s, const gb_pair_series *series, double when, double value) {
  char name[GB_NWS_NAME_MOST + 1];
  gb_bytes object = {0};
  if (value < 0 || !gb_pair_series_name(series, name) || !gb_outbox_put(&s->outbox, name, when, value))
    return;
  gb_deliver(s);
  if (s->memory_name[0] == '\0')
    return; /* registered with the next value */
  gb_pair_series_object(&object, series, name, s->memory_name);
  gb_registration_add(s, &object);
}

void gb_sensor_clique_store(gb_sensor_clique *c) {
  const gb_experiment *sizes = &c->probe.initiator.sizes;
  const gb_peer_probe *t = &c->probe;
  gb_pair_series series = {.host = c->is.name[c->clique.self], .target = c->is.name[c->member]};
  store(c->sensor, &series, t->measured, t->round_trip);
  series.bandwidth = true;
  series.buffer = sizes->buffer / 1024;
  series.message = sizes->message / 1024;
  series.size = sizes->size / 1024;
  store(c->sensor, &series, t->measured, t->bandwidth);
  series.buffer = 0; /* as the system likes */
  series.message = GB_IPERF_MESSAGE;
  series.size = GB_IPERF_SIZE;
  series.method = "iperf";
  store(c->sensor, &series, t->long_measured, t->long_bandwidth);
}
