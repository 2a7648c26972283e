/* gbcast-nws sense: its options, and whom the sensor talks to. */
#include "nws/sense/sense.h"
#include "nws/commands/commands.h"

#include <argp.h>
#include <string.h>

enum { KEY_PORT = 0x100, KEY_NAME_SERVER, KEY_MEMORY, KEY_CLIQUE, KEY_PERIOD, KEY_IPERF };

#define PERIOD 120.0 /* s, as in NWS */

typedef struct sense_command {
  gb_sense_options sensor;
  bool has_port;
  const char *name_server, *memory; /* as given; NULL: not given */
} sense_command;

static const struct argp_option options[] = {
    {"port", KEY_PORT, "PORT", 0, "Answer other sensors here; 0: the system chooses (default 8060)", 0},
    {"nameserver", KEY_NAME_SERVER, "HOST[:PORT]", 0, "Register here (default: NAME_SERVER)", 0},
    {"memory", KEY_MEMORY, "HOST[:PORT]", 0, "Store here (default: SENSOR_MEMORY, or what is registered)", 0},
    {"clique", KEY_CLIQUE, "NAME", 0, "Measure the HOSTs, which are the sensors of this clique", 0},
    {"period", KEY_PERIOD, "SECONDS", 0, "Measure each peer so often, or as often as it can be (default 120)",
     0},
    {"iperf", KEY_IPERF, NULL, 0, "Measure long transfers, too, with sensors that have this option", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void check(gb_sense_options *o, struct argp_state *state) {
  if (o->clique != NULL && o->members.count == 0)
    argp_error(state, "--clique=%s: its HOSTs are missing", o->clique);
  if (o->clique == NULL && o->members.count > 0)
    argp_error(state, "HOSTs are the members of a clique: --clique=NAME is missing");
  if (o->clique != NULL && (*o->clique == '\0' || strlen(o->clique) > GB_CLIQUE_NAME_MOST))
    argp_error(state, "--clique: found '%s', expected a name of 1 to 31 characters", o->clique);
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
  sense_command *c = state->input;
  gb_sense_options *o = &c->sensor;
  const char *why = NULL;
  switch (key) {
  case KEY_PORT:
    c->has_port = true;
    if (!gb_nws_read_port(text, &o->port))
      argp_error(state, "--port: found '%s', expected 0 to 65535", text);
    return 0;
  case KEY_NAME_SERVER:
    c->name_server = text;
    return 0;
  case KEY_MEMORY:
    c->memory = text;
    return 0;
  case KEY_CLIQUE:
    if (o->clique != NULL)
      argp_error(state, "--clique is given twice; more cliques can be started with ACTIVITY_START");
    o->clique = text;
    return 0;
  case KEY_PERIOD:
    if (!gb_sense_period_read(gb_view_of(text), &o->period, &why))
      argp_error(state, "--period: found '%s', expected %s", text, why);
    return 0;
  case KEY_IPERF:
    o->iperf = true;
    return 0;
  case ARGP_KEY_ARG:
    if (!gb_members_add(&o->members, gb_view_of(text), &why))
      argp_error(state, "found '%s', expected %s", text, why);
    return 0;
  case ARGP_KEY_END:
    check(o, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* The memory of --memory or SENSOR_MEMORY, if any. */
static int choose_memory(sense_command *c, const gb_nws_settings *settings, gbcast_error *err) {
  uint16_t port;
  const bool option = c->memory != NULL;
  const char *text = option ? c->memory : gb_nws_setting(settings, "SENSOR_MEMORY");
  c->sensor.has_memory = text != NULL;
  if (text == NULL)
    return GBCAST_OK;
  int status = gb_nws_setting_port(settings, "MEMORY_PORT", GB_NWS_MEMORY_PORT, &port, err);
  if (status != GBCAST_OK || gb_nws_address_read(gb_view_of(text), port, &c->sensor.memory))
    return status;
  return gb_fail(err, option ? GBCAST_EUSAGE : GBCAST_EINPUT, "%s: found '%s', expected HOST[:PORT]",
                 option ? "--memory" : "SENSOR_MEMORY", text);
}

static int choose(void *context, const gb_nws_settings *settings, gbcast_error *err) {
  sense_command *c = context;
  gb_sense_options *o = &c->sensor;
  int status = gb_nws_setting_name_server(settings, c->name_server, &o->name_server, err);
  if (status == GBCAST_OK && !c->has_port)
    status = gb_nws_setting_port(settings, "SENSOR_PORT", GB_NWS_SENSOR_PORT, &o->port, err);
  return status == GBCAST_OK ? choose_memory(c, settings, err) : status;
}

int gb_nws_command_sense(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "[HOST[:PORT]...]",
      .doc = "Measures round trips and bandwidths to other sensors, answers them, stores and registers the "
             "series. Ends at SIGINT or SIGTERM.",
  };
  sense_command c = {.sensor = {.period = PERIOD}};
  argp_err_exit_status = GB_NWS_EXIT_USAGE;
  (void)argp_parse(&argp, argc, argv, 0, NULL, &c);
  const int result = gb_nws_choose("gbcast-nws sense", choose, &c);
  if (result != GB_NWS_EXIT_DONE)
    return result;
  return gb_sense(&c.sensor) ? GB_NWS_EXIT_DONE : GB_NWS_EXIT_CANNOT;
}
