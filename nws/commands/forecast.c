/* gbcast-nws forecast: reads a series of measurements, prints the forecast after each. */
#include "nws/forecast/forecast.h"
#include "nws/commands/commands.h"
#include "platform/text/text.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MOST = 4096 }; /* bytes: an input that never ends its line must not fill the memory */

#define VALUE_MOST 1e100 /* so that every square and every sum is finite */

typedef struct forecast_input {
  FILE *in;
  gb_source source;
  gb_forecaster *forecaster;
  uint64_t rows;
  double time; /* of the measurement before */
} forecast_input;

static int read_number(gb_source *s, const gb_lexeme *w, const char *what, double *out) {
  const char *why = NULL;
  if (gb_read_number(w->text, w->length, 0, out, &why) && fabs(*out) <= VALUE_MOST)
    return GBCAST_OK;
  return gb_expected(s, w, "%s: a number without a unit, from -1e100 to 1e100, such as 12.5", what);
}

/* The words of one line, which has some: timestamp and value. */
static int read_measurement(forecast_input *j, double *value) {
  gb_source *s = &j->source;
  double time = 0;
  int status = read_number(s, &s->word[0], "a timestamp", &time);
  if (status == GBCAST_OK)
    status = read_number(s, &s->word[1], "a measurement", value);
  if (status != GBCAST_OK)
    return status;
  if (s->count > 2)
    return gb_expected(s, &s->word[2], "the end of the line after a timestamp and a measurement");
  if (j->rows > 0 && time < j->time)
    return gb_expected(s, &s->word[0],
                       "a timestamp that is not before that of the line above: measurements are read oldest "
                       "first (sort -n)");
  j->time = time;
  return GBCAST_OK;
}

static void print_row(const forecast_input *j, const gb_lexeme *value, const gb_forecast *mae,
                      const gb_forecast *mse) {
  printf("%" PRIu64 ",%.*s,%.12g,%.12g,%" PRIu32 ",%.12g,%.12g,%" PRIu32 "\n", j->rows, (int)value->length,
         value->text, mae->value, mae->error, mae->method, mse->value, mse->error, mse->method);
}

static int take_line(forecast_input *j, const char *line, size_t length) {
  gb_place too_long = {j->source.file, j->source.line, LINE_MOST + 1};
  if (length > LINE_MOST)
    return gb_fail_at(j->source.err, &too_long, "found more, expected at most %d bytes a line", LINE_MOST);
  double value = 0;
  int status = gb_lex_line(&j->source, line, length);
  if (status != GBCAST_OK || j->source.count == 0)
    return status;
  status = read_measurement(j, &value);
  if (status != GBCAST_OK)
    return status;
  gb_forecast mae, mse;
  gb_forecaster_add(j->forecaster, value);
  if (gb_forecaster_get(j->forecaster, &mae, &mse))
    print_row(j, &j->source.word[1], &mae, &mse);
  j->rows++;
  return GBCAST_OK;
}

/* A line without its end; of one that is too long, enough to see that it is. False at the end of the file. */
static bool read_line(FILE *in, char line[LINE_MOST + 1], size_t *length) {
  int c = 0;
  size_t n = 0;
  while (n <= LINE_MOST && (c = getc(in)) != EOF && c != '\n')
    line[n++] = (char)c;
  *length = n;
  return c != EOF || (n > 0 && !ferror(in));
}

static int cannot(const gb_source *s, const char *verb, int problem) {
  gb_place where = {s->file, s->line, 1};
  return gb_fail_at(s->err, &where, "cannot %s: %s", verb, strerror(problem));
}

/* Rows leave as lines come, so that a series may still be growing. What could not be written is told when
 * stdout is closed. */
static int forecast_lines(forecast_input *j) {
  char line[LINE_MOST + 1];
  size_t length = 0;
  int status = GBCAST_OK;
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  puts("index,measurement,mae_forecast,mae_error,mae_method,mse_forecast,mse_error,mse_method");
  for (; status == GBCAST_OK && !ferror(stdout) && read_line(j->in, line, &length); j->source.line++)
    status = take_line(j, line, length);
  if (status == GBCAST_OK && ferror(j->in))
    status = cannot(&j->source, "read", errno);
  return status;
}

static int forecast_file(const char *path, gbcast_error *err) {
  bool from_stdin = path == NULL || strcmp(path, "-") == 0;
  forecast_input j = {.source = {.err = err, .file = from_stdin ? "stdin" : path, .line = 1}};
  j.in = from_stdin ? stdin : fopen(path, "re");
  if (j.in == NULL)
    return cannot(&j.source, "open", errno);
  j.forecaster = gb_forecaster_new();
  int status = j.forecaster != NULL ? forecast_lines(&j) : gb_source_no_memory(&j.source);
  gb_forecaster_free(j.forecaster);
  gb_source_release(&j.source);
  if (!from_stdin)
    (void)fclose(j.in);
  return status;
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
  const char **path = state->input;
  if (key != ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  if (*path != NULL)
    argp_error(state, "one file is expected; '%s' is another", text);
  *path = text;
  return 0;
}

int gb_nws_command_forecast(int argc, char **argv) {
  static const struct argp argp = {
      .parser = parse_option,
      .args_doc = "[FILE]",
      .doc =
          "Reads a series of measurements, a line `timestamp value` each, oldest first, and prints a row for "
          "each: the forecasts for the next one, their errors so far, and the methods that made them. "
          "Without "
          "FILE, or when it is -, reads standard input.\vExit status: 0 done, 1 a line that cannot be read, "
          "2 "
          "wrong usage.",
  };
  const char *path = NULL;
  gbcast_error err = {""};
  if (argp_parse(&argp, argc, argv, 0, NULL, &path) != 0)
    return GB_NWS_EXIT_CANNOT;
  if (forecast_file(path, &err) == GBCAST_OK)
    return GB_NWS_EXIT_DONE;
  fprintf(stderr, "%s\n", err.message);
  return GB_NWS_EXIT_CANNOT;
}
