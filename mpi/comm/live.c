/* What rank 0 reads again while a job runs: files that have changed, and live values. */
#include "mpi/comm/live.h"
#include "mpi/job/job.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool is_same(const gb_file_stamp *a, const gb_file_stamp *b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size &&
         a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static int fail(const char *path, int problem, gbcast_error *err) {
  char reason[128];
  if (strerror_r(problem, reason, sizeof reason) != 0)
    (void)snprintf(reason, sizeof reason, "error %d", problem);
  return gb_fail(err, GBCAST_EINPUT, "%s: cannot read: %s", path, reason);
}

static int read_whole(int fd, const char *path, char *text, size_t size, size_t *length, gbcast_error *err) {
  for (*length = 0; *length < size;) {
    ssize_t n = read(fd, text + *length, size - *length);
    if (n < 0 && errno != EINTR)
      return fail(path, errno, err);
    if (n == 0)
      break;
    *length += n > 0 ? (size_t)n : 0;
  }
  return GBCAST_OK;
}

static int look(int fd, const char *path, size_t most, gb_file_stamp *last, char **text, size_t *length,
                gbcast_error *err) {
  struct stat found;
  if (fstat(fd, &found) != 0)
    return fail(path, errno, err);
  if (!S_ISREG(found.st_mode))
    return gb_fail(err, GBCAST_EINPUT, "%s: found no regular file", path);
  if (found.st_size < 0 || (uintmax_t)found.st_size > most)
    return gb_fail(err, GBCAST_EINPUT, "%s: found %lld bytes, expected at most %zu", path,
                   (long long)found.st_size, most);
  gb_file_stamp now = {found.st_dev, found.st_ino, found.st_size, found.st_mtim};
  if (is_same(&now, last))
    return GBCAST_OK;
  *last = now;
  *text = malloc((size_t)found.st_size + 1);
  return *text == NULL ? gb_no_memory(err) : read_whole(fd, path, *text, (size_t)found.st_size, length, err);
}

int gb_read_if_changed(const char *path, size_t most, gb_file_stamp *last, char **text, size_t *length,
                       gbcast_error *err) {
  *text = NULL;
  int fd =
      open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY); /* a pipe without a writer opens at once */
  if (fd < 0)
    return fail(path, errno, err);
  int status = look(fd, path, most, last, text, length, err);
  (void)close(fd);
  if (status != GBCAST_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}

enum { LARGEST = 1 << 20 }; /* bytes: some 30,000 pairs, which take rank 0 less than 50 ms to read */

/* The job does not wait for whoever writes it. */
static int read_file(gb_live *live, const char *path, double now, gbcast_error *err) {
  char *text = NULL;
  size_t length = 0;
  int status = gb_read_if_changed(path, LARGEST, &(gb_file_stamp){0}, &text, &length, err);
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
