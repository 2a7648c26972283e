/* What the files that read a hosts file share. First every line is read into the platform that is being made,
 * with names interned at their first mention; then gb_build does what needs the whole file. */
#ifndef GB_PLATFORM_PARSE_H
#define GB_PLATFORM_PARSE_H

#include "platform/platform.h"

#define GB_DEFAULT_LATENCY 50e-6
#define GB_DEFAULT_BANDWIDTH 125e6
#define GB_DEFAULT_CONTENTION 0.3

typedef struct gb_storage { /* platform->storage */
  gb_arena arena;
  gb_names hosts, clusters; /* numbers are the indices in the platform */
  bool cluster_lines;       /* some line begins with `cluster` */
} gb_storage;

typedef struct gb_cluster_note { /* what is only known while reading, by cluster */
  bool declared;
  bool line; /* by a cluster line: its defaults are reported one by one */
  bool latency, bandwidth, overhead, contention;
  bool topology;    /* each of its hosts must be on a switch */
  gb_lexeme leader; /* length 0: none */
} gb_cluster_note;

typedef struct gb_symbol { /* a switch name inside one cluster, declared or not yet */
  const char *name;
  uint32_t sw; /* GB_NONE until declared */
  gb_place where;
} gb_symbol;

typedef struct gb_switch_note { /* by switch */
  uint32_t uplink;              /* symbol or GB_NONE */
  gb_place uplink_at;
} gb_switch_note;

typedef struct gb_raw_plogp {
  uint32_t from, to; /* the same for a cluster's own */
  gb_plogp_point point;
  gb_place where; /* of the name that needs the link */
} gb_raw_plogp;

typedef struct gb_raw_link {
  gb_link link;
  bool directed; /* A -> B, which overrides A B */
} gb_raw_link;

typedef struct gb_nodes { /* Nodes= of one switch of a topology file */
  uint32_t topology, symbol;
  gb_lexeme list;
} gb_nodes;

typedef struct gb_child { /* Switches= of a topology file: one of them */
  uint32_t child, parent; /* symbols */
  uint32_t topology;
  uint32_t line, column; /* of the list */
} gb_child;

typedef struct gb_topology {
  const char *name; /* as the hosts file writes it */
  char *text;       /* of the file; nodes[].list points into it */
  uint32_t cluster; /* GB_NONE without cluster lines */
  gb_place where;   /* of its mention in the hosts file */
} gb_topology;

typedef struct gb_parser {
  gb_source source;
  gb_mistake_sink *report; /* NULL: reading stops at the first mistake */
  void *context;
  uint32_t mistakes;     /* reported so far */
  bool keyword_misspelt; /* by a mistake: what the next hosts belong to is unknown */
  gbcast_platform *p;
  gb_storage *s;
  bool link_lines;
  uint32_t cluster; /* of the last cluster line, or GB_NONE */
  uint32_t symbol;  /* of the last switch line, or GB_NONE */
  uint32_t host_capacity, run_capacity, switch_capacity, cluster_capacity;
  uint32_t default_slots; /* hosts without a count */
  gb_cluster_note *cluster_note;
  uint32_t cluster_note_capacity;
  gb_switch_note *switch_note;
  uint32_t switch_note_capacity;
  gb_names switch_names, seen, unknown; /* seen: directions and sizes; unknown: keys reported */
  gb_symbol *symbols;
  uint32_t symbol_count, symbol_capacity;
  gb_raw_plogp *plogp;
  uint32_t plogp_count, plogp_capacity;
  gb_raw_link *link;
  uint32_t link_count, link_capacity;
  gb_topology *topology;
  uint32_t topology_count, topology_capacity;
  gb_child *child;
  uint32_t child_count, child_capacity;
  gb_nodes *nodes;
  uint32_t nodes_count, nodes_capacity;
} gb_parser;

/* Parse one kind of line each; its words are in q->source. */
int gb_parse_host(gb_parser *q);
int gb_parse_cluster(gb_parser *q);
int gb_parse_switch(gb_parser *q);
int gb_parse_link(gb_parser *q);
int gb_parse_plogp(gb_parser *q);
int gb_parse_topology(gb_parser *q);

/* The number of a name, made at its first mention. */
int gb_intern_cluster(gb_parser *q, const char *name, size_t length, const gb_place *where,
                      uint32_t *cluster);
int gb_intern_symbol(gb_parser *q, uint32_t cluster, const gb_lexeme *name, const gb_place *where,
                     uint32_t *symbol);

/* Adds a switch under its symbol; its name is taken from there. */
int gb_add_switch(gb_parser *q, uint32_t symbol, uint32_t cluster, const gb_place *where);

/* Everything that needs the whole file, in this order. */
int gb_build(gb_parser *q);
int gb_build_topologies(gb_parser *q); /* Nodes= and Switches= to hosts and switches */
int gb_build_switches(gb_parser *q);
int gb_build_links(gb_parser *q);
int gb_build_reach(gb_parser *q); /* every site reaches every other */
int gb_build_notes(gb_parser *q);

__attribute__((format(printf, 2, 3))) int gb_note(gb_parser *q, const char *format, ...);
__attribute__((format(printf, 2, 3))) int gb_warn(gb_parser *q, const char *format, ...);

/* The keyword that a word at the start of a line is like, in any letter case; NULL: none. */
const char *gb_nearest_keyword(const gb_lexeme *word);

/* Where mistakes are reported, reports the one that made `status` and returns GBCAST_OK, to go on behind it.
 */
int gb_mistake(gb_parser *q, int status);

#endif
