/* gbcast-nws extract: fetches series and prints them as nws_extract does. */
#include "nws/commands/commands.h"
#include "nws/commands/extract/extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TITLE "gbcast-nws extract"
#define PATIENCE 15.0      /* s without a byte until a daemon is given up */
#define ROUND_MOST 120     /* s, however the bytes drip */
enum { FOLLOW_EVERY = 5 }; /* s; sensors measure every 5 s at most, as a rule */

/* Whether this is the newest object of its name that has data. */
static bool counts(const gb_extract_gather *g, uint32_t at) {
  const gb_extract_item *item = &g->item[at];
  for (uint32_t i = at; i-- > 0 && strcmp(g->item[i].found.name, item->found.name) == 0;)
    if (g->item[i].any)
      return false;
  return item->any;
}

static void warn(const gb_extract_options *o, int from, int to) {
  fflush(stdout);
  fprintf(stderr, "Warning: no %s series available from %s", o->resource, o->host[from]);
  if (to != from)
    fprintf(stderr, " to %s", o->host[to]);
  fputs("; ignored\n", stderr);
}

/* What has come, in the order of the command line. */
static void print(gb_extract_printer *p, const gb_extract_gather *g, uint32_t most) {
  for (uint32_t i = 0; i < g->count; i++) {
    const gb_extract_item *item = &g->item[i];
    if (counts(g, i))
      gb_extract_print_series(p, &item->shown, item->forecaster, item->measurement, item->count, most);
  }
}

static void warn_of_missing(const gb_extract_gather *g) {
  const gb_extract_options *o = g->options;
  uint32_t i = 0;
  for (int from = 0; from < o->host_count; from++) {
    for (int to = 0; to < o->host_count; to++) {
      bool any = false;
      for (; i < g->count && g->item[i].found.from == from && g->item[i].found.to == to; i++)
        any = any || g->item[i].any;
      if (!any && gb_extract_asked(o, from, to))
        warn(o, from, to);
    }
  }
}

static bool serve(gb_extract_gather *g, gb_socket *socket) {
  if (!gb_sockets_serve(socket, 1, gb_clock_now() + ROUND_MOST)) {
    gb_client_forget(&g->client);
    (void)snprintf(g->trouble.message, sizeof g->trouble.message, "no complete answer within %d s",
                   ROUND_MOST);
  }
  return g->trouble.message[0] == '\0';
}

/* Prints new rows until the process ends or its output is closed. Reports an unreachable daemon once. */
static void follow(gb_extract_printer *p, gb_extract_gather *g, gb_socket *socket) {
  gbcast_error told = g->trouble;
  while (g->count > 0 && fflush(stdout) == 0) {
    (void)nanosleep(&(struct timespec){.tv_sec = FOLLOW_EVERY}, NULL);
    gb_extract_fetch_again(g);
    if (!serve(g, socket) && strcmp(told.message, g->trouble.message) != 0)
      gb_nws_print_error(TITLE, g->trouble.message);
    told = g->trouble;
    print(p, g, UINT32_MAX);
  }
}

typedef struct extract_command {
  int argc;
  char **argv;
  gb_extract_options options;
  gb_nws_address server; /* the daemon to begin with: the memory that is given, or the name server */
  uint16_t memory_port;
} extract_command;

/* The host with its domain, as daemons register themselves, where the system knows it; else as it is. */
static char *find_full_name(char *host, gb_arena *arena) {
  char name[GB_NWS_HOST_MOST + 1], full[2 * GB_NWS_HOST_MOST];
  gb_machine machine = {0};
  const size_t length = strcspn(host, ":");
  if (length < sizeof name && memchr(host, '.', length) == NULL) {
    (void)snprintf(name, sizeof name, "%.*s", (int)length, host);
    if (gb_machine_look_up(name, &machine) == 0 && strchr(machine.name, '.') != NULL) {
      (void)snprintf(full, sizeof full, "%s%s", machine.name, host + length);
      return gb_arena_copy(arena, full, strlen(full));
    }
  }
  return host;
}

static void ask_memory(gb_extract_gather *g, const gb_nws_address *memory, gb_arena *arena) {
  const gb_extract_options *o = g->options;
  char **full = calloc((size_t)o->host_count, sizeof *full);
  bool good = full != NULL;
  for (int i = 0; i < o->host_count && good; i++)
    good = (full[i] = find_full_name(o->host[i], arena)) != NULL;
  if (good)
    gb_extract_ask_memory(g, memory, full);
  else
    (void)gb_no_memory(&g->trouble);
  free(full);
}

static int extract(const extract_command *s) {
  const gb_extract_options *o = &s->options;
  gb_extract_gather g;
  gb_socket socket;
  gb_arena names = {0};
  gb_extract_printer printer = {.out = stdout, .columns = o->columns, .header_every = o->header_every};
  gb_extract_gather_init(&g, o, s->memory_port, o->seconds > 0 ? (double)time(NULL) - o->seconds : 0,
                         PATIENCE);
  gb_socket_init(&socket, &g.client);
  if (o->memory != NULL)
    ask_memory(&g, &s->server, &names);
  else
    gb_extract_search(&g, &s->server);
  bool good = serve(&g, &socket);
  print(&printer, &g, o->rows);
  if (good)
    warn_of_missing(&g);
  else
    gb_nws_print_error(TITLE, g.trouble.message);
  if (o->follow)
    follow(&printer, &g, &socket);
  gb_socket_release(&socket);
  gb_extract_gather_release(&g);
  gb_arena_release(&names);
  return good ? GB_NWS_EXIT_DONE : GB_NWS_EXIT_CANNOT;
}

static int choose(void *context, const gb_nws_settings *settings, gbcast_error *err) {
  extract_command *s = context;
  gb_extract_read_options(s->argc, s->argv, gb_nws_setting(settings, "EXTRACT_FIELDS"), &s->options);
  const char *memory = s->options.memory;
  int status = gb_nws_setting_port(settings, "MEMORY_PORT", GB_NWS_MEMORY_PORT, &s->memory_port, err);
  if (status != GBCAST_OK)
    return status;
  if (memory == NULL)
    return gb_nws_setting_name_server(settings, s->options.name_server, &s->server, err);
  return gb_nws_address_read(gb_view_of(memory), s->memory_port, &s->server) ? GBCAST_OK : GBCAST_EUSAGE;
}

int gb_nws_command_extract(int argc, char **argv) {
  extract_command s = {.argc = argc, .argv = argv};
  int result = gb_nws_choose(TITLE, choose, &s);
  return result == GB_NWS_EXIT_DONE ? extract(&s) : result;
}
