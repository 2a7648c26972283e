/* What rank 0 reads when a communicator is set up: settings, hosts file, live values. */
#include "mpi/comm/read_inputs.h"
#include "mpi/comm/live.h"
#include "mpi/comm/nodes.h"
#include "mpi/comm/reporting.h"
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

int gb_read_inputs(gb_comm *c, const gb_identity *rank, gb_inputs *in, gbcast_error *err) {
  gb_overrides *overrides = &c->overrides;
  const int size = c->wire.size;
  gb_settings *s = &in->settings;
  gbcast_platform *p = NULL;
  int rc = gb_settings_read(overrides, s, err);
  if (rc != GBCAST_OK)
    return rc;
  gb_verbose_introduce(c, s);
  gb_reporting_wish(c, s, in);
  if (s->disabled || (s->hosts == NULL && overrides->preload != NULL))
    in->left = GB_LEFT_DISABLED;
  in->by_nodes = in->left == GB_LEFT_NOTHING && s->hosts == NULL;
  if (in->by_nodes && s->live != NULL && s->verbose > 0)
    fprintf(stderr, "gbcast: GBCAST_LIVE has no effect without GBCAST_HOSTS\n");
  if (s->hosts == NULL && s->refresh > 0 && s->verbose > 0)
    fprintf(stderr, "gbcast: GBCAST_REFRESH does nothing without GBCAST_HOSTS\n");
  if (s->hosts == NULL) {
    s->refresh = 0;
    return GBCAST_OK;
  }
  if (s->map_by_order && gb_identities_apart(rank, size)) {
    in->left = GB_LEFT_WORLDS;
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
