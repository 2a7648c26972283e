/* What the user sees. */
#ifndef GB_TOOLS_CP_REPORT_H
#define GB_TOOLS_CP_REPORT_H

#include "tools/cp/copy.h"

enum { GB_CP_HOST = 64 }; /* bytes of a host's name, as far as it is told */

enum gb_cp_state {
  GB_CP_WRITTEN,
  GB_CP_SAME, /* another rank writes this file, or it is the source */
  GB_CP_FAILED
};

typedef struct gb_cp_result { /* of a rank */
  enum gb_cp_state state;
  char host[GB_CP_HOST];
  char message[448]; /* why it failed */
} gb_cp_result;

/* Collective: starts the clock. Rank 0 predicts how long the copy takes, and says so on a terminal. */
void gb_cp_report_begin(gb_cp_copy *copy);

/* Shows progress on the terminal of rank 0: the slowest rank, and how many bytes it has written. */
void gb_cp_show(gb_cp_copy *copy, uint64_t least, int slowest);

/* Stops the clock, and clears the progress on the terminal. */
void gb_cp_report_end(gb_cp_copy *copy);

/* Collective in `all`: rank 0 says what came of the copy. 0: it is everywhere; 1: not; on all ranks. */
int gb_cp_report(gb_cp_copy *copy, MPI_Comm all, const gb_cp_result *own);

#endif
