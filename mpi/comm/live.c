/* GBCAST_LIVE: what live values say about the links now. */
#include "mpi/comm/live.h"
#include "mpi/comm/glance.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST = 1 << 20 }; /* bytes: some 30,000 pairs, which take rank 0 less than 50 ms to read */

/* The job does not wait for whoever writes it. */
static int read_file(gb_live *live, const char *path, double now, gbcast_error *err) {
  char *text = NULL;
  size_t length = 0;
  int status = gb_glance_at(path, LARGEST, &(gb_glance){0}, &text, &length, err);
  if (status == GBCAST_OK)
    status = gb_live_parse(live, text, length, path, now, err);
  if (status == GBCAST_OK && live->count == 0 && live->left_out > 0) /* that is no live file */
    status = gb_fail(err, GBCAST_EINPUT, "%s", live->first);
  free(text);
  return status;
}

static int ask_service(gb_live *live, double now, gb_nws_weather **service, gbcast_error *err) {
  if (!gb_this_machine.asks_network)
    return gb_fail(err, GBCAST_EINPUT, "%s: a simulated program asks no weather service", live->source);
  int status = *service == NULL ? gb_nws_weather_open(live->source, NULL, NULL, service, err) : GBCAST_OK;
  return status == GBCAST_OK ? gb_nws_weather_look(*service, GB_LIVE_SECONDS, now, live, err) : status;
}

static int read_source(gb_live *live, gb_nws_weather **service, gbcast_error *err) {
  struct timespec clock;
  (void)clock_gettime(CLOCK_REALTIME, &clock);
  double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
  if (*service != NULL && strcmp(gb_nws_weather_source(*service), live->source) != 0) {
    gb_nws_weather_close(*service);
    *service = NULL;
  }
  if (gb_live_service(live->source) != NULL)
    return ask_service(live, now, service, err);
  const char *path = gb_live_path(live->source);
  if (path == NULL) /* standard input is the program's */
    return gb_fail(err, GBCAST_EUSAGE, "GBCAST_LIVE=%s: expected file:PATH or nws://HOST[:PORT]",
                   live->source);
  return read_file(live, path, now, err);
}

int gb_live_find(const gb_settings *settings, const gbcast_platform *p, gb_nws_weather **service,
                 gb_weather *out, gbcast_error *err) {
  *out = (gb_weather){0};
  err->message[0] = '\0';
  if (settings->live == NULL)
    return GBCAST_OK;
  gb_live live = {.source = settings->live};
  int status = read_source(&live, service, err);
  if (status == GBCAST_EINPUT) { /* half of a file is none */
    gb_live_release(&live);
    status = GBCAST_OK;
  }
  if (status == GBCAST_OK)
    status = gb_weather_find(p, &live, settings->max_age, out, err);
  gb_live_release(&live);
  return status;
}
