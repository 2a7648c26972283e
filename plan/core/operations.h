/* The operations that are planned. A new one is a line here, and a constant in gbcast/plan.h. */
#ifndef GB_PLAN_CORE_OPERATIONS_H
#define GB_PLAN_CORE_OPERATIONS_H

#include <gbcast/plan.h>
#include <stdbool.h>

/* Which way the data of an operation go along the edges of its trees. */
enum gb_way {
  GB_WAY_DOWN, /* from the root to the leaves */
  GB_WAY_UP,   /* from the leaves to the root */
  GB_WAY_BOTH  /* up, and piece by piece down again */
};

/* What is different from one operation to another, for all who plan or show them. */
typedef struct gb_operation {
  const char *name;  /* "bcast", as in JSON and on the command line */
  const char *title; /* "Broadcast" */
  const char *noun;  /* "a broadcast" */
  const char *at;    /* what stands before the root: "from" */
  bool blocks;       /* an edge carries the blocks of those below it, not the whole message */
  enum gb_way way;
  bool parts; /* both ways: one way an edge carries the blocks of those below it, the other way all blocks */
  bool combines; /* operands meet on their way up, and become one */
  bool unsized;  /* nothing is moved that has a size; it is planned for one byte */
} gb_operation;

/* A line for each, in the order in which texts name them: DO gets the constant without GBCAST_, and what
 * gb_operation_table has of it. */
#define GB_EACH_OPERATION(DO)                                                                                \
  DO(BCAST, "bcast", "Broadcast", "a broadcast", "from", .way = GB_WAY_DOWN)                                 \
  DO(SCATTER, "scatter", "Scatter", "a scatter", "from", .way = GB_WAY_DOWN, .blocks = true)                 \
  DO(GATHER, "gather", "Gather", "a gather", "to", .way = GB_WAY_UP, .blocks = true)                         \
  DO(ALLGATHER, "allgather", "Allgather", "an allgather", "by way of", .way = GB_WAY_BOTH, .parts = true)    \
  DO(ALLTOALL, "alltoall", "All-to-all", "an all-to-all", NULL, .way = GB_WAY_DOWN, .blocks = true)          \
  DO(REDUCE, "reduce", "Reduction", "a reduction", "to", .way = GB_WAY_UP, .combines = true)                 \
  DO(ALLREDUCE, "allreduce", "Allreduce", "an allreduce", "by way of", .way = GB_WAY_BOTH, .combines = true) \
  DO(REDUCE_SCATTER, "reduce-scatter", "Reduce-scatter", "a reduce-scatter", "by way of",                    \
     .way = GB_WAY_BOTH, .parts = true, .combines = true)                                                    \
  DO(BARRIER, "barrier", "Barrier", "a barrier", "by way of", .way = GB_WAY_BOTH, .combines = true,          \
     .unsized = true)

#define GB_PLACE(constant, ...) GB_PLACE_##constant,
enum gb_operation_place { GB_EACH_OPERATION(GB_PLACE) GB_OPERATIONS }; /* in this order */
extern const gb_operation gb_operation_table[GB_OPERATIONS];           /* by enum gbcast_operation */

/* The operation of this name, or GB_OPERATIONS. */
unsigned gb_operation_find(const char *name);

/* Writes "bcast, scatter ... or barrier"; returns the text. */
#define GB_COMMA_NAME(constant, name, ...) ", " name
#define GB_OPERATION_NAMES (sizeof GB_EACH_OPERATION(GB_COMMA_NAME))
const char *gb_operation_names(char text[GB_OPERATION_NAMES]);

static inline bool gb_carries_blocks(enum gbcast_operation operation) {
  return gb_operation_table[operation].blocks;
}

static inline enum gb_way gb_way_of(enum gbcast_operation operation) {
  return gb_operation_table[operation].way;
}

static inline bool gb_combines(enum gbcast_operation operation) {
  return gb_operation_table[operation].combines;
}

static inline bool gb_has_size(enum gbcast_operation operation) {
  return !gb_operation_table[operation].unsized;
}

/* An allgather or a reduce-scatter, which take as long: each is the other one turned round. */
static inline bool gb_carries_parts(enum gbcast_operation operation) {
  return gb_operation_table[operation].parts;
}

/* Blocks go up, and all of them down. */
static inline bool gb_gathers_all(enum gbcast_operation operation) {
  return gb_carries_parts(operation) && !gb_combines(operation);
}

/* All blocks go up, combined, and down goes to each rank its own. */
static inline bool gb_scatters_result(enum gbcast_operation operation) {
  return gb_carries_parts(operation) && gb_combines(operation);
}

#endif
