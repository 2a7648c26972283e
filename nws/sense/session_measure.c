/* Experiments of others wait for the lane; so does whoever asked. */
#include "nws/sense/session.h"

#include "nws/sense/net.h"

#include <arpa/inet.h>

#define TURN_MOST 40.0 /* s, to wait for the lane: longer than any experiment */

static void go(void *context) {
  gb_visit *v = context;
  gb_target_start(&v->target, &v->sizes, gb_clock_now());
  gb_channel_switch(&v->channel, &v->target.party, gb_experiment_socket_buffer(&v->sizes));
}

static void queue(gb_visit *v, void (*what)(void *context)) {
  v->mail.paused = true;
  v->mail.party.deadline = gb_clock_now() + TURN_MOST;
  v->ticket = (gb_ticket){.go = what, .context = v};
  if (!gb_lane_enter(&v->sensor->lane, &v->ticket, false))
    v->mail.party.over = true;
}

void gb_visit_measure(gb_visit *v, const gb_experiment *sizes) {
  v->sizes = *sizes;
  if (gb_experiment_sound(sizes))
    queue(v, go);
  else
    v->mail.party.over = true;
}

/* The test is done, or not to be had: either way the connection ends. */
static void on_served(void *context, bool good, double result) {
  gb_visit *v = context;
  (void)good;
  (void)result;
  v->mail.party.over = true;
  gb_channel_wake(&v->channel);
}

/* iperf's server is where this connection came in. */
static bool choose_end(gb_visit *v) {
  struct sockaddr_in at = {0};
  socklen_t size = sizeof at;
  if (getsockname(v->channel.file, (struct sockaddr *)&at, &size) != 0)
    return false;
  v->server.port = gb_net_free_port(at.sin_addr);
  return v->server.port != 0 &&
         inet_ntop(AF_INET, &at.sin_addr, v->server.address, sizeof v->server.address) != NULL;
}

static void go_iperf(void *context) {
  gb_visit *v = context;
  bool good = choose_end(v) && gb_child_start(&v->child, v->sensor->base, GB_IPERF_SECONDS, gb_iperf_serve,
                                              &v->server, on_served, v);
  if (good)
    gb_nws_encode(&v->mail.out,
                  &(gb_nws_message){.number = GB_NWS_TCP_HANDSHAKE, .handshake = {0, v->server.port}});
  else
    gb_mail_say(&v->mail, GB_NWS_SENSOR_FAILED);
  v->mail.last = !good;
  v->mail.party.deadline = gb_clock_now() + GB_IPERF_SECONDS + 1;
  gb_channel_wake(&v->channel);
}

void gb_visit_iperf(gb_visit *v) {
  queue(v, go_iperf);
}
