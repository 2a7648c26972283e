#include "nws/client/weather.h"

#include "nws/client/socket.h"

#include <stdlib.h>

#define PATIENCE 5.0       /* s of silence until a daemon is given up */
enum { LOOKS_MOST = 100 }; /* for one round: a peer that drips bytes is given up, too */

static const char late[] = "not everything has come in time";

struct gb_nws_weather {
  gb_survey survey;
  gb_socket socket;
  uint32_t looks; /* of this round */
  char source[];
};

static int read_source(const char *source, const gb_nws_settings *settings, gb_nws_address *server,
                       uint16_t *memory_port, gbcast_error *err) {
  uint16_t port = 0;
  int status = gb_nws_setting_port(settings, "NAME_SERVER_PORT", GB_NWS_NAME_SERVER_PORT, &port, err);
  if (status == GBCAST_OK)
    status = gb_nws_setting_port(settings, "MEMORY_PORT", GB_NWS_MEMORY_PORT, memory_port, err);
  if (status != GBCAST_OK)
    return status;
  const char *service = gb_live_service(source);
  gb_view rest = gb_view_of(service != NULL ? service : "");
  if (rest.length > 0 && rest.at[rest.length - 1] == '/')
    rest.length--;
  if (gb_nws_address_read(rest, port, server))
    return GBCAST_OK;
  return gb_fail(err, GBCAST_EUSAGE, "found '%s', expected nws://HOST[:PORT]", source);
}

int gb_nws_weather_open(const char *source, gb_nws_warn *warn, void *context, gb_nws_weather **out,
                        gbcast_error *err) {
  gb_nws_settings settings;
  gb_nws_address server;
  uint16_t memory_port = 0;
  int status = gb_nws_settings_read(&settings, warn, context);
  if (status == GBCAST_OK)
    status = read_source(source, &settings, &server, &memory_port, err);
  else
    status = gb_no_memory(err);
  gb_nws_settings_release(&settings);
  size_t length = strlen(source);
  gb_nws_weather *w = status == GBCAST_OK ? calloc(1, sizeof *w + length + 1) : NULL;
  if (w == NULL)
    return status != GBCAST_OK ? status : gb_no_memory(err);
  memcpy(w->source, source, length + 1);
  gb_survey_init(&w->survey, &server, memory_port, PATIENCE);
  gb_socket_init(&w->socket, &w->survey.client);
  *out = w;
  return GBCAST_OK;
}

void gb_nws_weather_close(gb_nws_weather *w) {
  if (w == NULL)
    return;
  gb_socket_release(&w->socket);
  gb_survey_release(&w->survey);
  free(w);
}

const char *gb_nws_weather_source(const gb_nws_weather *w) {
  return w->source;
}

static void go_on(gb_nws_weather *w, double seconds) {
  gb_survey *s = &w->survey;
  double until = gb_clock_now() + seconds;
  w->looks = gb_survey_busy(s) ? w->looks + 1 : 0;
  if (w->looks == LOOKS_MOST)
    gb_survey_stop(s, "the answers come too slowly"); /* a new round begins at the next look */
  else if (gb_survey_begin(s))
    (void)gb_sockets_serve(&w->socket, 1, until);
}

int gb_nws_weather_look(gb_nws_weather *w, double seconds, double clock, gb_live *live, gbcast_error *err) {
  w->survey.clock = clock;
  go_on(w, seconds);
  uint32_t before = live->count;
  int status = gb_nws_weather_values(&w->survey, clock, live, err);
  if (status != GBCAST_OK || live->count > before)
    return status;
  const gb_nws_address *server = &w->survey.name_server;
  if (w->survey.trouble.message[0] != '\0')
    return gb_fail(err, GBCAST_EINPUT, "%s", w->survey.trouble.message);
  return gb_fail(err, GBCAST_EINPUT, "%s:%u: %s", server->host, (unsigned)server->port,
                 gb_survey_busy(&w->survey) ? late : "no measurements of links are registered there");
}

const char *gb_nws_weather_trouble(const gb_nws_weather *w) {
  if (w->survey.trouble.message[0] != '\0')
    return w->survey.trouble.message;
  return gb_survey_busy(&w->survey) ? late : NULL;
}
