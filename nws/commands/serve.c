/* gbcast-nws serve: its options. */
#include "nws/serve/serve.h"
#include "nws/commands/commands.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_LISTEN = 0x100, KEY_ALLOW, KEY_DIR, KEY_NS_PORT, KEY_MEMORY_PORT };
enum { RECORDS_MOST = 20000 }; /* of a series: they all go into one message */

static const struct argp_option options[] = {
    {"listen", KEY_LISTEN, "ADDR", 0,
     "IPv4 address or name of this machine; 0.0.0.0: all (default 127.0.0.1)", 0},
    {"allow", KEY_ALLOW, "CIDR", 0,
     "Let these addresses in too, such as 10.1.0.0/16; may be repeated (default: this machine alone)", 0},
    {"dir", KEY_DIR, "PATH", 0, "Keep the data in this folder (default ./gbcast-nws.d)", 0},
    {"ns-port", KEY_NS_PORT, "PORT", 0, "Name server's port; 0: the system chooses (default 8090)", 0},
    {"memory-port", KEY_MEMORY_PORT, "PORT", 0, "Memory's port; 0: the system chooses (default 8050)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void set_port(struct argp_state *state, const char *option, const char *text, uint16_t *out) {
  if (!gb_nws_read_port(text, out))
    argp_error(state, "%s: found '%s', expected a port from 0 to 65535", option, text);
}

static error_t add_range(gb_serve_options *o, const char *text, struct argp_state *state) {
  const char *why = NULL;
  gb_cidr range;
  if (!gb_cidr_read(text, &range, &why)) {
    argp_error(state, "--allow: found '%s', expected %s", text, why);
    return EINVAL;
  }
  gb_cidr *more = realloc(o->allowed, (o->allowed_count + 1) * sizeof *more);
  if (more == NULL)
    return ENOMEM;
  o->allowed = more;
  o->allowed[o->allowed_count++] = range;
  return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
  gb_serve_options *o = state->input;
  switch (key) {
  case KEY_LISTEN:
    o->listen = text;
    return 0;
  case KEY_ALLOW:
    return add_range(o, text, state);
  case KEY_DIR:
    o->folder = text;
    return 0;
  case KEY_NS_PORT:
    set_port(state, "--ns-port", text, &o->name_server_port);
    return 0;
  case KEY_MEMORY_PORT:
    set_port(state, "--memory-port", text, &o->memory_port);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* MEMORY_SIZE, as NWS has it in the environment; false: it is none. */
static bool read_memory_size(uint32_t *out) {
  const char *text = getenv("MEMORY_SIZE");
  const char *why;
  if (text == NULL || (gb_read_count(text, strlen(text), out, &why) && *out <= RECORDS_MOST))
    return true;
  fprintf(stderr, "gbcast-nws: MEMORY_SIZE: found '%s', expected 1 to %d records\n", text, RECORDS_MOST);
  return false;
}

static int serve(gb_serve_options *o) {
  gbcast_error err = {""};
  if (!read_memory_size(&o->limits.ring))
    return GB_NWS_EXIT_USAGE;
  if (gb_serve(o, stdout, stderr, &err) == GBCAST_OK)
    return GB_NWS_EXIT_DONE;
  fprintf(stderr, "gbcast-nws: %s\n", err.message);
  return GB_NWS_EXIT_CANNOT;
}

int gb_nws_command_serve(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .doc =
          "Runs a name server and a memory of the Network Weather Service in the foreground, until SIGINT or "
          "SIGTERM.\vExit status: 0 done, 1 it cannot be done, 2 wrong usage.",
  };
  gb_serve_options o = {.listen = "127.0.0.1",
                        .folder = "gbcast-nws.d",
                        .name_server_port = 8090,
                        .memory_port = 8050,
                        .limits = {.objects = 100000,
                                   .object_bytes = (size_t)16 << 20,
                                   .series = 20000,
                                   .series_bytes = (size_t)512 << 20,
                                   .ring = 2000,
                                   .log_floor = (size_t)4 << 20}};
  int status = argp_parse(&argp, argc, argv, 0, NULL, &o) == 0 ? serve(&o) : GB_NWS_EXIT_CANNOT;
  free(o.allowed);
  return status;
}
