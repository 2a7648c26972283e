#include "nws/commands/extract/extract.h"
#include "platform/text/text.h"

#include <argp.h>
#include <string.h>
#include <strings.h>

static const struct field {
  const char *name, *title;
  uint32_t width;
} fields[GB_EXTRACT_FIELDS] = {
    [GB_EXTRACT_TIME] = {"time", "Time", 12},
    [GB_EXTRACT_MEASUREMENT] = {"measurement", "Measure", 12},
    [GB_EXTRACT_MAE_FORECAST] = {"mae_forecast", "MAE_Fore", 12},
    [GB_EXTRACT_MAE_ERROR] = {"mae_error", "MAE_Err", 12},
    [GB_EXTRACT_MAE_METHOD] = {"mae_method", "MAE_Method", 15},
    [GB_EXTRACT_MSE_FORECAST] = {"mse_forecast", "MSE_Fore", 12},
    [GB_EXTRACT_MSE_ERROR] = {"mse_error", "MSE_Err", 12},
    [GB_EXTRACT_MSE_METHOD] = {"mse_method", "MSE_Method", 15},
    [GB_EXTRACT_SOURCE] = {"source", "Source", 32},
    [GB_EXTRACT_DESTINATION] = {"destination", "Destination", 32},
    [GB_EXTRACT_RESOURCE] = {"resource", "Resource", 20},
};

static const struct resource {
  const char *name;
  bool one_host;
} resources[] = {
    {"availableCpu", true}, {"bandwidthTcp", false}, {"connectTimeTcp", false}, {"currentCpu", true},
    {"freeDisk", true},     {"freeMemory", true},    {"latencyTcp", false},
};

const char gb_extract_default_fields[] =
    "time,measurement,mae_forecast,mae_error,mse_forecast,mse_error,source,destination,resource";

const char *gb_extract_title(enum gb_extract_field field) {
  return fields[field].title;
}

uint32_t gb_extract_width(enum gb_extract_field field) {
  return fields[field].width;
}

bool gb_extract_read_columns(const char *list, gb_extract_columns *out, gb_view *wrong) {
  static const char between[] = ", \t";
  out->count = 0;
  *wrong = (gb_view){list, 0};
  for (const char *at = list + strspn(list, between); *at != '\0'; at += strspn(at, between)) {
    *wrong = (gb_view){at, strcspn(at, between)};
    uint32_t i = 0;
    while (i < GB_EXTRACT_FIELDS && strncasecmp(fields[i].name, at, wrong->length) != 0)
      i++;
    if (i == GB_EXTRACT_FIELDS || out->count == GB_EXTRACT_COLUMNS_MOST)
      return false;
    out->field[out->count++] = (enum gb_extract_field)i;
    at += wrong->length;
  }
  return out->count > 0;
}

const char *gb_extract_resource(const char *name) {
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
    if (strncasecmp(resources[i].name, name, strlen(name)) == 0)
      return resources[i].name;
  return name;
}

bool gb_extract_has_target(const char *resource) {
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
    if (strcmp(resources[i].name, resource) == 0)
      return !resources[i].one_host;
  return true;
}

static const struct argp_option options[] = {
    {NULL, 'a', NULL, 0, "Series between all of the hosts (default: from the first to the others)", 0},
    {NULL, 'w', NULL, 0, "Go on with measurements as they come", 0},
    {NULL, 'f', "FIELDS", 0,
     "What to show, of time, measurement, mae_forecast, mae_error, mae_method, mse_forecast, mse_error, "
     "mse_method, source, destination and resource; names may be abbreviated",
     0},
    {NULL, 'h', "ROWS", 0, "Titles every so many rows (default 20; 0: none)", 0},
    {NULL, 'n', "ROWS", 0, "At most so many rows of each series, the newest (default 20)", 0},
    {NULL, 't', "SECONDS", 0, "Only what was stored in the last so many seconds", 0},
    {NULL, 'M', "HOST[:PORT]", 0, "Ask this memory (default: the one that the name server tells)", 0},
    {NULL, 'N', "HOST[:PORT]", 0, "Ask this name server", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

typedef struct options_state {
  gb_extract_options *options;
  const char *fields, *said_by;
} options_state;

static void read_columns(const options_state *s, struct argp_state *argp) {
  gb_extract_options *o = s->options;
  gb_view wrong;
  if (gb_extract_read_columns(s->fields, &o->columns, &wrong))
    return;
  if (wrong.length == 0)
    argp_error(argp, "%s: no field is named", s->said_by);
  else if (o->columns.count == GB_EXTRACT_COLUMNS_MOST)
    argp_error(argp, "%s: at most %u fields are shown", s->said_by, GB_EXTRACT_COLUMNS_MOST);
  else
    argp_error(argp,
               "%s: '%.*s' is no field; expected some of time, measurement, mae_forecast, mae_error, "
               "mae_method, mse_forecast, mse_error, mse_method, source, destination, resource",
               s->said_by, (int)wrong.length, wrong.at);
}

static void read_rows(struct argp_state *argp, char key, const char *text, uint32_t *out) {
  const char *why = NULL;
  *out = 0;
  if (!(key == 'h' && strcmp(text, "0") == 0) && !gb_read_count(text, strlen(text), out, &why))
    argp_error(argp, "-%c: found '%s', expected %s%s", key, text, key == 'h' ? "0, or " : "", why);
}

static void read_seconds(struct argp_state *argp, const char *text, double *out) {
  const char *why = NULL;
  if (!gb_read_number(text, strlen(text), 0, out, &why) || !(*out > 0 && *out <= GB_MOST_TIME))
    argp_error(argp, "-t: found '%s', expected seconds above 0, at most 1e9", text);
}

static const char *read_host(struct argp_state *argp, const char *text) {
  gb_nws_address address;
  if (!gb_nws_address_read(gb_view_of(text), 0, &address))
    argp_error(argp, "'%s' is no host; expected a name or an IPv4 address, with :PORT behind it or not",
               text);
  return text;
}

/* resource [filter] source [dest ...] */
static void read_words(gb_extract_options *o, struct argp_state *argp, char **word, int count) {
  o->resource = *word[0] != '\0' ? gb_extract_resource(word[0]) : "";
  int used = 1;
  if (count > 1 && *word[1] == '(')
    o->filter = word[used++];
  o->host = word + used;
  o->host_count = count - used;
  if (o->host_count == 0)
    argp_error(argp, "the host is missing that %s was measured on", o->resource);
  for (int i = 0; i < o->host_count; i++)
    (void)read_host(argp, o->host[i]);
  if (*o->resource == '\0' || strlen(o->resource) > GB_NWS_NAME_MOST ||
      o->resource[strcspn(o->resource, " \t\n()*")] != '\0')
    argp_error(argp, "'%s' is no resource; expected one such as latencyTcp or bandwidthTcp", o->resource);
}

static error_t parse_option(int key, char *text, struct argp_state *argp) {
  options_state *s = argp->input;
  gb_extract_options *o = s->options;
  switch (key) {
  case 'a':
  case 'w':
    *(key == 'a' ? &o->all_pairs : &o->follow) = true;
    return 0;
  case 'f':
    s->fields = text;
    s->said_by = "-f";
    return 0;
  case 'h':
  case 'n':
    read_rows(argp, (char)key, text, key == 'h' ? &o->header_every : &o->rows);
    return 0;
  case 't':
    read_seconds(argp, text, &o->seconds);
    return 0;
  case 'M':
  case 'N':
    *(key == 'M' ? &o->memory : &o->name_server) = read_host(argp, text);
    return 0;
  case ARGP_KEY_ARGS:
    read_words(o, argp, argp->argv + argp->next, argp->argc - argp->next);
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(argp, "the resource is missing, such as latencyTcp or bandwidthTcp");
    return 0;
  case ARGP_KEY_END:
    read_columns(s, argp);
    if (o->memory != NULL && gb_extract_has_target(o->resource) && o->host_count == 1)
      argp_error(argp, "-M needs a destination: a memory cannot tell which there are");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

void gb_extract_read_options(int argc, char **argv, const char *usual, gb_extract_options *out) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "RESOURCE [FILTER] SOURCE [DESTINATION...]",
      .doc =
          "Prints the newest measurements of series with the forecasts after each, in the manner of "
          "nws_extract. RESOURCE is one such as latencyTcp or bandwidthTcp, and may be abbreviated; FILTER, "
          "in parentheses, limits what the name server tells.\vExit status: 0 done, 1 no answer, 2 wrong "
          "usage.",
  };
  *out = (gb_extract_options){.header_every = 20, .rows = 20};
  options_state s = {.options = out, .fields = gb_extract_default_fields};
  if (usual != NULL) {
    s.fields = usual;
    s.said_by = "EXTRACT_FIELDS";
  }
  (void)argp_parse(&argp, argc, argv, 0, NULL, &s);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->columns.count; i++)
    if (out->columns.field[i] != GB_EXTRACT_DESTINATION || gb_extract_has_target(out->resource))
      out->columns.field[kept++] = out->columns.field[i];
  out->columns.count = kept;
}
