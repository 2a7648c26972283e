/* Finds how the switches of a site are joined, once it is known which hosts each has.
 *
 *   A - B - C      data between A and C passes B                 B lies between A and C
 *
 *     A   C        all three share a switch that has no hosts    none lies between the others
 *      \ /
 *       o - B
 *
 * Streams from all hosts of a switch to hosts of all others fill each cable that leaves it. If they carry
 * more than streams to any single other switch, the switch has several cables. Then streams to two other
 * switches at the same time show whether it lies between them: if it does not, they share a cable. Two
 * switches with none between them are neighbours. Three or more that are all neighbours of each other share a
 * switch without hosts. */
#include "platform/text/text.h"
#include "probe/switches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two measurements of one cable differ by less than this factor. */
static const double MORE = 1.2;

enum {
  STREAMS_MOST = 16
}; /* at the same time: enough for a cable that carries 16 times as much as the link of a host */

typedef struct gb_wiring { /* the switches of one site */
  const gb_stream_bed *bed;
  const uint32_t *of;
  uint32_t hosts, count;
  double host;                                     /* what the link of a host carries, bytes/s */
  double pair[GB_SWITCHES_MOST][GB_SWITCHES_MOST]; /* streams from one switch to another, bytes/s */
  double out[GB_SWITCHES_MOST];                    /* streams from one to all others, bytes/s */
  bool between[GB_SWITCHES_MOST][GB_SWITCHES_MOST][GB_SWITCHES_MOST]; /* the first lies between the others */
} gb_wiring;

/* The i-th host of a switch; GB_NONE past the last. */
static uint32_t host_at(const gb_wiring *w, uint32_t sw, uint32_t i) {
  for (uint32_t h = 0; h < w->hosts; h++)
    if (w->of[h] == sw && i-- == 0)
      return h;
  return GB_NONE;
}

static uint32_t hosts_of(const gb_wiring *w, uint32_t sw) {
  uint32_t count = 0;
  for (uint32_t h = 0; h < w->hosts; h++)
    count += w->of[h] == sw;
  return count;
}

/* Measures what streams carry together (bytes/s), at best of some runs, from hosts of switch `from` to hosts
 * of the switches to[], which take turns. There are `most` streams, or fewer if there are not enough hosts.
 */
static int carry(const gb_wiring *w, uint32_t from, const uint32_t *to, uint32_t switches, uint32_t most,
                 double *rate) {
  gb_probe_stream stream[STREAMS_MOST];
  uint32_t count = 0;
  bool more = true;
  for (uint32_t turn = 0; more; turn++) {
    more = false;
    for (uint32_t i = 0; i < switches && count < most && count < STREAMS_MOST; i++) {
      const uint32_t sender = host_at(w, from, count), receiver = host_at(w, to[i], turn);
      if (sender == GB_NONE || receiver == GB_NONE)
        continue;
      stream[count++] = (gb_probe_stream){.from = sender, .to = receiver};
      more = true;
    }
  }
  int status = GBCAST_OK;
  *rate = 0;
  for (int k = 0; k < GB_SWITCH_RUNS && status == GBCAST_OK; k++) {
    double total = 0;
    status = w->bed->run(w->bed->state, stream, count);
    for (uint32_t i = 0; i < count; i++)
      total += stream[i].rate;
    *rate = fmax(*rate, total);
  }
  return status;
}

static int measure_cables(gb_wiring *w) {
  int status = GBCAST_OK;
  for (uint32_t a = 0; a < w->count; a++) {
    uint32_t other[GB_SWITCHES_MOST], others = 0;
    for (uint32_t b = 0; b < w->count; b++) {
      if (b != a)
        other[others++] = b;
      if (b <= a || w->count > GB_SWITCHES_JOINED || status != GBCAST_OK)
        continue;
      status = carry(w, a, &b, 1, STREAMS_MOST, &w->pair[a][b]);
      w->pair[b][a] = w->pair[a][b];
    }
    if (status == GBCAST_OK)
      status = carry(w, a, other, others, STREAMS_MOST, &w->out[a]);
  }
  return status;
}

/* Measures whether switch `a`, which has several cables, lies between b and c. If it does, b and c get
 * together what each gets alone; if not, no more than fits through the cable that they share. As many streams
 * go to each as fill its cable. */
static int ask_between(gb_wiring *w, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t to[2] = {b, c};
  const double cable = fmax(w->pair[a][b], w->pair[a][c]);
  const double enough = ceil(cable / w->host - 0.1), hosts = floor(hosts_of(w, a) / 2.0);
  const double each = fmin(enough, fmin(hosts, STREAMS_MOST / 2.0)) * w->host;
  const double apart = fmin(each, w->pair[a][b]) + fmin(each, w->pair[a][c]);
  double both = 0;
  const int status = carry(w, a, to, 2, (uint32_t)(2 * each / w->host + 0.5), &both);
  w->between[a][b][c] = w->between[a][c][b] = both > MORE * cable && both > (cable + apart) / 2;
  return status;
}

static int find_between(gb_wiring *w) {
  int status = GBCAST_OK;
  for (uint32_t a = 0; a < w->count; a++) {
    double most = 0;
    for (uint32_t b = 0; b < w->count; b++)
      most = w->pair[a][b] > most ? w->pair[a][b] : most;
    for (uint32_t b = 0; b < w->count && most > 0 && w->out[a] > MORE * most; b++)
      for (uint32_t c = b + 1; c < w->count && status == GBCAST_OK; c++)
        if (b != a && c != a)
          status = ask_between(w, a, b, c);
  }
  return status;
}

static bool are_neighbours(const gb_wiring *w, uint32_t b, uint32_t c) {
  for (uint32_t a = 0; a < w->count; a++)
    if (w->between[a][b][c])
      return false;
  return b != c;
}

typedef struct gb_cables { /* of the tree; only the second end of a cable may be a switch without hosts */
  uint32_t switches, count;
  uint32_t end[GB_SWITCHES_MOST * GB_SWITCHES_MOST][2];
  double carries[GB_SWITCHES_MOST * GB_SWITCHES_MOST];
} gb_cables;

static void add_cable(gb_cables *x, uint32_t a, uint32_t b, double carries) {
  x->end[x->count][0] = a;
  x->end[x->count][1] = b;
  x->carries[x->count++] = carries;
}

/* What the cable from switch `a` to a switch without hosts carries (bytes/s): as much as `a` sends to the
 * best of the others that are joined to it. */
static double carries_to(const gb_wiring *w, uint32_t a, const uint32_t *joined, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = w->pair[a][joined[i]] > most ? w->pair[a][joined[i]] : most;
  return w->out[a] > MORE * most ? most : w->out[a]; /* if it has no other cable: all that it sends */
}

/* Finds the largest sets of switches that are all neighbours of each other. Two share a cable; three or more
 * share a switch without hosts. */
static void find_cables(const gb_wiring *w, gb_cables *x) {
  bool done[GB_SWITCHES_MOST][GB_SWITCHES_MOST] = {{false}};
  x->switches = w->count;
  for (uint32_t a = 0; a < w->count; a++)
    for (uint32_t b = a + 1; b < w->count; b++) {
      uint32_t joined[GB_SWITCHES_MOST] = {a, b}, count = 2;
      if (done[a][b] || !are_neighbours(w, a, b))
        continue;
      for (uint32_t c = 0; c < w->count; c++) {
        bool all = true;
        for (uint32_t i = 0; i < count; i++)
          all = all && are_neighbours(w, c, joined[i]);
        if (all)
          joined[count++] = c;
      }
      for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
          done[joined[i]][joined[k]] = true;
      if (count == 2)
        add_cable(x, a, b, w->pair[a][b]);
      for (uint32_t i = 0; i < count && count > 2; i++)
        add_cable(x, joined[i], x->switches, carries_to(w, joined[i], joined, count));
      x->switches += count > 2;
    }
}

static void find_star(const gb_wiring *w, gb_switch_tree *tree) {
  tree->count = w->count;
  for (uint32_t a = 0; a < w->count; a++) {
    tree->uplink[a] = GB_NONE;
    tree->bandwidth[a] = w->out[a];
  }
}

/* Removes the site's core from the tree: in the hosts file it is no switch, and those below it have no
 * uplink. */
static void leave_core_out(uint32_t core, gb_switch_tree *tree) {
  for (uint32_t i = core; i + 1 < tree->count; i++) {
    tree->uplink[i] = tree->uplink[i + 1];
    tree->bandwidth[i] = tree->bandwidth[i + 1];
  }
  tree->count--;
  for (uint32_t i = 0; i < tree->count; i++)
    if (tree->uplink[i] != GB_NONE)
      tree->uplink[i] = tree->uplink[i] == core ? GB_NONE : tree->uplink[i] - (tree->uplink[i] > core);
}

/* Makes a rooted tree of the cables. The root is the first switch without hosts, which is the site's core, or
 * switch 0 if there is none. False: the cables form no tree. */
static bool hang(const gb_cables *x, uint32_t hosted, gb_switch_tree *tree) {
  const uint32_t top = x->switches > hosted ? hosted : 0;
  bool reached[GB_SWITCH_TREE_MOST] = {false};
  uint32_t found = 1;
  if (x->count + 1 != x->switches)
    return false;
  reached[top] = true;
  tree->count = x->switches;
  tree->uplink[top] = GB_NONE;
  tree->bandwidth[top] = 0;
  for (uint32_t before = 0; found > before;) {
    before = found;
    for (uint32_t i = 0; i < x->count; i++)
      for (int k = 0; k < 2; k++) {
        const uint32_t up = x->end[i][k], down = x->end[i][1 - k];
        if (!reached[up] || reached[down])
          continue;
        reached[down] = true;
        tree->uplink[down] = up;
        tree->bandwidth[down] = x->carries[i];
        found++;
      }
  }
  if (found == x->switches && top == hosted)
    leave_core_out(top, tree);
  return found == x->switches;
}

/* If the cables form no tree, measurements contradict each other. The result is then a star, which claims the
 * least. */
static void make_tree(const gb_wiring *w, gb_switch_tree *tree) {
  gb_cables *x = calloc(1, sizeof *x);
  if (x != NULL)
    find_cables(w, x);
  if (x == NULL || !hang(x, w->count, tree))
    find_star(w, tree);
  free(x);
}

int gb_probe_switch_tree(uint32_t hosts, const uint32_t *of, uint32_t count, const double *best,
                         const gb_stream_bed *bed, gb_switch_tree *tree, gbcast_error *err) {
  gb_wiring *w = calloc(1, sizeof *w);
  if (w == NULL)
    return gb_no_memory(err);
  w->bed = bed;
  w->of = of;
  w->hosts = hosts;
  w->count = count;
  w->host = best[0];
  for (uint32_t h = 1; h < hosts; h++)
    w->host = gb_smaller(w->host, best[h]);
  w->host = fmax(w->host, GB_LEAST_RATE); /* 0: of a host whose streams carried nothing */
  int status = measure_cables(w);
  if (status == GBCAST_OK)
    status = find_between(w);
  if (status == GBCAST_OK && count <= GB_SWITCHES_JOINED)
    make_tree(w, tree);
  else if (status == GBCAST_OK)
    find_star(w, tree);
  free(w);
  return status;
}
