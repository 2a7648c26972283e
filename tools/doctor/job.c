/* A job: gbcast-doctor-job under the launcher, with the library preloaded, and gbcast-probe --check. What
 * gbcast says is a finding, but for what GBCAST_VERBOSE=1 tells of every job. */
#include "tools/doctor/doctor.h"
#include <stdlib.h>
#include <unistd.h>

enum { JOB_MOST = 300, LINKS_MOST = 900 }; /* s */
#define BUDGET "--budget=60"

typedef struct words {
  char **word;
  size_t count;
  bool ok;
} words;

/* A word made of two. */
static void add(words *c, const char *first, const char *second) {
  const size_t room = strlen(first) + strlen(second) + 1;
  char *word = malloc(room), **all = realloc(c->word, sizeof *all * (c->count + 2));
  if (all != NULL)
    c->word = all;
  c->ok = c->ok && word != NULL && all != NULL;
  if (!c->ok) {
    free(word);
    return;
  }
  (void)snprintf(word, room, "%s%s", first, second);
  c->word[c->count++] = word;
  c->word[c->count] = NULL;
}

static void release(words *c) {
  for (size_t i = 0; i < c->count; i++)
    free(c->word[i]);
  free((void *)c->word);
}

/* The launcher, and the hosts file. */
static words begin(const gb_doctor *d) {
  words c = {.ok = true};
  for (char **word = d->launcher; *word != NULL; word++)
    add(&c, *word, "");
  add(&c, "env", "");
  if (d->hosts != NULL)
    add(&c, "GBCAST_HOSTS=", d->hosts);
  return c;
}

/* The library is preloaded as the environment says, or behind what that preloads. */
static void add_library(const gb_doctor *d, words *c) {
  const char *given = getenv("LD_PRELOAD");
  char list[2 * GB_DOCTOR_PATH];
  if (given != NULL && strstr(given, "libgbcast-pmpi") != NULL)
    (void)snprintf(list, sizeof list, "%s", given);
  else
    (void)snprintf(list, sizeof list, "%s%s%s", given != NULL ? given : "", given != NULL ? ":" : "",
                   d->preload);
  add(c, "LD_PRELOAD=", list);
}

/* Runs the command, and gives each line to `take`, which returns whether it was of use. If all failed, the
 * last of the others are shown. */
static int run(gb_doctor *d, words *c, unsigned seconds, const char *subject,
               bool take(gb_doctor *d, char *line, void *context), void *context) {
  char *output = NULL, *rest = NULL, *other[GB_DOCTOR_MOST] = {NULL};
  const unsigned before = d->bad;
  size_t others = 0;
  if (!c->ok || c->count == 0) {
    gb_doctor_say(d, GB_FAIL, subject, "out of memory");
    return -1;
  }
  const int status = gb_doctor_run(c->word, seconds, &output);
  for (char *line = output != NULL ? strtok_r(output, "\r\n", &rest) : NULL; line != NULL;
       line = strtok_r(NULL, "\r\n", &rest))
    if (!take(d, line, context))
      other[others++ % GB_DOCTOR_MOST] = line;
  if (status == -1)
    gb_doctor_say(d, GB_FAIL, subject, "%s has not ended well, or not in %u s: try it with another program",
                  c->word[0], seconds);
  else if (status != 0 && d->bad == before) {
    gb_doctor_say(d, GB_FAIL, subject, "%s: exit status %d: try it with another program, such as hostname",
                  c->word[0], status);
    for (size_t i = others > GB_DOCTOR_MOST ? others - GB_DOCTOR_MOST : 0; i < others; i++)
      printf("                %s\n", other[i % GB_DOCTOR_MOST]);
  }
  free(output);
  return status;
}

typedef struct heard {
  bool counts;    /* gbcast told what it did */
  char last[256]; /* complaint of gbcast: each rank may have the same */
  unsigned told;  /* complaints of gbcast */
  unsigned hosts; /* of the file that have a rank */
  char plan[256]; /* of the broadcast */
} heard;

static bool begins(const char *line, const char *with) {
  return strncmp(line, with, strlen(with)) == 0;
}

/* Not what GBCAST_VERBOSE=1 tells of every job, nor what gb_doctor_settings() has found. */
static bool is_complaint(const char *line) {
  return !begins(line, "version ") && !begins(line, "  ") && strstr(line, " is no setting; ") == NULL &&
         strstr(line, " is taken to be the host ") == NULL;
}

static bool take_job(gb_doctor *d, char *line, void *context) {
  heard *h = context;
  if (gb_doctor_repeat(d, line))
    return true;
  if (sscanf(line, "gbcast-doctor-job: %u hosts", &h->hosts) == 1)
    return true;
  if (!begins(line, "gbcast: "))
    return false;
  line += strlen("gbcast: ");
  if (strstr(line, " ran on plans of gbcast, ") != NULL)
    h->counts = true;
  else if (begins(line, "broadcast of "))
    (void)snprintf(h->plan, sizeof h->plan, "%s", line);
  else if (is_complaint(line) && d->mistakes == 0 && strncmp(line, h->last, sizeof h->last - 1) != 0) {
    (void)snprintf(h->last, sizeof h->last, "%s", line);
    if (h->told++ < GB_DOCTOR_MOST)
      gb_doctor_say(d, GB_FAIL, "gbcast", "%s", line);
  }
  return true;
}

static bool take_link(gb_doctor *d, char *line, void *context) {
  unsigned *wrong = context;
  const size_t length = strlen(line);
  if (strstr(line, " checked in ") != NULL) {
    if (*wrong == 0)
      gb_doctor_say(d, GB_WELL, "links", "%s", line);
    return true;
  }
  if (length < strlen(" of it") || strcmp(line + length - strlen(" of it"), " of it") != 0)
    return false;
  if ((*wrong)++ < GB_DOCTOR_MOST)
    gb_doctor_say(d, GB_WARN, "links", "%s", line);
  return true;
}

static void check_links(gb_doctor *d) {
  unsigned wrong = 0;
  words c = begin(d);
  add(&c, d->bin, "/gbcast-probe");
  add(&c, "--quiet", "");
  add(&c, BUDGET, "");
  add(&c, "--check=", d->hosts);
  (void)run(d, &c, LINKS_MOST, "links", take_link, &wrong);
  release(&c);
  if (wrong > 0)
    gb_doctor_say(d, GB_WARN, "links",
                  "%u values of %s are not what is measured: 'gbcast-probe --hosts=%s -o %s' in such a job "
                  "writes them anew",
                  wrong, d->hosts, d->hosts, d->hosts);
}

/* Where it is installed, or beside this program in a build. */
static void add_program(const gb_doctor *d, words *c) {
  char path[2 * GB_DOCTOR_PATH];
  (void)snprintf(path, sizeof path, "%s/" GBCAST_PROGRAMS "/gbcast-doctor-job", d->bin);
  add(c, access(path, X_OK) == 0 ? path : d->bin, access(path, X_OK) == 0 ? "" : "/gbcast-doctor-job");
}

void gb_doctor_job(gb_doctor *d) {
  heard h = {0};
  words c = begin(d);
  if (d->preload[0] != '\0')
    add_library(d, &c);
  add(&c, "GBCAST_VERBOSE=1", "");
  add(&c, "GBCAST_CHECK=1", "");
  add(&c, "GBCAST_STATS=", "");
  add_program(d, &c);
  const int status = run(d, &c, JOB_MOST, "job", take_job, &h);
  release(&c);
  if (status == 0 && h.plan[0] != '\0')
    gb_doctor_say(d, GB_WELL, "gbcast", "%s", h.plan);
  else if (status == 0 && d->platform != NULL && !h.counts && h.told == 0)
    gb_doctor_say(d, GB_FAIL, "gbcast",
                  "the broadcast did not go through gbcast: is %s there on the host of rank 0?", d->preload);
  if (status != 0 || d->platform == NULL || h.told > 0)
    return;
  if (h.hosts > 1)
    check_links(d);
  else
    gb_doctor_say(d, GB_WELL, "links", "not measured: all ranks are on one host");
}
