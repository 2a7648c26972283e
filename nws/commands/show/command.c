/* gbcast-nws show: a table of pairs that is kept up to date. */
#include "nws/commands/commands.h"
#include "nws/commands/show/show.h"
#include "platform/text/text.h"

#include <argp.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { KEY_NAMESERVER = 0x100, KEY_JSON, KEY_ONCE, KEY_INTERVAL };

static const struct argp_option options[] = {
    {"nameserver", KEY_NAMESERVER, "HOST[:PORT]", 0, "Ask this name server (default: NAME_SERVER)", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object, and end", 0},
    {"once", KEY_ONCE, NULL, 0, "Print the table once, and end", 0},
    {"interval", KEY_INTERVAL, "SECONDS", 0, "Print the table again after this time (default 5)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

typedef struct show_options {
  const char *name_server; /* as it was said; NULL: it was not */
  bool json, once;
  double interval; /* s */
  gb_nws_address server;
  uint16_t memory_port;
} show_options;

static error_t parse_option(int key, char *text, struct argp_state *state) {
  show_options *o = state->input;
  const char *why = NULL;
  switch (key) {
  case KEY_NAMESERVER:
    o->name_server = text;
    return 0;
  case KEY_JSON:
  case KEY_ONCE:
    *(key == KEY_JSON ? &o->json : &o->once) = true;
    return 0;
  case KEY_INTERVAL:
    if (!gb_read_number(text, strlen(text), 0, &o->interval, &why) ||
        !(o->interval >= 0.1 && o->interval <= 86400))
      argp_error(state, "--interval: found '%s', expected seconds from 0.1 to 86400", text);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* What is there of a terminal; room for everything elsewhere. */
static gb_show_window window_of(bool terminal) {
  struct winsize size;
  if (!terminal)
    return (gb_show_window){UINT32_MAX, UINT32_MAX, ""};
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return (gb_show_window){known && size.ws_row > 3 ? size.ws_row : 24,
                          known && size.ws_col > 0 ? size.ws_col : 80, "\033[K"};
}

/* On a terminal over what stood there, line by line, so that nothing flickers; else below it. */
static bool print_again(const gb_survey *s, bool terminal) {
  gb_show_window window = window_of(terminal);
  double now = (double)time(NULL);
  const char *trouble = s->trouble.message;
  if (terminal)
    fputs("\033[H\033[?7l", stdout); /* long lines are cut */
  printf("%u series at %s:%u%s%s%s\n", (unsigned)s->count, s->name_server.host, (unsigned)s->name_server.port,
         trouble[0] != '\0' ? "; " : "", trouble, window.end);
  window.lines -= terminal ? 2 : 0; /* the line above, and the cursor's */
  bool good = gb_show_table(s, now, &window, stdout);
  fputs(terminal ? "\033[J\033[?7h" : "\n", stdout);
  return fflush(stdout) == 0 && good;
}

static bool print_on(gb_show_feed *f, double interval) {
  bool terminal = isatty(STDOUT_FILENO);
  if (terminal)
    fputs("\033[2J", stdout);
  while (print_again(&f->survey, terminal))
    if (!gb_show_feed_wait(f, interval))
      return false;
  return ferror(stdout) != 0; /* which is told when it is closed */
}

static int print_once(const gb_survey *s, bool json) {
  gb_show_window window = {UINT32_MAX, window_of(isatty(STDOUT_FILENO)).columns, ""};
  bool good = json ? gb_show_json(s, (double)time(NULL), stdout)
                   : gb_show_table(s, (double)time(NULL), &window, stdout);
  if (!json && s->trouble.message[0] != '\0')
    gb_nws_print_error("gbcast-nws", s->trouble.message);
  if (good)
    return GB_NWS_EXIT_DONE;
  gb_nws_print_error("gbcast-nws", "out of memory");
  return GB_NWS_EXIT_CANNOT;
}

static int show(const show_options *o) {
  gb_show_feed f;
  int result = GB_NWS_EXIT_CANNOT;
  if (!gb_show_feed_init(&f, &o->server, o->memory_port)) {
    gb_nws_print_error("gbcast-nws", "out of memory");
    return result;
  }
  if (!gb_show_feed_survey(&f))
    fprintf(stderr,
            "gbcast-nws: %s: is a name server running there? gbcast-nws serve starts one, --nameserver "
            "names another\n",
            f.survey.trouble.message);
  else if (o->json || o->once)
    result = print_once(&f.survey, o->json);
  else if (print_on(&f, o->interval))
    result = GB_NWS_EXIT_DONE;
  else
    gb_nws_print_error("gbcast-nws", "out of memory");
  gb_show_feed_release(&f);
  return result;
}

static int choose(void *context, const gb_nws_settings *settings, gbcast_error *err) {
  show_options *o = context;
  int status = gb_nws_setting_name_server(settings, o->name_server, &o->server, err);
  if (status != GBCAST_OK)
    return status;
  return gb_nws_setting_port(settings, "MEMORY_PORT", GB_NWS_MEMORY_PORT, &o->memory_port, err);
}

int gb_nws_command_show(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .doc = "Shows the round trips and bandwidths that a name server knows of: the last measurement, the "
             "forecast of the next and its error, how old they are, and how they went lately.\vExit status: "
             "0 done, 1 the name server does not answer, 2 wrong usage.",
  };
  show_options o = {.interval = 5};
  if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
    return GB_NWS_EXIT_CANNOT;
  int result = gb_nws_choose("gbcast-nws", choose, &o);
  return result == GB_NWS_EXIT_DONE ? show(&o) : result;
}
