/* What a probe does from beginning to end. Rank 0 decides; the other ranks carry out its orders. */
#include "mpi/job/job.h"
#include "platform/text/text.h"
#include "probe/lead.h"
#include "probe/probe.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 30 };        /* s that a rank waits beyond the budget */
enum { ANSWER_PATIENCE = 10 }; /* s that rank 0 waits for a rank that has nothing to measure */

/* Every rank learns which ranks share memory. */
static int gather_nodes(gb_prober *x) {
  int mine, rc = gb_nodes_leader(x->comm, &mine);
  x->node = calloc((size_t)x->size, sizeof *x->node);
  if (rc == MPI_SUCCESS && x->node == NULL)
    rc = MPI_ERR_NO_MEM;
  return rc != MPI_SUCCESS ? rc : MPI_Allgather(&mine, 1, MPI_INT, x->node, 1, MPI_INT, x->comm);
}

/* Every rank learns who the others are. */
static int gather_identities(gb_prober *x) {
  gb_identity mine = {.world_rank = x->rank};
  int length;
  x->identity = calloc((size_t)x->size, sizeof *x->identity);
  if (x->identity == NULL)
    return MPI_ERR_NO_MEM;
  int rc = MPI_Get_processor_name(mine.name, &length);
  return rc != MPI_SUCCESS ? rc
                           : MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, x->identity, (int)sizeof mine,
                                           MPI_BYTE, x->comm);
}

static int send_report(const gb_prober *x, const gb_report *report) {
  return MPI_Send(report, (int)sizeof *report, MPI_BYTE, 0, GB_TAG_REPORT, x->comm);
}

/* All ranks but 0. Sets the exit status. */
static int follow(gb_prober *x, double budget, int *status) {
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS) {
    gb_order order;
    gb_report report = {0};
    bool is_report;
    int source;
    gb_watchdog_expect(
        x->watch, budget + PATIENCE,
        "gbcast-probe: rank %d on %s: no answer from rank 0 on %s; it has died or cannot be reached", x->rank,
        x->identity[x->rank].name, x->identity[0].name);
    rc = gb_await(x, &order, &report, &is_report, &source);
    if (rc != MPI_SUCCESS)
      break;
    if (order.kind == GB_ORDER_PRESENT || order.kind == GB_ORDER_END) {
      rc = send_report(x, &report);
      *status = (int)order.count;
      if (order.kind == GB_ORDER_END)
        break;
    } else if (order.kind <= GB_ORDER_NEAR) {
      rc = order.kind == GB_ORDER_NEAR       ? gb_measure_near(x, &order, &report)
           : order.kind == GB_ORDER_STREAMS  ? gb_measure_at_once(x, &order, &report)
           : order.kind == GB_ORDER_EXCHANGE ? gb_measure_exchange(x, &order, &report)
                                             : gb_measure_pair(x, &order, &report.table);
      if (rc == MPI_SUCCESS)
        rc = send_report(x, &report);
    } else {
      rc = gb_serve(x, source, &order);
    }
  }
  gb_watchdog_rest(x->watch);
  return rc;
}

/* Numbers the machines by their processor names. */
static int number_machines(gb_lead *l, gbcast_error *err) {
  gb_arena arena = {0};
  gb_names names = {0};
  size_t size = (size_t)l->x->size;
  l->machine = malloc(sizeof *l->machine * size);
  l->machine_rank = malloc(sizeof *l->machine_rank * size);
  l->machine_name = malloc(sizeof *l->machine_name * size);
  int status = l->machine == NULL || l->machine_rank == NULL || l->machine_name == NULL ? gb_no_memory(err)
                                                                                        : GBCAST_OK;
  for (int r = 0; status == GBCAST_OK && r < l->x->size; r++) {
    const char *name = l->x->identity[r].name;
    bool is_new = false;
    l->machine[r] = gb_names_add(&names, &arena, name, strlen(name), &is_new);
    if (l->machine[r] == GB_NONE)
      status = gb_no_memory(err);
    if (status == GBCAST_OK && is_new) {
      l->machine_rank[l->machine[r]] = r;
      l->machine_name[l->machine[r]] = name;
    }
  }
  l->machines = names.count;
  gb_names_release(&names);
  gb_arena_release(&arena);
  return status;
}

/* Warns of two hosts with the same processor name: they are measured as one host. */
static void note_namesakes(gb_lead *l) {
  const gb_prober *x = l->x;
  for (int r = 0; r < x->size; r++) {
    int first = l->machine_rank[l->machine[r]];
    if (x->node[r] == x->node[first])
      continue;
    (void)fprintf(l->notes,
                  "# ranks %d and %d both run on '%s' but share no memory: they are taken for one host\n",
                  first, r, x->identity[r].name);
    if (!l->options->quiet)
      fprintf(
          stderr,
          "gbcast-probe: ranks %d and %d both run on '%s' but share no memory: they are taken for one host\n",
          first, r, x->identity[r].name);
    return; /* one message is enough */
  }
}

/* Sends all ranks PRESENT or END, and waits for their reports. A rank that was not needed for a while may
 * have stopped without anyone having noticed. */
static int hear_all(const gb_lead *l, enum gb_order_kind kind, int exit_status) {
  const gb_prober *x = l->x;
  gb_order order = {.kind = kind, .count = (uint32_t)exit_status};
  gb_report report;
  bool *heard = calloc((size_t)x->size, sizeof *heard);
  int rc = heard == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS, source = 0, silent = 1;
  for (int r = 1; rc == MPI_SUCCESS && r < x->size; r++)
    rc = gb_send_order(x, r, &order);
  while (rc == MPI_SUCCESS && silent < x->size) {
    gb_watchdog_expect(x->watch, ANSWER_PATIENCE,
                       "gbcast-probe: rank %d on %s has stopped or cannot be reached%s", silent,
                       x->identity[silent].name, kind == GB_ORDER_END ? "" : "; nothing was written");
    rc = gb_lead_await_report(l, &report, &source);
    heard[source] = true;
    while (silent < x->size && heard[silent])
      silent++;
  }
  gb_watchdog_rest(x->watch);
  free(heard);
  return rc;
}

/* What rank 0 does, from the options to the file. Sets *status to a gbcast_status, and *wrong if --check has
 * found a wrong line. Returns an MPI error code. */
static int lead(gb_lead *l, int *status, bool *wrong, gbcast_error *err) {
  int rc = MPI_SUCCESS;
  *status = number_machines(l, err);
  if (*status == GBCAST_OK && l->options->output != NULL)
    *status = gb_lead_try_output(l->options->output, err);
  if (*status != GBCAST_OK)
    return rc;
  note_namesakes(l);
  if (l->options->hosts != NULL) {
    *status = gb_lead_read_platform(l, err);
    if (*status == GBCAST_OK)
      rc = gb_lead_check_hosts(l);
  } else {
    rc = gb_lead_find_sites(l, status, err);
    if (rc == MPI_SUCCESS && *status == GBCAST_OK)
      rc = gb_lead_find_switches(l, status, err);
    if (rc == MPI_SUCCESS && *status == GBCAST_OK)
      *status = gb_lead_make_platform(l, err);
  }
  if (rc == MPI_SUCCESS && *status == GBCAST_OK)
    *status = gb_lead_note_outliers(l, err);
  if (rc == MPI_SUCCESS && *status == GBCAST_OK)
    *status = gb_lead_choose_pairs(l, err);
  if (rc == MPI_SUCCESS && *status == GBCAST_OK && l->options->check)
    gb_lead_sample_pairs(l);
  else if (rc == MPI_SUCCESS && *status == GBCAST_OK)
    *status = gb_lead_choose_flows(l, err);
  if (rc == MPI_SUCCESS && *status == GBCAST_OK)
    rc = gb_lead_measure(l, status, err);
  if (rc == MPI_SUCCESS && *status == GBCAST_OK)
    rc = hear_all(l, GB_ORDER_PRESENT, 0);
  if (rc != MPI_SUCCESS || *status != GBCAST_OK)
    return rc;
  if (l->options->check) {
    *wrong = gb_lead_tell_wrong(l);
    return rc;
  }
  *status = gb_lead_set_operators(l, err);
  if (*status == GBCAST_OK)
    *status = gb_lead_set_contention(l, err);
  if (*status == GBCAST_OK)
    *status = gb_lead_write(l, err);
  return rc;
}

static void release_lead(gb_lead *l) {
  gb_groups_release(&l->groups);
  gbcast_platform_free(l->platform);
  free(l->text);
  free(l->machine);
  free(l->machine_rank);
  free(l->machine_name);
  free(l->host_rank);
  free(l->host_near);
  free(l->near);
  free(l->task);
  free(l->flow);
  free(l->exchange);
  gb_lead_release_switches(l);
}

static int lead_and_end(gb_prober *x, const gb_probe_options *options, double start, int *exit_status) {
  gb_lead l = {.x = x, .options = options, .start = start};
  gbcast_error err = {{0}};
  int status = GBCAST_OK, rc = MPI_SUCCESS;
  bool wrong = false;
  gb_lead_open_terminal(&l);
  l.notes = open_memstream(&l.notes_text, &l.notes_length);
  if (l.notes == NULL)
    status = gb_no_memory(&err);
  else
    rc = lead(&l, &status, &wrong, &err);
  gb_lead_close_terminal(&l);
  if (rc == MPI_SUCCESS && status != GBCAST_OK)
    fprintf(stderr, "%s%s\n", status == GBCAST_EINPUT ? "" : "gbcast-probe: ", err.message);
  *exit_status = status == GBCAST_OK && !wrong ? 0 : 1;
  if (l.notes != NULL)
    (void)fclose(l.notes);
  free(l.notes_text);
  release_lead(&l);
  gb_watchdog_rest(x->watch);
  return rc != MPI_SUCCESS ? rc : hear_all(&l, GB_ORDER_END, *exit_status);
}

static int run(gb_prober *x, const gb_probe_options *options, int *exit_status) {
  double start = MPI_Wtime();
  int rc = MPI_Comm_set_errhandler(x->comm, MPI_ERRORS_RETURN);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_set_errhandler(x->streams, MPI_ERRORS_RETURN);
  gb_watchdog_expect(x->watch, options->budget + PATIENCE,
                     "gbcast-probe: rank %d: not all ranks can be reached from here", x->rank);
  if (rc == MPI_SUCCESS)
    rc = gather_identities(x);
  if (rc == MPI_SUCCESS)
    rc = gather_nodes(x);
  if (rc == MPI_SUCCESS)
    rc = gb_prober_find_window(x);
  if (rc == MPI_SUCCESS)
    rc = gb_prober_time_operator(x);
  if (rc == MPI_SUCCESS)
    rc =
        x->rank == 0 ? lead_and_end(x, options, start, exit_status) : follow(x, options->budget, exit_status);
  return rc;
}

int gb_probe_run(MPI_Comm comm, const gb_probe_options *options) {
  gb_prober x = {.comm = MPI_COMM_NULL, .streams = MPI_COMM_NULL};
  int exit_status = 1, rc = MPI_Comm_dup(comm, &x.comm);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_dup(comm, &x.streams);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_rank(x.comm, &x.rank);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_size(x.comm, &x.size);
  if (rc == MPI_SUCCESS && x.size < 2) {
    if (!gb_library_is_alone())
      fputs("gbcast-probe: needs at least two ranks, on different hosts: mpiexec -n N gbcast-probe\n",
            stderr);
    (void)MPI_Comm_free(&x.comm);
    (void)MPI_Comm_free(&x.streams);
    return 1;
  }
  x.watch = gb_watchdog_start();
  if (rc == MPI_SUCCESS)
    rc = run(&x, options, &exit_status);
  if (rc != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    (void)MPI_Error_string(rc, text, &length);
    fprintf(stderr, "gbcast-probe: rank %d%s%s: %s\n", x.rank, x.identity != NULL ? " on " : "",
            x.identity != NULL ? x.identity[x.rank].name : "", text);
    (void)MPI_Abort(comm, 1);
  }
  gb_watchdog_stop(x.watch);
  free(x.buffer);
  free(x.identity);
  free(x.node);
  free(x.reduce);
  (void)MPI_Comm_free(&x.comm);
  (void)MPI_Comm_free(&x.streams);
  return exit_status;
}
