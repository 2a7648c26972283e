/* The hosts of a job: each list is rewritten as a hosts file. */
#include "platform/parse.h"
#include "platform/platform.h"
#include "platform/text/text.h"

#include <stdlib.h>
#include <string.h>

/* Splits the one line of a variable into words, which have the bytes of host names and those of `others`. */
static int read_words(gb_source *s, const char *text, const char *others) {
  int status = gb_lex_line(s, text, strlen(text));
  const char *hash = strchr(text, '#'); /* there are no comments here */
  if (status == GBCAST_OK && hash != NULL) {
    const gb_lexeme rest = {hash, strlen(hash), 1, (uint32_t)(hash - text) + 1};
    status = gb_expected(s, &rest, "the names of hosts");
  }
  for (uint32_t i = 0; status == GBCAST_OK && i < s->count; i++)
    status = gb_check_host_bytes(s, &s->word[i], others);
  return status == GBCAST_OK && s->count == 0 ? gb_expected(s, &s->word[0], "the names of hosts") : status;
}

static int read_count(gb_source *s, const gb_lexeme *w, uint32_t *count) {
  const char *why = NULL;
  return gb_read_count(w->text, w->length, count, &why) ? GBCAST_OK : gb_expected(s, w, "%s", why);
}

typedef struct slot_counts { /* 4(x2),3 */
  gb_source source;
  gb_lexeme rest;       /* what has not been read yet */
  uint32_t slots, left; /* of the item that was read last, and for how many hosts more */
  bool every;           /* there is only one number, for all hosts */
} slot_counts;

static int next_item(slot_counts *c) {
  gb_source *s = &c->source;
  const gb_lexeme rest = c->rest;
  const char *comma = memchr(rest.text, ',', rest.length);
  const gb_lexeme item = gb_lexeme_part(&rest, 0, comma != NULL ? (size_t)(comma - rest.text) : rest.length);
  const char *open = memchr(item.text, '(', item.length);
  const gb_lexeme slots = gb_lexeme_part(&item, 0, open != NULL ? (size_t)(open - item.text) : item.length);
  const gb_lexeme times = gb_lexeme_part(&item, slots.length, item.length - slots.length);
  int status = read_count(s, &slots, &c->slots);
  if (status != GBCAST_OK)
    return status;
  c->left = 1;
  if (times.length > 0) {
    if (times.length < 4 || times.text[1] != 'x' || times.text[times.length - 1] != ')')
      return gb_expected(s, &times, "a number of hosts such as (x2)");
    const gb_lexeme number = gb_lexeme_part(&times, 2, times.length - 3);
    status = read_count(s, &number, &c->left);
  }
  c->rest = gb_lexeme_part(&rest, item.length, rest.length - item.length);
  if (comma != NULL)
    c->rest = gb_lexeme_part(&c->rest, 1, c->rest.length - 1);
  return status == GBCAST_OK && comma != NULL && c->rest.length == 0
             ? gb_expected(s, &c->rest, "a number of slots")
             : status;
}

static int open_counts(slot_counts *c, const char *text, const char *name, gbcast_error *err) {
  c->source = (gb_source){.err = err, .file = name, .line = 1};
  c->rest = (gb_lexeme){text, strlen(text), 1, 1};
  c->every = strpbrk(text, ",(") == NULL;
  int status = next_item(c);
  if (c->every)
    c->left = UINT32_MAX;
  return status;
}

/* For one host. */
static int take_count(slot_counts *c, uint32_t *slots) {
  int status = GBCAST_OK;
  if (c->left == 0 && c->rest.length == 0)
    return gb_expected(&c->source, &c->rest, "a number of slots for each host of the job");
  if (c->left == 0)
    status = next_item(c);
  c->left -= status == GBCAST_OK;
  *slots = c->slots;
  return status;
}

static int close_counts(slot_counts *c) {
  if (c->every || (c->left == 0 && c->rest.length == 0))
    return GBCAST_OK;
  return gb_expected(&c->source, &c->rest, "numbers of slots for as many hosts as the job has");
}

typedef struct job_list {
  gb_source source;
  char *text; /* the hosts file */
  size_t length;
  FILE *out; /* into it */
  uint32_t hosts;
  slot_counts *counts; /* of a Slurm job, where it has any */
} job_list;

static int open_list(job_list *l, const char *name, gbcast_error *err) {
  *l = (job_list){.source = {.err = err, .file = name, .line = 1}};
  l->out = open_memstream(&l->text, &l->length);
  return l->out == NULL ? gb_no_memory(err) : GBCAST_OK;
}

/* Takes the status of what was read so far. */
static int close_list(job_list *l, int status, gbcast_platform **out) {
  const bool failed = l->out == NULL || ferror(l->out) != 0;
  if ((l->out != NULL && fclose(l->out) != 0) || (failed && status == GBCAST_OK))
    status = gb_no_memory(l->source.err);
  if (status == GBCAST_OK)
    status = gbcast_platform_parse(l->text, l->length, l->source.file, out, l->source.err);
  gb_source_release(&l->source);
  free(l->text);
  return status;
}

static int add_host(void *context, const char *name, size_t length) {
  job_list *l = context;
  uint32_t slots = 1;
  int status = l->counts != NULL ? take_count(l->counts, &slots) : GBCAST_OK;
  if (status == GBCAST_OK && ++l->hosts > GB_MAX_HOSTS)
    status = gb_expected(&l->source, &l->source.word[0], "at most %u hosts", GB_MAX_HOSTS);
  if (status == GBCAST_OK)
    fprintf(l->out, l->counts != NULL || gb_is_keyword(name) ? "%.*s:%u\n" : "%.*s\n", (int)length, name,
            slots);
  return status;
}

static int read_part(job_list *l, const gb_slurm_part *part) {
  slot_counts c = {0};
  l->source.file = part->nodes_name;
  l->counts = NULL;
  int status = read_words(&l->source, part->nodes, ",[]");
  if (status == GBCAST_OK && l->source.count > 1)
    status = gb_expected(&l->source, &l->source.word[1], "a list without blanks");
  if (status == GBCAST_OK && part->tasks != NULL) {
    status = open_counts(&c, part->tasks, part->tasks_name, l->source.err);
    l->counts = &c;
  }
  if (status == GBCAST_OK)
    status = gb_slurm_list(&l->source, &l->source.word[0], add_host, l);
  if (status == GBCAST_OK && part->tasks != NULL)
    status = close_counts(&c);
  l->counts = NULL;
  return status;
}

int gb_job_slurm(const gb_slurm_part *part, uint32_t parts, gbcast_platform **out, gbcast_error *err) {
  job_list l;
  int status = open_list(&l, part->nodes_name, err);
  for (uint32_t i = 0; status == GBCAST_OK && i < parts; i++)
    status = read_part(&l, &part[i]);
  l.source.file = part->nodes_name;
  return close_list(&l, status, out);
}

/* A word for each slot, or a word and a number for each host. */
static int read_lsf(const char *hosts, const char *name, bool counted, gbcast_platform **out,
                    gbcast_error *err) {
  job_list l;
  int status = open_list(&l, name, err);
  if (status == GBCAST_OK)
    status = read_words(&l.source, hosts, "");
  for (uint32_t i = 0; status == GBCAST_OK && i < l.source.count; i++) {
    const gb_lexeme *w = &l.source.word[i];
    uint32_t slots = 1;
    if (counted)
      status = read_count(&l.source, &l.source.word[++i], &slots);
    fprintf(l.out, "%.*s:%u\n", (int)w->length, w->text, slots);
  }
  return close_list(&l, status, out);
}

int gb_job_lsf_counts(const char *hosts, gbcast_platform **out, gbcast_error *err) {
  return read_lsf(hosts, "LSB_MCPU_HOSTS", true, out, err);
}

int gb_job_lsf_words(const char *hosts, gbcast_platform **out, gbcast_error *err) {
  return read_lsf(hosts, "LSB_HOSTS", false, out, err);
}

static void list_slots(const gbcast_platform *job, const uint32_t *host_of, uint32_t *rank_host) {
  for (uint32_t run = 0; run < job->run_count; run++)
    for (uint32_t i = gb_slot_run_length(job, run); i > 0; i--)
      *rank_host++ = host_of[job->run[run].host];
}

int gb_job_place(const gbcast_platform *p, const gbcast_platform *job, FILE *told, gb_job_places *places,
                 gbcast_error *err) {
  gb_matcher m;
  uint32_t *host_of = calloc(job->host_count, sizeof *host_of);
  places->ranks = calloc(p->host_count, sizeof *places->ranks);
  places->rank_host = malloc((size_t)job->slot_count * sizeof *places->rank_host);
  int status = gb_matcher_open(&m, p, err);
  if (status == GBCAST_OK && (host_of == NULL || places->ranks == NULL || places->rank_host == NULL))
    status = gb_no_memory(err);
  for (uint32_t h = 0; status == GBCAST_OK && h < job->host_count; h++) {
    bool assumed;
    status = gb_match(&m, "the job has", job->host[h].name, &host_of[h], &assumed, err);
    if (status != GBCAST_OK)
      break;
    places->ranks[host_of[h]] += job->host[h].slots;
    if (assumed && told != NULL)
      fprintf(told, "'%s' is taken to be the host '%s'\n", job->host[h].name, p->host[host_of[h]].name);
  }
  gb_matcher_close(&m);
  if (status == GBCAST_OK)
    list_slots(job, host_of, places->rank_host);
  else
    gb_job_places_release(places);
  free(host_of);
  return status;
}

void gb_job_places_release(gb_job_places *places) {
  free(places->ranks);
  free(places->rank_host);
  *places = (gb_job_places){0};
}
