/* Rows in the form of nws_extract, and its command line. */
#include "nws/commands/extract/extract.h"

#include "tests/support/xorshift.h"

#include <argp.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct page {
  char *text;
  size_t length;
  gb_extract_printer printer;
} page;

static void open_page(page *g, const char *fields, uint32_t header_every) {
  gb_view wrong;
  g->printer = (gb_extract_printer){.header_every = header_every};
  cr_assert(gb_extract_read_columns(fields, &g->printer.columns, &wrong));
  g->printer.out = open_memstream(&g->text, &g->length);
  cr_assert_not_null(g->printer.out);
}

static void close_page(page *g, const char *expected) {
  fclose(g->printer.out);
  cr_expect_str_eq(g->text, expected);
  free(g->text);
}

static const gb_extract_series vm = {"vm:8060", "vm:8061", "latencyTcp"};

/* What nws_extract -n 3 printed, whose history is not known. */
Test(extract, as_the_original) {
  page g;
  open_page(&g, gb_extract_default_fields, 20);
  static const gb_extract_row rows[] = {
      {{1795228446, 0.057}, {0.042, 0.0153780212, 10}, {0.042, 0.00012549912, 10}},
      {{1795228451, 0.035}, {0.041, 0.0144471294, 10}, {0.041, 0.00011593787, 10}},
      {{1795228456, 0.036}, {0.0395, 0.0135024164, 10}, {0.0395, 0.00010583219, 10}},
  };
  for (size_t i = 0; i < 3; i++)
    gb_extract_print_row(&g.printer, &vm, &rows[i]);
  close_page(
      &g, "Time        Measure     MAE_Fore    MAE_Err     MSE_Fore    MSE_Err     Source                   "
          "       Destination                     Resource\n"
          "1795228446  0.057       0.042       0.015378021 0.042       0.000125499 vm                       "
          "       vm                              latencyTcp\n"
          "1795228451  0.035       0.041       0.014447129 0.041       0.000115937\n"
          "1795228456  0.036       0.0395      0.013502416 0.0395      0.000105832\n");
}

Test(extract, cuts_cells) {
  page g;
  open_page(&g, "measurement mse_error mae_method mse_method time source", 1);
  const gb_extract_row row = {{1795228446.4, -1234567.891}, {1, 2, 10}, {1, 1.162666666666e-07, 17}};
  const gb_extract_series series = {"a-rather-long-name.of-a-host.example.org:8060", NULL, "freeDisk"};
  gb_extract_print_row(&g.printer, &series, &row);
  close_page(
      &g,
      "Measure     MSE_Err     MAE_Method     MSE_Method     Time        Source\n"
      "-1234567.89 1.162666666 M_Window_31    AMWindow_21-51 1795228446  a-rather-long-name.of-a-host.ex\n");
}

/* As nws_extract abbreviates the names of methods, which have at most 14 characters. */
Test(extract, methods) {
  static const char *const names[GB_FORECAST_METHODS] = {
      "Last_Value",     "Running_Mean",   "5%_Exp_Smooth",  "10%_Exp_Smooth", "15%_Exp_Smooth",
      "20%_Exp_Smooth", "30%_Exp_Smooth", "40%_Exp_Smooth", "50%_Exp_Smooth", "75%_Exp_Smooth",
      "M_Window_31",    "M_Window_5",     "SM_Window_31",   "SM_Window_5",    "30%_TMW_31",
      "30%_TMW_51",     "AM_Window_5-21", "AMWindow_21-51"};
  for (uint32_t i = 0; i < GB_FORECAST_METHODS; i++) {
    page g;
    char expected[64];
    const gb_extract_row row = {{0, 1}, {1, 2, i}, {1, 2, 0}};
    open_page(&g, "mae_method measurement", 0);
    gb_extract_print_row(&g.printer, &vm, &row);
    (void)snprintf(expected, sizeof expected, "%-15s1\n", names[i]);
    close_page(&g, expected);
  }
}

/* Whatever the words: a cell is at most as long as its column allows. */
Test(extract, any_text_fits) {
  uint64_t seed = 31;
  for (int i = 0; i < 20000; i++) {
    char name[64], *text = NULL;
    size_t length = xorshift(&seed, sizeof name), size = 0;
    for (size_t c = 0; c < length; c++)
      name[c] = "ABcd  0-"[xorshift(&seed, 8)];
    name[length] = '\0';
    const gb_extract_series series = {name, NULL, "x"};
    const gb_extract_row row = {{0, 1}, {1, 2, 0}, {1, 2, 0}};
    gb_extract_printer printer = {.out = open_memstream(&text, &size), .columns = {{GB_EXTRACT_SOURCE}, 1}};
    gb_extract_print_row(&printer, &series, &row);
    fclose(printer.out);
    cr_assert_leq(size, 32, "'%s' from '%s'", text, name);
    if (length < 32)
      for (size_t c = 0; c < length; c++)
        cr_assert_eq(text[c], name[c] == ' ' ? '_' : name[c], "'%s' from '%s'", text, name);
    cr_assert_eq(strchr(text, ' '), NULL);
    free(text);
  }
}

/* Names are shown below titles and where they change, each for itself. */
Test(extract, names_that_change) {
  page g;
  open_page(&g, "time,source,destination,resource", 3);
  static const gb_extract_series series[] = {
      {"a:8060", "b", "latencyTcp"},   {"a:8061", "b:8060", "latencyTcp"}, {"a", "c", "latencyTcp"},
      {"ab", "c", "latencyTcp"},       {"ab", "c", "bandwidthTcp"},        {"ab", "c", "bandwidthTcp"},
      {"ab", "c:8062", "bandwidthTcp"}};
  for (size_t i = 0; i < sizeof series / sizeof *series; i++)
    gb_extract_print_row(&g.printer, &series[i], &(gb_extract_row){.measurement = {(double)i, 0}});
  close_page(&g,
             "Time        Source                          Destination                     Resource\n"
             "0           a                               b                               latencyTcp\n"
             "1\n"
             "2                                           c\n"
             "Time        Source                          Destination                     Resource\n"
             "3           ab                              c                               latencyTcp\n"
             "4                                                                           bandwidthTcp\n"
             "5\n"
             "Time        Source                          Destination                     Resource\n"
             "6           ab                              c                               bandwidthTcp\n");
}

Test(extract, no_titles) {
  page g;
  open_page(&g, "time,resource,source", 0);
  for (int i = 0; i < 2; i++)
    gb_extract_print_row(&g.printer, &vm, &(gb_extract_row){.measurement = {i, 0}});
  close_page(&g, "0           latencyTcp          vm\n1\n");
}

/* Forecasts are from all measurements, also those that are not shown, and those that came before. */
Test(extract, newest_of_a_series) {
  page g;
  static const gb_measurement measured[] = {{1, 4.38796}, {2, 5.18879}, {3, 5.49750}, {4, 4.74340}};
  gb_forecaster *f = gb_forecaster_new();
  cr_assert_not_null(f);
  open_page(&g, "time,meas,mae_f,mae_e,mse_e,mae_m", 20);
  gb_extract_print_series(&g.printer, &vm, f, measured, 3, 1);
  gb_extract_print_series(&g.printer, &vm, f, measured, 0, 1);
  gb_extract_print_series(&g.printer, &vm, f, measured + 3, 1, 20);
  close_page(&g, "Time        Measure     MAE_Fore    MAE_Err     MSE_Err     MAE_Method\n"
                 "3           5.4975      5.4975      1.8325      0.368315276 Last_Value\n"
                 "4           4.7434      4.9544125   1.5629      0.435099121 Running_Mean\n");
  gb_forecaster_free(f);
}

Test(extract, abbreviations) {
  gb_extract_columns c;
  gb_view wrong;
  cr_assert(gb_extract_read_columns(" T,MEASURE,mae  Mse_M\tr,d,,s,mae_m,", &c, &wrong));
  static const enum gb_extract_field expected[] = {
      GB_EXTRACT_TIME,     GB_EXTRACT_MEASUREMENT, GB_EXTRACT_MAE_FORECAST, GB_EXTRACT_MSE_METHOD,
      GB_EXTRACT_RESOURCE, GB_EXTRACT_DESTINATION, GB_EXTRACT_SOURCE,       GB_EXTRACT_MAE_METHOD};
  cr_assert_eq(c.count, sizeof expected / sizeof *expected);
  cr_expect_arr_eq(c.field, expected, sizeof expected);
  cr_expect_not(gb_extract_read_columns("time,weather,source", &c, &wrong));
  cr_expect(gb_view_is(wrong, "weather"));
  cr_expect_not(gb_extract_read_columns("times", &c, &wrong));
  cr_expect_not(gb_extract_read_columns(" ,", &c, &wrong));
  cr_expect_eq(wrong.length, 0);
  char many[2 * GB_EXTRACT_COLUMNS_MOST + 3];
  for (size_t i = 0; i + 1 < sizeof many; i += 2)
    memcpy(many + i, "t,", 3);
  cr_expect_not(gb_extract_read_columns(many, &c, &wrong));
  cr_expect_eq(c.count, GB_EXTRACT_COLUMNS_MOST);
  cr_expect_str_eq(gb_extract_resource("LAT"), "latencyTcp");
  cr_expect_str_eq(gb_extract_resource("c"), "connectTimeTcp");
  cr_expect_str_eq(gb_extract_resource("CurrentCPU"), "currentCpu");
  cr_expect_str_eq(gb_extract_resource("latencyTcpx"), "latencyTcpx");
  cr_expect(gb_extract_has_target("bandwidthTcp") && gb_extract_has_target("my.own"));
  cr_expect_not(gb_extract_has_target("availableCpu"));
}

typedef struct words {
  char text[256], *argv[32];
  int argc;
} words;

/* argv of a command line, which has no word with a blank in it. */
static void split(words *w, const char *line) {
  char *rest = NULL;
  (void)snprintf(w->text, sizeof w->text, "extract %s", line);
  w->argc = 0;
  for (char *word = strtok_r(w->text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
    w->argv[w->argc++] = word;
  w->argv[w->argc] = NULL;
}

Test(extract, usual_options) {
  words w;
  gb_extract_options o;
  split(&w, "lat a.x b.x:8061");
  gb_extract_read_options(w.argc, w.argv, NULL, &o);
  cr_expect(!o.all_pairs && !o.follow && o.header_every == 20 && o.rows == 20 && o.seconds == 0);
  cr_expect(o.memory == NULL && o.name_server == NULL && o.filter == NULL && o.host_count == 2);
  cr_expect_str_eq(o.resource, "latencyTcp");
  cr_expect_str_eq(o.host[1], "b.x:8061");
  cr_expect_eq(o.columns.count, 9);
}

Test(extract, all_options) {
  words w;
  gb_extract_options o;
  split(&w, "-awf time,source -h 0 -n3 -t 600.5 bandwidthTcp (x=1) a b -M m:1 c -N n");
  gb_extract_read_options(w.argc, w.argv, "time", &o);
  cr_expect(o.all_pairs && o.follow && o.header_every == 0 && o.rows == 3 && o.seconds == 600.5);
  cr_expect_str_eq(o.memory, "m:1");
  cr_expect_str_eq(o.name_server, "n");
  cr_expect_str_eq(o.filter, "(x=1)");
  cr_expect_str_eq(o.host[2], "c");
  cr_expect(o.host_count == 3 && o.columns.count == 2);
}

Test(extract, fields_of_one_host) {
  words w;
  gb_extract_options o;
  split(&w, "availableCpu a");
  gb_extract_read_options(w.argc, w.argv, "source,destination,time", &o);
  cr_expect(o.columns.count == 2 && o.columns.field[1] == GB_EXTRACT_TIME);
}

/* In a process of its own, as wrong usage ends it: the status, and what is said. */
static int status_of(const char *line, const char *fields, char said[512]) {
  int ends[2];
  words w;
  gb_extract_options o;
  split(&w, line);
  cr_assert_eq(pipe(ends), 0);
  pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child == 0) {
    (void)dup2(ends[1], STDERR_FILENO);
    argp_err_exit_status = 2;
    gb_extract_read_options(w.argc, w.argv, fields, &o);
    _exit(0);
  }
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  cr_assert_not_null(in);
  said[fread(said, 1, 511, in)] = '\0';
  fclose(in);
  int status = -1;
  cr_assert_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(extract, wrong_usage) {
  static const struct {
    const char *line, *fields, *said;
  } wrong[] = {
      {"", NULL, "the resource is missing"},
      {"latencyTcp", NULL, "the host is missing that latencyTcp was measured on"},
      {"latencyTcp (x=1)", NULL, "the host is missing"},
      {"latencyTcp a b)(c=*", NULL, "'b)(c=*' is no host; expected"},
      {"-M a|b latencyTcp a", NULL, "'a|b' is no host"},
      {"-n 0 latencyTcp a", NULL, "-n: found '0', expected a whole number"},
      {"-h -1 latencyTcp a", NULL, "-h: found '-1', expected 0, or a whole number"},
      {"-t 1,5 latencyTcp a", NULL, "-t: found '1,5', expected seconds"},
      {"-t nan latencyTcp a", NULL, "-t: found 'nan'"},
      {"-f time,weather latencyTcp a", NULL, "-f: 'weather' is no field; expected some of time,"},
      {"-f , latencyTcp a", NULL, "-f: no field is named"},
      {"latencyTcp a", "sauce", "EXTRACT_FIELDS: 'sauce' is no field"},
      {"-x latencyTcp a", NULL, "invalid option"},
  };
  char said[512];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    cr_expect_eq(status_of(wrong[i].line, wrong[i].fields, said), 2, "extract %s", wrong[i].line);
    cr_expect_not_null(strstr(said, wrong[i].said), "extract %s: '%s' lacks '%s'", wrong[i].line, said,
                       wrong[i].said);
  }
  cr_expect_eq(status_of("-f time latencyTcp a", "sauce", said), 0, "-f replaces EXTRACT_FIELDS: %s", said);
}
