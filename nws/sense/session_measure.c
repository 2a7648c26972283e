/* Experiments that peers ask for wait in the experiment queue. */
#include "nws/sense/session.h"

#include "nws/sense/net.h"

#include <arpa/inet.h>

#define WAIT_MOST 40.0 /* s in the queue: longer than any experiment */

static void go(void *context) {
  gb_sensor_session *v = context;
  gb_target_start(&v->target, &v->sizes, gb_clock_now());
  gb_tcp_connection_switch(&v->connection, &v->target.handler, gb_experiment_socket_buffer(&v->sizes));
}

static void wait_in_queue(gb_sensor_session *v, void (*what)(void *context)) {
  v->codec.paused = true;
  v->codec.handler.deadline = gb_clock_now() + WAIT_MOST;
  v->ticket = (gb_ticket){.go = what, .context = v};
  if (!gb_experiment_queue_enter(&v->sensor->queue, &v->ticket, false))
    v->codec.handler.over = true;
}

void gb_sensor_session_measure(gb_sensor_session *v, const gb_experiment *sizes) {
  v->sizes = *sizes;
  if (gb_experiment_sound(sizes))
    wait_in_queue(v, go);
  else
    v->codec.handler.over = true;
}

/* The test has ended or failed: either way the session ends. */
static void on_served(void *context, bool good, double result) {
  gb_sensor_session *v = context;
  (void)good;
  (void)result;
  v->codec.handler.over = true;
  gb_tcp_connection_wake(&v->connection);
}

/* iperf's server listens at the address that this client connected to. */
static bool choose_end(gb_sensor_session *v) {
  struct sockaddr_in at = {0};
  socklen_t size = sizeof at;
  if (getsockname(v->connection.file, (struct sockaddr *)&at, &size) != 0)
    return false;
  v->server.port = gb_net_free_port(at.sin_addr);
  return v->server.port != 0 &&
         inet_ntop(AF_INET, &at.sin_addr, v->server.address, sizeof v->server.address) != NULL;
}

static void go_iperf(void *context) {
  gb_sensor_session *v = context;
  bool good = choose_end(v) && gb_subprocess_start(&v->subprocess, v->sensor->base, GB_IPERF_SECONDS,
                                                   gb_iperf_serve, &v->server, on_served, v);
  if (good)
    gb_nws_encode(&v->codec.out,
                  &(gb_nws_message){.number = GB_NWS_TCP_HANDSHAKE, .handshake = {0, v->server.port}});
  else
    gb_message_codec_send(&v->codec, GB_NWS_SENSOR_FAILED);
  v->codec.last = !good;
  v->codec.handler.deadline = gb_clock_now() + GB_IPERF_SECONDS + 1;
  gb_tcp_connection_wake(&v->connection);
}

void gb_sensor_session_iperf(gb_sensor_session *v) {
  wait_in_queue(v, go_iperf);
}
