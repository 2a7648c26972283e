/* gbcast-doctor: what is wrong with an installation and with a job. */
#include "close_stdout.h"
#include "tools/doctor/doctor.h"

#include <argp.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_WELL = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

enum { KEY_HOSTS = 0x100 };

/* Visible, or argp does not find it. */
__attribute__((visibility("default"))) const char *argp_program_version = "gbcast-doctor " GBCAST_VERSION;

static const struct argp_option options[] = {
    {"hosts", KEY_HOSTS, "FILE", 0, "The hosts file (default: that of GBCAST_HOSTS)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *text, struct argp_state *state) {
  gb_doctor *d = state->input;
  switch (key) {
  case KEY_HOSTS:
    d->hosts = text;
    return 0;
  case ARGP_KEY_NO_ARGS:
    if (state->argc > 1 && strcmp(state->argv[state->argc - 1], "--") == 0)
      argp_error(state, "the launcher is missing behind --");
    return 0;
  case ARGP_KEY_ARGS:
    if (strcmp(state->argv[state->next - 1], "--") != 0)
      argp_error(state, "found '%s'; the launcher stands behind --, as in -- mpiexec -n 4",
                 state->argv[state->next]);
    d->launcher = state->argv + state->next;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void find_own_folder(gb_doctor *d) {
  const ssize_t length = readlink("/proc/self/exe", d->bin, sizeof d->bin - 1);
  d->bin[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(d->bin, '/');
  if (slash != NULL)
    *slash = '\0';
}

int main(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "[-- mpiexec ...]",
      .doc =
          "Says what is wrong with an installation of gbcast and, with the launcher of a job and its options "
          "behind --, with that job. Each line says what to do.\vExit status: 0 nothing is wrong, 1 "
          "something "
          "is, 2 wrong usage.",
  };
  if (atexit(close_stdout) != 0)
    return EXIT_BAD;
  gb_doctor d = {0};
  argp_err_exit_status = EXIT_USAGE;
  (void)argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &d);
  find_own_folder(&d);
  gb_doctor_library(&d);
  gb_doctor_settings(&d);
  gb_doctor_hosts(&d);
  gb_doctor_tcp(&d);
  if (d.launcher != NULL)
    gb_doctor_job(&d);
  gbcast_platform_free(d.platform);
  gb_settings_release(&d.settings);
  return d.bad == 0 ? EXIT_WELL : EXIT_BAD;
}
