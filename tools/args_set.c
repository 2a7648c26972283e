/* The values of gbcast-plan's options, read and checked. */
#include "args_set.h"
#include "plan/api/api.h"
#include "platform/live/live.h"
#include "platform/text/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

error_t wrong_usage(args_state *s, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("gbcast-plan: ", stderr);
  vfprintf(stderr, format, list);
  putc('\n', stderr);
  va_end(list);
  s->failed = true;
  return EINVAL;
}

error_t set_bytes(args_state *s, const char *option, const char *text, uint64_t least, uint64_t *out) {
  const char *expected = NULL;
  *out = 0;
  if ((least > 0 || strcmp(text, "0") != 0) && !gb_read_size(text, strlen(text), out, &expected)) {
    return wrong_usage(s, "%s: '%s' is not a size; expected %s%s", option, text, least > 0 ? "" : "0, or ",
                       expected);
  }
  return 0;
}

error_t set_lanes(args_state *s, const char *text, uint32_t *out) {
  const char *expected = NULL;
  if (!gb_read_count(text, strlen(text), out, &expected) || *out > GBCAST_LANES_MOST) {
    return wrong_usage(s, "--lanes: '%s' is not a number of lanes; expected 1 to %u", text,
                       GBCAST_LANES_MOST);
  }
  return 0;
}

error_t set_inter(args_state *s, const char *name, size_t length) {
  plan_args *a = s->args;
  if (length == 0) {
    return wrong_usage(s, "the name of an algorithm between sites is missing; --list shows them");
  }
  if (a->inter != NULL) {
    return wrong_usage(s, "the algorithm between sites is forced twice");
  }
  a->inter = strndup(name, length);
  return a->inter == NULL ? ENOMEM : 0;
}

/* Several --intra become one list: "flat,lyon;chain,ottawa". */
error_t add_intra(args_state *s, const char *name) {
  plan_args *a = s->args;
  if (*name == '\0' || *name == ',') {
    return wrong_usage(s, "the name of an algorithm inside sites is missing; --list shows them");
  }
  size_t have = a->intra == NULL ? 0 : strlen(a->intra);
  char *grown = realloc(a->intra, have + strlen(name) + 2);
  if (grown == NULL) {
    return ENOMEM;
  }
  a->intra = grown;
  if (have > 0) {
    grown[have++] = ';';
  }
  memcpy(grown + have, name, strlen(name) + 1);
  return 0;
}

error_t algorithm_clash(args_state *s) {
  return wrong_usage(s, "--algorithm forces both levels; it goes with neither --inter nor --intra");
}

error_t set_algorithm(args_state *s, const char *both) {
  const char *slash = strchr(both, '/');
  if (slash == NULL) {
    return wrong_usage(s, "--algorithm: '%s' is not INTER/INTRA", both);
  }
  if (s->args->inter != NULL || s->args->intra != NULL) {
    return algorithm_clash(s);
  }
  s->algorithm = true;
  error_t rc = set_inter(s, both, (size_t)(slash - both));
  return rc != 0 ? rc : add_intra(s, slash + 1);
}

error_t set_format(args_state *s, const char *name) {
  static const struct {
    const char *name;
    enum gbcast_format format;
  } formats[] = {{"text", GBCAST_TEXT}, {"json", GBCAST_JSON},   {"dot", GBCAST_DOT},
                 {"svg", GBCAST_SVG},   {"trace", GBCAST_TRACE}, {"html", GBCAST_HTML}};
  s->format = true;
  s->args->hostfile = strcmp(name, "hostfile") == 0;
  if (s->args->hostfile) {
    return 0;
  }
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (strcmp(name, formats[i].name) == 0) {
      s->args->format = formats[i].format;
      return 0;
    }
  }
  return wrong_usage(s, "--format: '%s' is unknown; expected text, json, dot, svg, trace, html or hostfile",
                     name);
}

error_t set_operation(args_state *s, const char *name) {
  const unsigned found = gb_operation_find(name);
  char names[GB_OPERATION_NAMES];
  if (found == GB_OPERATIONS) {
    return wrong_usage(s, "--operation: '%s' is unknown; expected %s", name, gb_operation_names(names));
  }
  s->args->request.operation = (enum gbcast_operation)found;
  s->args->operation = true;
  return 0;
}

error_t set_hosts(args_state *s, const char *path) {
  if (s->args->hosts != NULL) {
    return wrong_usage(s, "one hosts file is expected; '%s' is another", path);
  }
  s->args->hosts = path;
  return 0;
}

error_t set_from(args_state *s, const char *name) {
  static const char *const names[] = {[FROM_SLURM] = "slurm", [FROM_PBS] = "pbs", [FROM_LSF] = "lsf"};
  for (unsigned i = FROM_SLURM; i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) == 0) {
      s->args->from = (enum batch_system)i;
      return 0;
    }
  }
  return wrong_usage(s, "--from: '%s' is unknown; expected slurm, pbs or lsf", name);
}

error_t set_live(args_state *s, const char *source) {
  const char *path = gb_live_path(source);
  bool named = path != NULL && *path != '\0';
  if (!named && gb_live_service(source) == NULL && strcmp(source, "-") != 0) {
    return wrong_usage(s, "--live: '%s' is no source; expected nws://HOST[:PORT], file:PATH or -", source);
  }
  s->args->live = source;
  return 0;
}

error_t set_max_age(args_state *s, const char *text) {
  uint32_t seconds = 0;
  const char *expected = NULL;
  if (!gb_read_count(text, strlen(text), &seconds, &expected)) {
    return wrong_usage(s, "--max-age: '%s' is no number of seconds; expected a whole one of at least 1",
                       text);
  }
  s->args->max_age = seconds;
  return 0;
}

error_t set_objective(args_state *s, const char *text) {
  gbcast_request *r = &s->args->request;
  if (!gb_read_objective(text, &r->within)) {
    return wrong_usage(s, "--objective: '%s' is unknown; expected time, cost or a number of seconds above 0",
                       text);
  }
  return 0;
}

error_t set_emit(args_state *s, const char *path) {
  if (s->emit) {
    return wrong_usage(s, "--emit-c is given twice");
  }
  if (path != NULL && *path == '\0') {
    return wrong_usage(s, "--emit-c: the name of the file is missing; without '=' it is standard output");
  }
  s->emit = true;
  s->args->c_file = path == NULL || strcmp(path, "-") == 0 ? NULL : path;
  return 0;
}
