/* The routines of an all-to-all: each host's part of it as tables; or in two steps, which rank is at which
 * place. */
#include "plan/alltoall/alltoall.h"
#include "plan/codegen/emit.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct host_parts {
  const gb_alltoall *a; /* hosts of the platform take part, all of them */
  gb_exchange *part;    /* of each host */
  uint32_t hosts;
  uint32_t *own; /* ranks of each */
} host_parts;

static void count_signals(const gb_exchange_step *step, uint32_t steps, uint32_t *waits, uint32_t *signals) {
  for (uint32_t i = 0; i < steps; i++) {
    *waits = step[i].waits > *waits ? step[i].waits : *waits;
    *signals += step[i].waits + step[i].signals;
  }
}

/* *waits: raised to what any of its steps waits for. */
static uint32_t signals_of(const gb_exchange *part, uint32_t *waits) {
  uint32_t signals = 0;
  for (uint32_t t = 0; t < part->track_count; t++) {
    count_signals(part->track[t].send, part->track[t].send_count, waits, &signals);
    count_signals(part->track[t].receive, part->track[t].receive_count, waits, &signals);
  }
  return signals;
}

/* How many steps' sends of a track can be under way. */
static uint32_t sends_at_once(const gb_exchange_track *track) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < track->send_count; i++)
    most = track->send[i].ahead > most ? track->send[i].ahead : most;
  return most < track->send_count ? most + 1 : track->send_count;
}

static void emit_sizes(const gbcast_plan *plan, const host_parts *p, FILE *out) {
  uint32_t most = 0, waits = 0, tracks = 0, sends = 1;
  for (uint32_t h = 0; h < p->hosts; h++) {
    const gb_exchange *part = &p->part[h];
    most = p->own[h] > most ? p->own[h] : most;
    tracks = part->track_count > tracks ? part->track_count : tracks;
    for (uint32_t t = 0; t < part->track_count; t++) {
      const uint32_t at_once = sends_at_once(&part->track[t]);
      sends = at_once > sends ? at_once : sends;
    }
    (void)signals_of(part, &waits);
  }
  fprintf(out, "enum { RANKS = %" PRIu32 ", HOSTS = %" PRIu32 " };\n", plan->schedule.endpoint_count,
          p->hosts);
  fprintf(out, "enum { MOST = %" PRIu32 " }; /* ranks on one host */\n", most);
  fprintf(out, "enum { TRACKS = %" PRIu32 " }; /* of one host, side by side */\n", tracks);
  fprintf(out, "enum { WAITS = %" PRIu32 " }; /* the most words that a send waits for */\n", waits);
  fputs("enum { AHEAD = 16 }; /* steps for which receives are posted */\n", out);
  fprintf(out, "enum { SENDS = %" PRIu32 " }; /* steps whose sends are under way at once */\n", sends);
  fprintf(out, "enum { DUMMIES = %d }; /* 1: some steps only keep hosts in step */\n",
          p->a->sync.sync->dummies);
  fprintf(out, "enum { BARRIERS = %" PRIu32 ", BLOCK = %" PRIu32 " }; /* one after each BLOCK phases */\n",
          p->part[0].barriers, p->part[0].block);
  fputs("enum { TAG_BLOCK, TAG_DUMMY, TAG_COPY, TAG_WORD }; /* and one more for each further track */\n",
        out);
}

/* Where the ranks of each host follow each other by number, no table is needed. */
static void emit_ranks(const gb_ranks *ranks, const host_parts *p, FILE *out) {
  bool in_blocks = true;
  fputs("\n/* Ranks are listed host by host. */\n", out);
  gb_list list = gb_list_begin(out, "static const int first_rank[HOSTS + 1] = {");
  for (uint32_t h = 0, first = 0; h <= p->hosts; h++) {
    gb_list_add(&list, "%" PRIu32, first);
    for (uint32_t k = 0; h < p->hosts && k < p->own[h]; k++)
      in_blocks &= ranks->number[ranks->first[h] + k] == first++;
  }
  gb_list_end(&list, "};");
  if (in_blocks) {
    fputs("static int listed_rank(int i) {\n  return i;\n}\n", out);
    return;
  }
  list = gb_list_begin(out, "static const int rank_list[RANKS] = {");
  for (uint32_t h = 0; h < p->hosts; h++)
    for (uint32_t k = 0; k < p->own[h]; k++)
      gb_list_add(&list, "%" PRIu32, ranks->number[ranks->first[h] + k]);
  gb_list_end(&list, "};");
  fputs("static int listed_rank(int i) {\n  return rank_list[i];\n}\n", out);
}

/* Those that it signals are behind those that it waits for. */
static uint32_t first_host(const gb_exchange_step *step) {
  return step->waits > 0 ? step->wait : step->signal;
}

static void add_steps(gb_list *list, const gb_exchange_step *step, uint32_t steps, uint32_t signals) {
  for (uint32_t i = 0; i < steps; i++) {
    gb_list_add(list,
                "{%" PRIu32 ", %" PRIu32 ", %d, %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %.9g}",
                step[i].peer, step[i].phase, step[i].dummy, step[i].ahead, step[i].waits, step[i].signals,
                step[i].waits + step[i].signals > 0 ? signals + first_host(&step[i]) : 0, step[i].pace);
  }
}

/* The steps of all hosts, track after track, and where those of each track begin. */
static void emit_steps(const host_parts *p, bool sends, FILE *out) {
  gb_list list = gb_list_begin(out, sends ? "static const struct step send_step[] = {"
                                          : "static const struct step receive_step[] = {");
  uint32_t signals = 0, waits = 0, first = 0;
  for (uint32_t h = 0; h < p->hosts; h++) {
    const gb_exchange *part = &p->part[h];
    gb_list_line(&list, "host", h);
    for (uint32_t t = 0; t < part->track_count; t++) {
      const gb_exchange_track *track = &part->track[t];
      add_steps(&list, sends ? track->send : track->receive, sends ? track->send_count : track->receive_count,
                signals);
    }
    signals += signals_of(part, &waits);
  }
  gb_list_add(&list, "{-1, 0, 0, 0, 0, 0, 0, 0}");
  gb_list_end(&list, "};");
  list = gb_list_begin(out,
                       sends ? "static const int first_send[] = {" : "static const int first_receive[] = {");
  for (uint32_t h = 0; h < p->hosts; h++) {
    const gb_exchange *part = &p->part[h];
    for (uint32_t t = 0; t < part->track_count; t++) {
      gb_list_add(&list, "%" PRIu32, first);
      first += sends ? part->track[t].send_count : part->track[t].receive_count;
    }
  }
  gb_list_add(&list, "%" PRIu32, first);
  gb_list_end(&list, "};");
}

/* The number of each host's first track; the tracks of all hosts are numbered. */
static void emit_tracks(const host_parts *p, FILE *out) {
  fputs("\n/* Inside the host's cluster, and to others. Those of all hosts are numbered. */\n", out);
  gb_list list = gb_list_begin(out, "static const int first_track[HOSTS + 1] = {");
  for (uint32_t h = 0, first = 0; h <= p->hosts; h++) {
    gb_list_add(&list, "%" PRIu32, first);
    first += h < p->hosts ? p->part[h].track_count : 0;
  }
  gb_list_end(&list, "};");
}

static void emit_signals(const host_parts *p, FILE *out) {
  fputs("\n/* Hosts whose word a step waits for, then those that it tells; -1 behind the last. */\n", out);
  gb_list list = gb_list_begin(out, "static const int word[] = {");
  for (uint32_t h = 0; h < p->hosts; h++) {
    uint32_t waits = 0;
    const uint32_t signals = signals_of(&p->part[h], &waits);
    for (uint32_t i = 0; i < signals; i++)
      gb_list_add(&list, "%" PRIu32, p->part[h].signal_host[i]);
  }
  gb_list_add(&list, "-1");
  gb_list_end(&list, "};");
}

static void emit_tables(const gbcast_plan *plan, const gb_ranks *ranks, const host_parts *p, FILE *out) {
  emit_sizes(plan, p, out);
  emit_ranks(ranks, p, out);
  fputs("\n/* What a host sends, and what it receives, in this order: each rank its own blocks to all ranks "
        "of\n"
        " * `peer`. Before a send, `waits` hosts have to say that it may begin, and at most `ahead` before "
        "it may\n"
        " * be under way; when a step is over, `tells` hosts are told. These hosts are listed from "
        "word[word] on.\n"
        " * With a `pace` they are told when it begins, and the next send begins so many seconds a byte\n"
        " * later. */\n"
        "struct step {\n  int peer, phase, dummy, ahead, waits, tells, word;\n  double pace;\n};\n",
        out);
  emit_tracks(p, out);
  emit_steps(p, true, out);
  emit_steps(p, false, out);
  emit_signals(p, out);
}

int gb_emit_alltoall(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  host_parts p = {.a = plan->alltoall, .hosts = plan->platform->host_count};
  p.part = calloc(p.hosts, sizeof *p.part);
  p.own = calloc(p.hosts, sizeof *p.own);
  int rc = p.part == NULL || p.own == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  for (uint32_t e = 0; rc == GBCAST_OK && e < plan->schedule.endpoint_count; e++)
    p.own[plan->schedule.endpoint[e].host]++;
  for (uint32_t h = 0; rc == GBCAST_OK && h < p.hosts; h++)
    rc = p.own[h] > 0 ? gb_exchange_new(p.a, h, &p.part[h], NULL) : GBCAST_OK; /* a host without ranks */
  if (rc == GBCAST_OK)
    emit_tables(plan, ranks, &p, out);
  for (uint32_t h = 0; p.part != NULL && h < p.hosts; h++)
    gb_exchange_free(&p.part[h]);
  free(p.part);
  free(p.own);
  return rc;
}

int gb_emit_groups(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  gb_exchange part; /* of any host: the places are the same for all */
  const int rc = gb_exchange_new(plan->alltoall, plan->schedule.endpoint[0].host, &part, NULL);
  if (rc != GBCAST_OK)
    return rc;
  fprintf(out, "enum { RANKS = %" PRIu32 ", GROUP = %" PRIu32 " }; /* ranks in a group */\n", part.places,
          part.group);
  fputs("enum { TAG_BLOCK, TAG_COPY };\n\n/* The rank at each place; each GROUP in a row are a group. */\n",
        out);
  gb_list list = gb_list_begin(out, "static const int place[RANKS] = {");
  for (uint32_t p = 0; p < part.places; p++)
    gb_list_add(&list, "%" PRIu32, ranks->number[ranks->first[part.place[p]]]);
  gb_list_end(&list, "};");
  gb_exchange_free(&part);
  return GBCAST_OK;
}
