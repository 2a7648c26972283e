/* Shows progress on the user's terminal. */
#include "mpi/job/job.h"
#include "probe/lead.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void gb_lead_open_terminal(gb_lead *l) {
  if (!l->options->quiet)
    l->terminal = gb_job_terminal();
}

void gb_lead_close_terminal(gb_lead *l) {
  gb_lead_say(l, "%s", "");
  if (l->terminal != NULL && l->terminal != stderr)
    (void)fclose(l->terminal);
  l->terminal = NULL;
}

void gb_lead_say(const gb_lead *l, const char *format, ...) {
  if (l->terminal == NULL)
    return;
  va_list list;
  va_start(list, format);
  (void)fputs("\r\033[K", l->terminal);
  if (strcmp(format, "%s") != 0 && isfinite(l->options->budget))
    (void)fprintf(l->terminal, "%4.1f s of %g s: ", gb_lead_elapsed(l), l->options->budget);
  else if (strcmp(format, "%s") != 0)
    (void)fprintf(l->terminal, "%4.1f s: ", gb_lead_elapsed(l));
  (void)vfprintf(l->terminal, format, list);
  (void)fflush(l->terminal);
  va_end(list);
}
