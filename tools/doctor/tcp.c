/* What TCP's settings cost on the links between sites. A stream has no more than a buffer under way in a
 * round trip: of the buffers' bytes Linux keeps half for its own. */
#include "platform/cost/cost.h"
#include "tools/doctor/doctor.h"
#include <math.h>
#include <stdlib.h>

#define FOLDER "/proc/sys/net/ipv4"

enum { WINDOW = 10 * GB_PACKET_BYTES, MESSAGE = 1 << 20 };

/* Less is not told: of a link's rate, or of a message's time and seconds. */
#define COSTS 0.1
#define COSTS_SECONDS 1e-3

/* The last number of a file; 0: there is none. */
static double last_number(const char *folder, const char *name) {
  char path[GB_DOCTOR_PATH], text[128] = "";
  double number = 0;
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *in = fopen(path, "r");
  if (in == NULL)
    return 0;
  if (fgets(text, sizeof text, in) != NULL)
    for (char *at = text, *end = NULL;; at = end) {
      const double next = strtod(at, &end);
      if (end == at)
        break;
      number = next;
    }
  (void)fclose(in);
  return number;
}

gb_tcp gb_tcp_read(const char *folder) {
  return (gb_tcp){.receive = last_number(folder, "tcp_rmem"),
                  .send = last_number(folder, "tcp_wmem"),
                  .starts_slowly = last_number(folder, "tcp_slow_start_after_idle") > 0};
}

static double round_trip(const gbcast_platform *p, const gb_link *link) {
  const gb_link *back = gb_platform_link(p, link->to, link->from);
  return link->latency + (back != NULL ? back->latency : link->latency);
}

static double stream_rate(const gb_link *link) {
  return gb_smaller(link->bandwidth, link->stream_bandwidth);
}

static void judge_buffer(gb_doctor *d, const char *name, const char *first, double most) {
  const gbcast_platform *p = d->platform;
  const gb_link *worst = NULL;
  double needed = 0;
  for (uint32_t i = 0; i < p->link_count; i++) {
    const double bytes = 2 * stream_rate(&p->link[i]) * round_trip(p, &p->link[i]);
    if (bytes > needed) {
      needed = bytes;
      worst = &p->link[i];
    }
  }
  if (most <= 0 || worst == NULL || most > (1 - COSTS) * needed)
    return;
  char got[GB_UNIT_TEXT], said[GB_UNIT_TEXT];
  gb_write_rate(got, floor(most / 2 / round_trip(p, worst) / 1250) * 1250); /* in 10 kbit/s */
  gb_write_rate(said, stream_rate(worst));
  gb_doctor_say(d, GB_WARN, "tcp",
                "%s allows a stream %s of the %s of %s -> %s: on all hosts sysctl -w net.ipv4.%s='%s %.0f'",
                name, got, said, p->cluster[worst->from].name, p->cluster[worst->to].name, name, first,
                exp2(ceil(log2(needed))));
}

/* Seconds that a message takes longer on the link after a pause. */
static double slow_start(const gbcast_platform *p, const gb_link *link) {
  return gb_slow_start(WINDOW, round_trip(p, link), stream_rate(link), MESSAGE);
}

static void judge_slow_start(gb_doctor *d, bool starts_slowly) {
  const gbcast_platform *p = d->platform;
  const gb_link *worst = NULL, *said = NULL;
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *link = &p->link[i];
    if (isfinite(link->initial_window))
      said = link;
    if (slow_start(p, link) > COSTS_SECONDS &&
        slow_start(p, link) > COSTS * (link->latency + MESSAGE / stream_rate(link)) &&
        (worst == NULL || slow_start(p, link) > slow_start(p, worst)))
      worst = link;
  }
  if (!starts_slowly && said != NULL)
    gb_doctor_say(d, GB_WARN, "tcp",
                  "streams do not start slowly here after a pause, but plans reckon with it: remove "
                  "initial-window= from %s, if it is so on all hosts",
                  d->hosts);
  if (!starts_slowly || worst == NULL)
    return;
  gb_doctor_say(
      d, said != NULL ? GB_WELL : GB_WARN, "tcp",
      "after a pause streams start slowly: 1 MiB from %s to %s takes %.3g ms longer%s: on all hosts sysctl "
      "-w net.ipv4.tcp_slow_start_after_idle=0%s",
      p->cluster[worst->from].name, p->cluster[worst->to].name, slow_start(p, worst) * 1e3,
      said != NULL ? ", as plans know. To save it" : "",
      said != NULL ? ", and remove initial-window= from the file"
                   : ", or add initial-window=14480 to the lines of its links");
}

void gb_tcp_judge(gb_doctor *d, const gb_tcp *tcp) {
  const unsigned before = d->bad;
  judge_buffer(d, "tcp_rmem", "4096 131072", tcp->receive);
  judge_buffer(d, "tcp_wmem", "4096 16384", tcp->send);
  judge_slow_start(d, tcp->starts_slowly);
  if (d->bad == before && d->platform->link_count > 0)
    gb_doctor_say(d, GB_WELL, "tcp", "buffers on this host are large enough for a stream on each link");
}

void gb_doctor_tcp(gb_doctor *d) {
  const gb_tcp tcp = gb_tcp_read(FOLDER);
  if (d->platform != NULL && d->platform->link_count > 0)
    gb_tcp_judge(d, &tcp);
}
