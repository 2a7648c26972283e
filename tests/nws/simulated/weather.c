#include "tests/nws/simulated/weather.h"

#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const gb_nws_address server_address = {.host = "server", .port = 8090};

static double server_clock(const weather *w) {
  return START + w->now + w->clock;
}

/* --- the network --- */

static void hang_up(weather *w, wire *x) {
  (void)w;
  if (x->session != NULL) {
    gb_session_end(x->session);
    free(x->session);
  }
  x->session = NULL;
  gb_bytes_clear(&x->to_server);
  gb_bytes_clear(&x->to_client);
}

static void dial(weather *w, wire *x) {
  x->connection = x->client->connection;
  if (x->cut)
    return; /* no answer, until the client's patience ends */
  if (!w->up) {
    gb_client_closed(x->client, "refused", w->now);
    return;
  }
  x->session = calloc(1, sizeof *x->session);
  cr_assert_not_null(x->session);
  gb_session_start(x->session, &w->service, x->client->to.port == 8050);
  gb_turns_join(&w->turns, x->session);
  gb_client_opened(x->client, w->now);
}

/* What was sent in the last step arrives, and what is sent now is in flight. */
static void move(weather *w, wire *x) {
  gb_client *c = x->client;
  const gb_nws_address *to = gb_client_wants(c, w->now);
  if (to == NULL || x->connection != c->connection)
    hang_up(w, x);
  if (to != NULL && x->connection != c->connection)
    dial(w, x);
  if (x->session != NULL && !x->cut) {
    if (x->to_server.size > 0 && gb_session_wants_input(x->session)) {
      gb_session_take(x->session, x->to_server.data, x->to_server.size);
      gb_bytes_clear(&x->to_server);
    }
    size_t some = x->to_client.size < x->most ? x->to_client.size : x->most;
    gb_bytes came = {0};
    gb_put(&came, x->to_client.data, some);
    gb_bytes_drop_front(&x->to_client, some);
    if (some > 0)
      gb_client_came(c, came.data, came.size, w->now);
    gb_bytes_release(&came);
  }
  if (x->session != NULL && x->session->closing && !x->cut) {
    hang_up(w, x);
    gb_client_closed(c, "closed", w->now);
  }
  if (x->session != NULL) {
    gb_view out = gb_client_output(c);
    gb_put(&x->to_server, out.at, out.length);
    gb_client_sent(c, out.length);
  }
  gb_client_time(c, w->now);
}

static void all_wires(weather *w, void (*each)(weather *, wire *)) {
  for (int i = 0; i < SENSORS; i++)
    each(w, &w->sensors[i].wire);
  for (int i = 0; i < READERS; i++) {
    each(w, &w->readers[i].of_survey);
    each(w, &w->readers[i].of_follow);
  }
}

static void cut(weather *w, wire *x) {
  (void)w;
  x->cut = true;
}

static void mend(weather *w, wire *x) {
  (void)w;
  x->cut = false;
}

void weather_cut(weather *w, bool is_cut) {
  all_wires(w, is_cut ? cut : mend);
}

/* --- the server --- */

static void wait_for_turn(weather *w, wire *x) {
  if (x->session != NULL)
    gb_turns_add(&w->turns, x->session);
}

static void pass_answers(weather *w, wire *x) {
  if (x->session == NULL)
    return;
  gb_view out = gb_session_output(x->session);
  if (x->to_client.size < 65536) {
    gb_put(&x->to_client, out.at, out.length);
    gb_session_sent(x->session, out.length);
  }
  if (fmod(w->now, 1) < STEP && gb_session_tick(x->session))
    x->session->closing = true;
}

static void disconnect(weather *w, wire *x) {
  bool open = x->session != NULL;
  hang_up(w, x);
  if (open && !x->cut)
    gb_client_closed(x->client, "reset", w->now);
}

static void serve(weather *w) {
  if (!w->up || w->frozen)
    return;
  all_wires(w, wait_for_turn);
  (void)gb_turns_work(&w->turns, server_clock(w));
  bool safe = gb_store_commit(&w->store, server_clock(w));
  if (safe)
    w->safe = w->store.log.size;
  all_wires(w, safe ? pass_answers : disconnect);
  if (fmod(w->now, 1) < STEP)
    gb_nws_registry_expire(&w->store.registry, server_clock(w));
}

void weather_start(weather *w) {
  gbcast_error err;
  cr_assert_eq(gb_store_open(&w->store, w->path, &w->limits, server_clock(w), w->report, &err), GBCAST_OK,
               "%s", err.message);
  w->service = (gb_service){.store = &w->store,
                            .name_server = "server:8090",
                            .memory = "server:8050",
                            .own = gb_view_of("name:server:8050\tobjectclass:nwsHost\thostType:memory\t\t"),
                            .held_most = 1 << 24};
  w->up = true;
}

void weather_stop(weather *w) {
  all_wires(w, disconnect);
  w->up = false;
  gb_turns_release(&w->turns);
  w->turns = (gb_turns){0};
  gb_store_close(&w->store);
}

void weather_kill(weather *w) {
  w->store.log.lost = false; /* nothing more is written */
  weather_stop(w);
}

void weather_cut_power(weather *w) {
  uint64_t size = w->store.log.size, safe = w->safe < size ? w->safe : size;
  uint64_t left = safe + xorshift(&w->seed, (uint32_t)(size - safe) + 1);
  cr_assert_eq(ftruncate(w->store.log.file, (off_t)left), 0);
  weather_kill(w);
}

/* --- sensors --- */

static void stored(void *context, const gb_nws_message *reply, const char *why) {
  sensor *s = context;
  (void)why;
  s->asked = false;
  if (reply == NULL)
    return; /* it is sent again */
  if (reply->number == GB_NWS_STATE_STORED) {
    cr_assert_lt(s->acknowledgements, VALUES_MOST);
    s->acknowledged[s->acknowledgements++] = (uint32_t)s->sent.measurement.value;
  }
  gb_outbox_acknowledged(&s->outbox, s->sent.sequence);
}

static void registered(void *context, const gb_nws_message *reply, const char *why) {
  sensor *s = context;
  (void)why;
  s->asked = false;
  if (reply != NULL && reply->number == GB_NWS_NS_REGISTERED)
    gb_renewals_done(&s->renewals, s->renewing, false, s->client.now);
  else
    gb_renewals_forgotten(&s->renewals);
}

static void ask(sensor *s, const gb_nws_message *m, uint16_t port, gb_nws_answer *answer) {
  gb_nws_address to = server_address;
  to.port = port;
  cr_assert(gb_client_ask(&s->client, &to, m, answer, s));
  s->asked = true;
}

static void sense(weather *w, sensor *s) {
  gb_bytes text = {0};
  gb_nws_message m;
  double next;
  if (w->now >= s->next) {
    double clock = START + w->now + s->ahead;
    cr_assert(gb_outbox_put(&s->outbox, s->series, clock, ++s->measured));
    s->next += PERIOD;
  }
  s->renewing = s->asked ? 0 : gb_renewals_due(&s->renewals, w->now, &m, &text, &next);
  if (!s->asked && s->renewing < s->renewals.count) {
    ask(s, &m, 8090, registered);
  } else if (!s->asked && s->outbox.count > 0) {
    s->sent = *gb_outbox_first(&s->outbox);
    gb_sample_tell(&s->sent, &m, &text);
    ask(s, &m, 8050, stored);
  }
  gb_bytes_release(&text);
}

void weather_start_sensor(weather *w, int i) {
  sensor *s = &w->sensors[i];
  char text[300];
  gb_bytes object = {0};
  s->runs = true;
  s->asked = false;
  s->next = w->now;
  gb_client_init(&s->client, 15, NULL, NULL);
  s->wire.client = &s->client;
  (void)snprintf(s->series, sizeof s->series, "s%d:8060.latencyTcp.t:8060", i);
  int n = snprintf(text, sizeof text,
                   "name:%s\tobjectclass:nwsSeries\thost:s%d:8060\tmemory:server:8050\tresource:latencyTcp\t"
                   "target:t:8060\t\t",
                   s->series, i);
  gb_put(&object, text, (size_t)n);
  cr_assert(gb_renewals_add(&s->renewals, &object));
}

void weather_stop_sensor(weather *w, int i) {
  sensor *s = &w->sensors[i];
  hang_up(w, &s->wire);
  gb_client_forget(&s->client);
  gb_renewals_release(&s->renewals);
  s->renewals = (gb_renewals){0};
  s->outbox.count = 0;
  s->runs = false;
}

/* --- readers --- */

static void read_weather(weather *w, reader *r) {
  r->survey.clock = START + w->now;
  if (w->now < r->next)
    return;
  r->next += ROUND;
  if (r->survey.rounds > 0 && !r->follows)
    r->follows = gb_follow_begin(&r->follow);
  cr_assert(gb_survey_begin(&r->survey));
}

static void start_reader(weather *w, reader *r) {
  gb_nws_address memory = server_address;
  memory.port = 8050;
  gb_survey_init(&r->survey, &server_address, 8050, 5);
  gb_follow_init(&r->follow, &r->survey, &memory);
  r->of_survey.client = &r->survey.client;
  r->of_follow.client = &r->follow.client;
  r->next = w->now + ROUND;
}

/* --- all --- */

weather *weather_new(uint64_t seed) {
  weather *w = calloc(1, sizeof *w);
  cr_assert_not_null(w);
  w->seed = seed;
  strcpy(w->path, "/tmp/gbcast-nws.XXXXXX");
  cr_assert_not_null(mkdtemp(w->path));
  w->limits = (gb_store_limits){.objects = 100,
                                .object_bytes = 1 << 16,
                                .series = 100,
                                .series_bytes = 1 << 22,
                                .ring = 2000,
                                .log_floor = 1 << 14};
  w->report = open_memstream(&w->said, &w->said_length);
  weather_start(w);
  for (int i = 0; i < SENSORS; i++)
    weather_start_sensor(w, i);
  for (int i = 0; i < READERS; i++)
    start_reader(w, &w->readers[i]);
  for (int i = 0; i < SENSORS; i++)
    w->sensors[i].wire.most = SIZE_MAX;
  for (int i = 0; i < READERS; i++)
    w->readers[i].of_survey.most = w->readers[i].of_follow.most = SIZE_MAX;
  return w;
}

static void release(weather *w, wire *x) {
  hang_up(w, x);
  gb_bytes_release(&x->to_server);
  gb_bytes_release(&x->to_client);
}

void weather_free(weather *w) {
  char command[64];
  if (w->up)
    weather_stop(w);
  for (int i = 0; i < SENSORS; i++)
    weather_stop_sensor(w, i);
  all_wires(w, release);
  for (int i = 0; i < READERS; i++) {
    gb_follow_release(&w->readers[i].follow);
    gb_survey_release(&w->readers[i].survey);
  }
  (void)fclose(w->report);
  free(w->said);
  (void)snprintf(command, sizeof command, "rm -r %s", w->path);
  cr_assert_eq(system(command), 0);
  free(w);
}

static void step(weather *w) {
  w->now += STEP;
  for (int i = 0; i < SENSORS; i++)
    if (w->sensors[i].runs)
      sense(w, &w->sensors[i]);
  for (int i = 0; i < READERS; i++)
    read_weather(w, &w->readers[i]);
  all_wires(w, move);
  serve(w);
}

void weather_run(weather *w, double seconds) {
  for (double until = w->now + seconds; w->now < until;)
    step(w);
}

void weather_check_stored(const weather *w) {
  for (int i = 0; i < SENSORS; i++) {
    const sensor *s = &w->sensors[i];
    gb_bytes records = {0};
    gb_nws_state state = {0};
    bool known = gb_nws_memory_fetch(&w->store.memory, gb_view_of(s->series), w->limits.ring, 0,
                                     server_clock(w), &state, &records);
    uint32_t count = 0, at = 0;
    gb_measurement *list = known ? gb_records_read(&state, &count) : NULL;
    for (uint32_t k = s->acknowledgements; k-- > 0 && at < w->limits.ring;) { /* newest first */
      while (at < count && (uint32_t)list[at].value != s->acknowledged[k])
        at++;
      cr_assert(at < count || (count == w->limits.ring && k + count / 2 < s->acknowledgements),
                "%s: value %u is lost", s->series, (unsigned)s->acknowledged[k]);
    }
    free(list);
    gb_bytes_release(&records);
  }
}

void weather_check_read(const weather *w, uint32_t first) {
  gb_nws_address memory = server_address;
  memory.port = 8050;
  for (int i = 0; i < READERS; i++)
    for (int k = 0; k < SENSORS; k++) {
      const sensor *s = &w->sensors[k];
      const gb_nws_series *series = gb_survey_find(&w->readers[i].survey, &memory, s->series);
      cr_assert_not_null(series, "reader %d does not know %s", i, s->series);
      cr_assert_gt(series->count, 0);
      double newest = series->recent[(series->count - 1) % GB_SERIES_RECENT];
      uint32_t last = s->acknowledged[s->acknowledgements - 1];
      cr_assert(newest >= last - 1, "reader %d has %g of %s, where %u is acknowledged", i, newest, s->series,
                (unsigned)last);
      cr_assert_geq(series->count + first, (uint32_t)newest, "reader %d has %u values of %s, up to %g", i,
                    (unsigned)series->count, s->series, newest);
    }
}
