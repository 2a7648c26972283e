/* What rank 0 reads when a communicator is set up: settings, hosts file, live values. */
#include "mpi/comm/live.h"
#include "mpi/comm/reporting.h"
#include "mpi/comm/setup.h"
#include "mpi/comm/state.h"
#include "mpi/comm/verbose.h"
#include <stdio.h>
#include <stdlib.h>

/* Rank 0: what cannot be read is told, and the values of the hosts file stay. */
static int find_weather(const gb_settings *s, const gbcast_platform *p, gb_nws_weather **service,
                        gb_inputs *in, gbcast_error *err) {
  int rc = gb_live_find(s, p, service, &in->weather, err);
  if (rc == GBCAST_OK && err->message[0] != '\0')
    fprintf(stderr, "gbcast: %s; the values of the hosts file are used\n", err->message);
  const uint32_t left_out = in->weather.ignored[GB_IGNORED_UNREADABLE];
  if (rc == GBCAST_OK && left_out > 0)
    fprintf(stderr, "gbcast: %s; %s\n", in->weather.first[GB_IGNORED_UNREADABLE],
            left_out == 1 ? "this line of live values is left out"
                          : "this and other lines of live values are left out");
  return rc;
}

/* Reads everything into `in` and places the ranks, who are `rank`. A gbcast_status. */
static int read_and_place(gb_comm *c, const gb_identity *rank, gb_inputs *in, gbcast_error *err) {
  gb_overrides *overrides = &c->overrides;
  const int size = c->wire.size;
  gb_settings *s = &in->settings;
  gbcast_platform *p = NULL;
  int rc = gb_settings_read(overrides, s, err);
  if (rc != GBCAST_OK)
    return rc;
  gb_verbose_introduce(c, s);
  gb_reporting_wish(c, s, in);
  if (s->disabled)
    in->left = GB_PASSED_DISABLED;
  else if (s->hosts == NULL && overrides->preload != NULL)
    in->left = GB_PASSED_NO_HOSTS;
  in->by_nodes = in->left == GB_PASSED_NOT && s->hosts == NULL;
  if (in->by_nodes && s->live != NULL && s->verbose > 0)
    fprintf(stderr, "gbcast: GBCAST_LIVE has no effect without GBCAST_HOSTS\n");
  if (s->hosts == NULL && s->refresh > 0 && s->verbose > 0)
    fprintf(stderr, "gbcast: GBCAST_REFRESH does nothing without GBCAST_HOSTS\n");
  if (s->hosts == NULL) {
    s->refresh = 0;
    return GBCAST_OK;
  }
  if (s->map_by_order && gb_identities_apart(rank, size)) {
    in->left = GB_PASSED_WORLDS;
    return GBCAST_OK;
  }
  in->rank_count = (uint32_t)size;
  in->rank_host = malloc(sizeof *in->rank_host * in->rank_count);
  rc = in->rank_host == NULL ? gb_no_memory(err) : GBCAST_OK;
  if (rc == GBCAST_OK)
    rc = gbcast_platform_read(s->hosts, &p, err);
  if (rc == GBCAST_OK)
    rc = s->map_by_order ? gb_map_by_order(p, rank, size, in->rank_host, err)
                         : gb_map_by_name(p, rank, size, s->verbose, in->rank_host, err);
  if (rc == GBCAST_OK && !s->map_by_order)
    rc = gb_nodes_check(rank, NULL, size, in->rank_host, &in->by_names, err);
  in->by_nodes = in->by_names;
  if (rc == GBCAST_OK)
    rc = find_weather(s, p, &overrides->service, in, err);
  if (rc == GBCAST_OK)
    rc = gb_inputs_write(p, &in->platform, &in->platform_length, err);
  gbcast_platform_free(p);
  return rc;
}

/* Finds for each rank of the communicator its rank in this one's MPI_COMM_WORLD. */
static int find_world_ranks(const gb_comm *c, gb_identity *all) {
  int *world_rank, rc = gb_comm_ranks(c->user, c->wire.size, MPI_COMM_WORLD, &world_rank);
  for (int r = 0; rc == MPI_SUCCESS && r < c->wire.size; r++)
    all[r].world_rank = world_rank[r];
  free(world_rank);
  return rc;
}

/* Prints why the inputs cannot be used. For the preloaded library calls are passed on to MPI then. */
static void refuse(const gb_comm *c, const char *why, gb_inputs *in) {
  gb_comm_complain(c, why);
  in->rank_count = 0; /* nobody was placed */
  in->platform_length = in->plans_length = 0;
  gb_weather_release(&in->weather);
  in->by_nodes = in->by_names = false;
  if (c->overrides.preload != NULL) {
    in->left = GB_PASSED_REFUSED;
    in->code = MPI_SUCCESS;
  }
}

/* Adds GBCAST_PLAN, when every rank has its host. */
static void add_plans(const gb_comm *c, gb_inputs *in) {
  gbcast_error err = {{0}};
  if (in->code != MPI_SUCCESS || in->left != GB_PASSED_NOT)
    return;
  in->code = gb_class_of_status(gb_plans_read(&c->overrides, c->wire.size, in, &err));
  if (in->code != MPI_SUCCESS)
    refuse(c, err.message, in);
}

/* Reads settings, hosts file and live values for these ranks. An error class. */
static int read_all(gb_comm *c, const gb_identity *all, gb_inputs *in, gbcast_error *err) {
  if (c->overrides.code != MPI_SUCCESS) {
    (void)gb_fail(err, GBCAST_EUSAGE, "the MPI_Info given to gbcast_setup() cannot be read");
    return c->overrides.code;
  }
  for (int r = 0; r < c->wire.size; r++)
    if (all[r].code != MPI_SUCCESS) {
      (void)gb_fail(err, GBCAST_EINPUT, "MPI does not tell rank %d where it runs", r);
      return all[r].code;
    }
  return gb_class_of_status(read_and_place(c, all, in, err));
}

void gb_read_inputs(gb_comm *c, gb_identity *all, gb_inputs *in) {
  gbcast_error err = {"MPI does not tell the ranks of MPI_COMM_WORLD, or there is no memory for them"};
  in->code = find_world_ranks(c, all);
  in->close_order = (uint64_t)(uint32_t)all[0].world_rank << 32 | c->close_order;
  if (in->code == MPI_SUCCESS)
    in->code = read_all(c, all, in, &err);
  in->code = gb_class_of_code(in->code); /* other ranks know classes alone */
  if (in->code != MPI_SUCCESS)
    refuse(c, err.message, in);
  if (!in->by_nodes)
    add_plans(c, in);
}

void gb_read_nodes(gb_comm *c, const gb_identity *all, const int *leader, gb_inputs *in) {
  gbcast_error err = {{0}};
  bool open;
  in->code =
      gb_class_of_status(in->by_names ? gb_nodes_check(all, leader, c->wire.size, in->rank_host, &open, &err)
                                      : gb_nodes_describe(all, leader, c->wire.size, in, &err));
  if (in->code != MPI_SUCCESS)
    refuse(c, err.message, in);
  in->by_nodes = in->by_names = false;
  add_plans(c, in);
}
