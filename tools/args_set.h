/* The values of gbcast-plan's options: each function reads one, and returns what stops argp after a line on
 * stderr when it cannot be used. */
#ifndef GB_TOOLS_ARGS_SET_H
#define GB_TOOLS_ARGS_SET_H

#include "args.h"
#include <argp.h>

typedef struct args_state {
  plan_args *args;
  bool algorithm, compare, emit, format, failed;
} args_state;

__attribute__((format(printf, 2, 3))) error_t wrong_usage(args_state *s, const char *format, ...);
error_t algorithm_clash(args_state *s); /* of --algorithm with the options that it stands for */

error_t set_bytes(args_state *s, const char *option, const char *text, uint64_t least, uint64_t *out);
error_t set_lanes(args_state *s, const char *text, uint32_t *out);
error_t set_inter(args_state *s, const char *name, size_t length);
error_t add_intra(args_state *s, const char *name);
error_t set_algorithm(args_state *s, const char *both);
error_t set_format(args_state *s, const char *name);
error_t set_operation(args_state *s, const char *name);
error_t set_hosts(args_state *s, const char *path);
error_t set_from(args_state *s, const char *name);
error_t set_live(args_state *s, const char *source);
error_t set_max_age(args_state *s, const char *text);
error_t set_objective(args_state *s, const char *text);
error_t set_emit(args_state *s, const char *path); /* NULL: none was given */

#endif
