/* What start_activity and halt_activity of NWS look up: what a sensor can do, and which cliques there are. */
#include "nws/sense/sensor_clique.h"

#include <stdio.h>

/* "machine:port.WHAT" with its class; the caller appends the rest. */
static void begin_ability(gb_bytes *out, const gb_sensor *s, const char *what, const char *class) {
  char name[GB_MEMBER_NAME + 32];
  (void)snprintf(name, sizeof name, "%s.%s", s->name, what);
  gb_object_add_string(out, "name", name);
  gb_object_add_string(out, "objectclass", class);
}

/* What start_activity of NWS looks for before it asks a sensor to start a clique: that the sensor has this
 * control and skill, and how many values each of their options takes. */
void gb_registration_abilities(gb_sensor *s) {
  gb_bytes control = {0}, skill = {0};
  begin_ability(&control, s, "clique", "nwsControl");
  gb_object_add_string(&control, "controlName", "clique");
  gb_object_add_string(&control, "host", s->name);
  gb_object_add_string(&control, "option", "member,period");
  gb_object_add_string(&control, "skillName", GB_CLIQUE_SKILL);
  gb_object_add_string(&control, "member", "2_to_100_sensor");
  gb_object_add_string(&control, "period", "0_to_1_int");
  gb_object_end(&control);
  gb_registration_add(s, &control);
  begin_ability(&skill, s, GB_CLIQUE_SKILL, "nwsSkill");
  gb_object_add_string(&skill, "host", s->name);
  gb_object_add_string(&skill, "option", "buffer,message,size,target");
  gb_object_add_string(&skill, "skillName", GB_CLIQUE_SKILL);
  gb_object_add_string(&skill, "buffer", "0_to_1_int");
  gb_object_add_string(&skill, "message", "0_to_1_int");
  gb_object_add_string(&skill, "size", "0_to_1_int");
  gb_object_add_string(&skill, "target", "1_to_100_sensor");
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
  gb_object_add(out, "member", (gb_view){(const char *)list.data, list.size});
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
  gb_object_add_string(&object, "name", t->name);
  gb_object_add_string(&object, "objectclass", "nwsActivity");
  gb_object_add_string(&object, "controlName", "clique");
  gb_object_add_string(&object, "host", c->sensor->name);
  gb_object_add_string(&object, "option", names);
  gb_object_add_string(&object, "resource", GB_NWS_BANDWIDTH "," GB_NWS_LATENCY);
  gb_object_add_string(&object, "skillName", t->skill);
  for (options = gb_view_of(t->options); gb_object_attribute(&options, &name, &value);) {
    char option[sizeof t->options];
    (void)snprintf(option, sizeof option, "%.*s", (int)name.length, name.at);
    gb_object_add(&object, option, value);
  }
  gb_object_add_string(&object, "period", period);
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
