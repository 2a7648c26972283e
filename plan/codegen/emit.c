/* The parts that every generated routine has: the comment at its head, and how tables are laid out. */
#include "plan/codegen/emit.h"
#include "plan/alltoall/alltoall.h"
#include "plan/core/core.h"
#include "plan/show/show.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

enum { COLUMNS = 100 };

#define BCAST                                                                                                \
  "int gbcast_generated_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)"
#define ALLTOALL                                                                                             \
  "int gbcast_generated_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void "           \
  "*recvbuf,\n"                                                                                              \
  "                              int recvcount, MPI_Datatype recvtype, MPI_Comm comm)"

/* What is the same for all plans (emit_*.c.in): what all routines need, behind the tables; what those of
 * all-to-alls need; and the routines. */
static const char common[] = {
#include "plan/codegen/emit_common.inc"
};
static const char blocks[] = {
#include "plan/codegen/emit_blocks.inc"
};
static const char bcast[] = {
#include "plan/codegen/emit_bcast.inc"
};
static const char alltoall[] = {
#include "plan/codegen/emit_alltoall.inc"
};
static const char alltoall_in_groups[] = {
#include "plan/codegen/emit_groups.inc"
};

gb_list gb_list_begin(FILE *out, const char *opening) {
  fprintf(out, "%s\n", opening);
  return (gb_list){.out = out};
}

static void indent(gb_list *list) {
  fputs(list->column > 0 ? "\n    " : "    ", list->out);
  list->column = 4;
}

void gb_list_add(gb_list *list, const char *format, ...) {
  char text[160];
  va_list args;
  va_start(args, format);
  const size_t length = (size_t)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (list->column == 0 || list->column + length + 2 > COLUMNS) {
    indent(list);
  } else {
    putc(' ', list->out);
    list->column++;
  }
  fprintf(list->out, "%s,", text);
  list->column += length + 1;
}

void gb_list_line(gb_list *list, const char *comment, uint32_t number) {
  indent(list);
  list->column += (size_t)fprintf(list->out, "/* %s %" PRIu32 " */", comment, number);
}

void gb_list_end(gb_list *list, const char *closing) {
  fprintf(list->out, "\n%s\n", closing);
}

/* A text of the hosts file must neither end the comment that it stands in nor mean anything else to a
 * compiler. */
static void comment_text(const char *text, FILE *out) {
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
    const bool odd = *c < 0x20 || *c > 0x7e || *c == '*' || *c == '\\' || *c == '?';
    putc(odd ? '_' : *c, out);
  }
}

/* Ranks of one host that follow each other are on one line. */
static void list_hosts(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  for (uint32_t first = 0, end = 0; first < plan->schedule.endpoint_count; first = end) {
    const uint32_t host = plan->schedule.endpoint[ranks->endpoint[first]].host;
    while (end < plan->schedule.endpoint_count && plan->schedule.endpoint[ranks->endpoint[end]].host == host)
      end++;
    fprintf(out, " *   %" PRIu32, first);
    fprintf(out, end - first > 1 ? " to %" PRIu32 " on " : " on ", end - 1);
    comment_text(gbcast_platform_host_name(plan->platform, host), out);
    putc('\n', out);
  }
}

static void tell_bcast(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  fputs("/* gbcast_generated_bcast(): an MPI_Bcast that follows one plan and needs only MPI.\n"
        " *\n * message    ",
        out);
  fprintf(out, "%s from rank %" PRIu32 " to %s\n * way        ", gb_text_bytes(plan->bytes).s,
          ranks->number[plan->schedule.root], gb_text_count(plan->schedule.endpoint_count, "rank").s);
  if (plan->native)
    fputs("MPI's own, predicted to be the fastest; gbcast-plan --intra=NAME plans trees instead\n", out);
  else
    gb_print_how(plan, out);
}

static void tell_alltoall(const gbcast_plan *plan, FILE *out) {
  fputs("/* gbcast_generated_alltoall(): an MPI_Alltoall that follows one plan and needs only MPI.\n"
        " *\n * blocks     ",
        out);
  fprintf(out, "%s for each of %s\n * way        ", gb_text_bytes(plan->bytes).s,
          gb_text_count(plan->schedule.endpoint_count, "rank").s);
  if (plan->native) {
    fputs("MPI's own, predicted to be the fastest; gbcast-plan --sync=NAME plans phases instead\n", out);
  } else {
    fprintf(out, "%s%s%s\n", gb_sync_in_phases(plan->alltoall->sync.sync) ? "contention-free phases, " : "",
            gb_text_sync(plan->alltoall->sync).s,
            plan->site_count > 1 ? " inside clusters, lanes between them" : "");
  }
}

/* Which plan this is, and when MPI's own call is made. */
static void tell_plan(const gbcast_plan *plan, FILE *out) {
  fprintf(out, " * predicted  %s\n * plan       %016" PRIx64 "\n * hosts      ",
          gb_text_seconds(plan->predicted).s, plan->hash);
  comment_text(plan->platform->file, out);
  fputs("\n *\n", out);
  if (plan->alltoall != NULL && !plan->native) {
    fputs(" * Blocks of other sizes go the same way. MPI_Alltoall itself is called for blocks of no bytes or "
          "more\n"
          " * than INT_MAX, and for communicators of another size.\n",
          out);
  } else if (!plan->native) {
    fputs(" * Messages of other sizes go the same way. MPI_Bcast itself is called for another root, for no "
          "bytes or\n"
          " * more than INT_MAX, and for communicators of another size.\n",
          out);
  }
  if (!plan->native) {
    fputs(" * The first call on a communicator duplicates it; threads must not make that call at the same "
          "time.\n"
          " *\n",
          out);
  }
  fputs(" * The ranks have to be on these hosts:\n", out);
}

/* The endpoints of a host follow each other by k, and so do its ranks by number. next: scratch, by host. */
static void pair_ranks(const gbcast_plan *plan, const uint32_t *host, uint32_t *next, gb_ranks *ranks) {
  for (uint32_t e = plan->schedule.endpoint_count; e-- > 0;)
    ranks->first[plan->schedule.endpoint[e].host] = next[plan->schedule.endpoint[e].host] = e;
  for (uint32_t r = 0; r < plan->schedule.endpoint_count; r++) {
    const uint32_t e = next[host[r]]++;
    ranks->endpoint[r] = e;
    ranks->number[e] = r;
  }
}

static int number_ranks(const gbcast_plan *plan, gb_ranks *ranks) {
  const uint32_t hosts = plan->platform->host_count;
  uint32_t *on_host = calloc(hosts, sizeof *on_host), *host = NULL, count = 0;
  ranks->first = calloc(hosts, sizeof *ranks->first);
  ranks->endpoint = calloc(plan->schedule.endpoint_count, sizeof *ranks->endpoint);
  ranks->number = calloc(plan->schedule.endpoint_count, sizeof *ranks->number);
  const bool room =
      on_host != NULL && ranks->first != NULL && ranks->endpoint != NULL && ranks->number != NULL;
  int rc = room ? GBCAST_OK : GBCAST_EMEMORY;
  if (rc == GBCAST_OK) {
    for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
      on_host[plan->schedule.endpoint[e].host]++;
    rc = gb_numbering(plan->platform, on_host, plan->rank_host, &host, &count, NULL);
  }
  if (rc == GBCAST_OK)
    pair_ranks(plan, host, on_host, ranks);
  free(on_host);
  free(host);
  return rc;
}

static bool is_in_groups(const gbcast_plan *plan) {
  return plan->alltoall != NULL && plan->alltoall->sync.sync->groups;
}

/* The planner may have found that nothing is faster than what MPI does by itself. */
static int emit_routine(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  if (plan->native) {
    fputs(plan->alltoall == NULL ? BCAST " {\n  return MPI_Bcast(buffer, count, datatype, root, comm);\n}\n"
                                 : ALLTOALL
              " {\n  return MPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, "
              "comm);\n}\n",
          out);
    return GBCAST_OK;
  }
  const bool groups = is_in_groups(plan);
  const int rc = plan->alltoall == NULL ? gb_emit_bcast(plan, ranks, out)
                 : groups               ? gb_emit_groups(plan, ranks, out)
                                        : gb_emit_alltoall(plan, ranks, out);
  fputs(common, out);
  if (plan->alltoall != NULL)
    fputs(blocks, out);
  fputs(plan->alltoall == NULL ? bcast : groups ? alltoall_in_groups : alltoall, out);
  return rc;
}

int gb_emit(const gbcast_plan *plan, FILE *out) {
  if ((plan->operation != GBCAST_BCAST && plan->operation != GBCAST_ALLTOALL) ||
      gb_plan_members(plan) < plan->site_count)
    return GBCAST_EUSAGE;
  gb_ranks ranks = {0};
  int rc = number_ranks(plan, &ranks);
  if (rc == GBCAST_OK) {
    if (plan->alltoall != NULL)
      tell_alltoall(plan, out);
    else
      tell_bcast(plan, &ranks, out);
    tell_plan(plan, out);
    list_hosts(plan, &ranks, out);
    fputs(" */\n#include <limits.h>\n#include <mpi.h>\n#include <stdlib.h>\n", out);
    fputs(is_in_groups(plan) ? "#include <string.h>\n\n" : "\n", out);
    fputs(plan->alltoall != NULL ? ALLTOALL ";\n\n" : BCAST ";\n\n", out);
    rc = emit_routine(plan, &ranks, out);
  }
  free(ranks.first);
  free(ranks.endpoint);
  free(ranks.number);
  return rc;
}
