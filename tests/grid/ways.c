#define _GNU_SOURCE /* setns */
#include "ways.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool read_line(const char *line, size_t number, route *r) {
  way_settings *s = &r->way.settings;
  int length = 0;
  int fields = sscanf(line, "%63s %15s %63s %15s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu32 " %n",
                      r->from.space, r->from.device, r->to.space, r->to.device, &s->delay, &s->bits,
                      &s->queue_bytes, &s->loss, &length);
  r->in = r->out = -1;
  r->way.random = 0x9e3779b97f4a7c15u * (number + 1);
  return fields == 8 && line[length] == '\0' && s->bits > 0;
}

bool ways_read(const char *path, ways *out) {
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    return false;
  }
  char line[512];
  bool fine = true;
  ways w = {0};
  while (fine && fgets(line, sizeof line, file) != NULL) {
    route *grown = realloc(w.route, (w.count + 1) * sizeof *grown);
    if (grown == NULL) {
      perror(path);
      fine = false;
      break;
    }
    w.route = grown;
    w.route[w.count] = (route){0};
    fine = read_line(line, w.count, &w.route[w.count]);
    w.count++;
    if (!fine)
      fprintf(stderr, "%s:%zu: expected NAMESPACE DEVICE NAMESPACE DEVICE DELAY BITS QUEUE LOSS\n", path,
              w.count);
  }
  (void)fclose(file); /* was only read */
  if (fine)
    *out = w;
  else
    free(w.route);
  return fine;
}

static bool enter(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool fine = fd >= 0 && setns(fd, CLONE_NEWNET) == 0;
  if (!fine)
    perror(path);
  if (fd >= 0)
    close(fd);
  return fine;
}

/* -1 after a message */
static int open_device(const end *e) {
  char path[WAYS_SPACE + 16];
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
  (void)snprintf(path, sizeof path, "/run/netns/%s", e->space);
  (void)snprintf(request.ifr_name, sizeof request.ifr_name, "%s", e->device);
  if (!enter(path))
    return -1;
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0 && ioctl(fd, TUNSETIFF, &request) == 0)
    return fd;
  fprintf(stderr, "%s: ", e->space);
  perror(fd < 0 ? "/dev/net/tun" : e->device);
  if (fd >= 0)
    close(fd);
  return -1;
}

static bool same(const end *a, const end *b) {
  return strcmp(a->space, b->space) == 0 && strcmp(a->device, b->device) == 0;
}

/* A link of two directions has two devices, each an entrance and an exit. */
static int find_open(const ways *w, const end *e) {
  for (size_t i = 0; i < w->count; i++) {
    if (w->route[i].in >= 0 && same(&w->route[i].from, e))
      return w->route[i].in;
    if (w->route[i].out >= 0 && same(&w->route[i].to, e))
      return w->route[i].out;
  }
  return -1;
}

static int find_or_open(const ways *w, const end *e) {
  int fd = find_open(w, e);
  return fd >= 0 ? fd : open_device(e);
}

bool ways_open(ways *w) {
  int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
  bool fine = home >= 0;
  for (size_t i = 0; fine && i < w->count; i++) {
    route *r = &w->route[i];
    r->in = find_or_open(w, &r->from);
    r->out = r->in < 0 ? -1 : find_or_open(w, &r->to);
    fine = r->out >= 0;
  }
  if (home < 0 || setns(home, CLONE_NEWNET) != 0) {
    perror("/proc/self/ns/net");
    fine = false;
  }
  if (home >= 0)
    close(home);
  return fine;
}

bool ways_change(ways *w, const char *path) {
  ways fresh;
  if (!ways_read(path, &fresh))
    return false;
  bool fine = fresh.count == w->count;
  for (size_t i = 0; fine && i < w->count; i++)
    fine = same(&fresh.route[i].from, &w->route[i].from) && same(&fresh.route[i].to, &w->route[i].to);
  for (size_t i = 0; fine && i < w->count; i++)
    w->route[i].way.settings = fresh.route[i].way.settings;
  if (!fine)
    fprintf(stderr, "%s: other links than at the start; nothing is changed\n", path);
  free(fresh.route);
  return fine;
}
