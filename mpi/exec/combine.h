/* Combining what comes up a tree. */
#ifndef GB_MPI_EXEC_COMBINE_H
#define GB_MPI_EXEC_COMBINE_H

#include "mpi/exec/run.h"

/* Combines what can be combined now, and posts receives for what has room then. An MPI error code. */
int gb_combine(gb_run *run, gb_tree_stream *s);

/* What is ready in a tree is that of the tree that it feeds, which is returned; NULL: it feeds none. */
gb_tree_stream *gb_feed(gb_run *run, const gb_tree_stream *s);

#endif
