#include "rank_tool.h"
#include "mpi/job/job.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

error_t gb_rank_usage(gb_rank_args *args, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (args->prints) {
    (void)fprintf(stderr, "%s: ", args->program);
    (void)vfprintf(stderr, format, list);
    (void)putc('\n', stderr);
  }
  va_end(list);
  return EINVAL;
}

error_t gb_rank_option(gb_rank_args *args, int key) {
  if (key != GB_KEY_HELP && key != GB_KEY_USAGE && key != GB_KEY_VERSION)
    return ARGP_ERR_UNKNOWN;
  if (args->asked == 0)
    args->asked = key;
  return 0;
}

static void print_asked(const struct argp *argp, const gb_rank_args *args) {
  char program[32], library[GB_VERSION_TEXT];
  (void)snprintf(program, sizeof program, "%s", args->program);
  if (args->asked == GB_KEY_VERSION) {
    gb_library_name(library);
    printf("%s " GBCAST_VERSION ", %s\n", program, library);
  } else if (args->asked == GB_KEY_USAGE) {
    argp_help(argp, stdout, ARGP_HELP_USAGE, program);
  } else {
    argp_help(argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, program);
  }
}

enum gb_rank_action gb_rank_parse(const struct argp *argp, int argc, char **argv, gb_rank_args *args,
                                  void *input) {
  const unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP | (args->prints ? 0 : ARGP_NO_ERRS);
  const error_t rc = argp_parse(argp, argc, argv, flags, NULL, input);
  if (rc != 0) {
    if (args->prints && rc != EINVAL) /* else argp has named an unknown option, or the parser a mistake */
      (void)fprintf(stderr, "%s: %s\n", args->program, strerror(rc));
    return GB_RANK_USAGE;
  }
  if (args->asked == 0)
    return GB_RANK_RUN;
  if (args->prints)
    print_asked(argp, args);
  return GB_RANK_SAID;
}

bool gb_rank_start(const char *program, int *argc, char ***argv, int *rank) {
  int provided = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
      MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS) {
    (void)fprintf(stderr, "%s: MPI does not start\n", program);
    return false;
  }
  if (provided >= MPI_THREAD_FUNNELED)
    return true;
  if (*rank == 0)
    (void)fprintf(stderr, "%s: this MPI library is built without threads (MPI_THREAD_FUNNELED)\n", program);
  (void)MPI_Finalize();
  return false;
}

int gb_rank_finish(const char *program, enum gb_rank_action action, bool done) {
  enum { DONE, FAILED, WRONG_USAGE };
  int status = DONE;
  if (action == GB_RANK_USAGE)
    status = WRONG_USAGE;
  else if (action == GB_RANK_RUN && !done)
    status = FAILED;
  if (fflush(stdout) != 0 || ferror(stdout)) {
    (void)fprintf(stderr, "%s: cannot write to standard output\n", program);
    status = FAILED;
  }
  (void)MPI_Finalize();
  return status;
}
