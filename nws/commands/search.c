/* gbcast-nws search: prints objects of a name server as nws_search does, or unregisters them. */
#include "nws/commands/commands.h"

#include <argp.h>
#include <string.h>

#define TITLE "gbcast-nws search"
#define PATIENCE 15.0  /* s without a byte until the name server is given up */
#define SEARCH_MOST 60 /* s, however the bytes drip */

enum { KEY_UNREGISTER = 0x100 };

static const struct argp_option options[] = {
    {"nameserver", 'N', "HOST[:PORT]", 0, "Ask this name server (default: NAME_SERVER)", 0},
    {"format", 'f', "yes|no", 0, "An attribute a line (yes, the default), or an object a line (no)", 0},
    {"unregister", KEY_UNREGISTER, NULL, 0, "Take what is found off the name server's list", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

typedef struct search_format {
  bool lines;             /* an attribute a line, objects apart by an empty line; else an object a line */
  char *const *attribute; /* those to print, in this order; none: all */
  int count;
} search_format;

enum { WIDTH = 11 }; /* of names: "objectclass" */

/* Quoted, with '_' for each blank, so that splitting at blanks works. */
static void put_value(gb_view text, FILE *out) {
  char piece[GB_PIECE];
  for (size_t i = 0; i < text.length;) {
    i += gb_quote_one(text.at + i, text.length - i, piece);
    (void)fputs(strcmp(piece, " ") == 0 ? "_" : piece, out);
  }
}

static void print_attribute(gb_view name, gb_view value, const search_format *format, FILE *out) {
  gb_print_quoted(name.at, name.length, out);
  for (size_t i = name.length; format->lines && i < WIDTH; i++)
    (void)putc(' ', out);
  (void)putc(':', out);
  put_value(value, out);
  (void)putc(format->lines ? '\n' : ' ', out);
}

static void print_object(gb_view object, const search_format *format, FILE *out) {
  gb_view name, value;
  bool any = false;
  for (int i = 0; i < format->count; i++)
    if (gb_object_get(object, format->attribute[i], &value)) {
      print_attribute(gb_view_of(format->attribute[i]), value, format, out);
      any = true;
    }
  while (format->count == 0 && gb_object_attribute(&object, &name, &value)) {
    print_attribute(name, value, format, out);
    any = true;
  }
  if (any)
    (void)putc('\n', out);
}

/* Prints every object of the set that has something to print. */
static void print(gb_view set, const search_format *format, FILE *out) {
  gb_view object;
  while (gb_object_next(&set, &object))
    print_object(object, format, out);
}

typedef struct search_command {
  const char *name_server; /* as it was said; NULL: it was not */
  const char *filter;
  gb_nws_address server;
  search_format format;
  bool unregister, failed;
} search_command;

static error_t parse_option(int key, char *text, struct argp_state *state) {
  search_command *s = state->input;
  switch (key) {
  case 'N':
    s->name_server = text;
    return 0;
  case 'f':
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
      argp_error(state, "--format: found '%s', expected yes or no", text);
    s->format.lines = strcmp(text, "yes") == 0;
    return 0;
  case KEY_UNREGISTER:
    s->unregister = true;
    return 0;
  case ARGP_KEY_ARGS:
    s->filter = state->argv[state->next];
    s->format.attribute = &state->argv[state->next + 1];
    s->format.count = state->argc - state->next - 1;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "a filter is missing, such as 'objectclass=nwsSeries'");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void answered(void *context, const gb_nws_message *reply, const char *why) {
  search_command *s = context;
  s->failed = reply == NULL || reply->number != GB_NWS_NS_SEARCHED;
  if (s->failed)
    gb_nws_print_error(TITLE, why != NULL ? why : "the name server refuses");
  else if (!s->unregister)
    print(reply->text, &s->format, stdout);
}

static int run(search_command *s) {
  gb_client client;
  gb_socket socket;
  gb_unregister unregister = {&client, s->server, s->filter, answered, s, 0};
  gb_nws_message request = {.number = GB_NWS_NS_SEARCH, .text = gb_view_of(s->filter)};
  gb_client_init(&client, PATIENCE, NULL, NULL);
  gb_socket_init(&socket, &client);
  bool asked = s->unregister ? gb_unregister_begin(&unregister)
                             : gb_client_ask(&client, &s->server, &request, answered, s);
  bool ended = asked && gb_sockets_serve(&socket, 1, gb_clock_now() + SEARCH_MOST);
  if (!ended)
    gb_nws_print_error(TITLE, asked ? "not everything has come within a minute" : "out of memory");
  gb_socket_release(&socket);
  gb_client_forget(&client);
  return ended && !s->failed ? GB_NWS_EXIT_DONE : GB_NWS_EXIT_CANNOT;
}

static int choose(void *context, const gb_nws_settings *settings, gbcast_error *err) {
  search_command *s = context;
  return gb_nws_setting_name_server(settings, s->name_server, &s->server, err);
}

int gb_nws_command_search(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "FILTER [ATTRIBUTE...]",
      .doc = "Prints the objects of a name server that FILTER finds, or these ATTRIBUTEs of them.\vExit "
             "status: 0 done, also when nothing is found, 1 the name server does not answer, 2 wrong usage.",
  };
  search_command s = {.format = {.lines = true}};
  if (argp_parse(&argp, argc, argv, 0, NULL, &s) != 0)
    return GB_NWS_EXIT_CANNOT;
  int result = gb_nws_choose(TITLE, choose, &s);
  return result == GB_NWS_EXIT_DONE ? run(&s) : result;
}
