/* The transcript of a run. */
#include "record.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

const char *class_name(int rc) {
  static const struct {
    int class;
    const char *name;
  } known[] = {{MPI_SUCCESS, "success"},      {MPI_ERR_BUFFER, "buffer"},
               {MPI_ERR_COUNT, "count"},      {MPI_ERR_TYPE, "type"},
               {MPI_ERR_COMM, "comm"},        {MPI_ERR_ROOT, "root"},
               {MPI_ERR_ARG, "arg"},          {MPI_ERR_OP, "op"},
               {MPI_ERR_OTHER, "other"},      {MPI_ERR_INTERN, "intern"},
               {MPI_ERR_NO_MEM, "no memory"}, {MPI_ERR_TRUNCATE, "truncate"}};
  int class = rc;
  (void)MPI_Error_class(rc, &class);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].class == class)
      return known[i].name;
  return "another class";
}

void must(int rc, const char *what) {
  if (rc == MPI_SUCCESS)
    return;
  fprintf(stderr, "%s: %s\n", what, class_name(rc));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void *allocate(size_t n) {
  void *p = malloc(n > 0 ? n : 1);
  must(p != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM, "malloc");
  return p;
}

void record_call(record *r, const place *at, const char *outcome, const region *received, const region *sent,
                 const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(r->out, "%s: ", at->name);
  vfprintf(r->out, format, args);
  va_end(args);
  fprintf(r->out, ": %s", outcome);
  if (received != NULL)
    fprintf(r->out, ", received %016" PRIx64, region_digest(received));
  if (sent != NULL)
    fprintf(r->out, ", sent %016" PRIx64, region_digest(sent));
  fputc('\n', r->out);
  r->calls[at->taker]++;
}
