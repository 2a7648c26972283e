/* An all-to-all as the engine runs it: this rank's part (plan/exchange.h), step after step.
 *
 *   sends     words come in --> blocks go out to all ranks of a host --> words go out --> next step
 *   receives  posted some steps ahead; when all blocks of a host are there --> words go out
 *
 * Blocks for this rank's own host wait for nobody. The tracks of a part go on side by side. */
#ifndef GB_MPI_EXCHANGING_H
#define GB_MPI_EXCHANGING_H

#include "mpi/run.h"
#include "mpi/types.h"

typedef struct gb_pile { /* blocks: that of rank r lies r * stride behind */
  void *at;              /* those that are sent are only read */
  MPI_Aint stride;
  gb_counted block;
} gb_pile;

typedef struct gb_exchanging_track gb_exchanging_track;

typedef struct gb_exchanging {
  gb_pile send, receive;
  bool nothing; /* blocks are empty, or MPI exchanges them: ranks only make sure that they agree */
  /* the engine's own, from 0 */
  gb_exchanging_track *track;
  gb_pile dummy;          /* takes in what is nobody's: stride 0 */
  uint32_t passed, round; /* barriers, and rounds of the next one; */
  bool in_round, unheard; /* this rank has spoken in it, and has not heard yet */
} gb_exchanging;

/* Begins with this rank's own host. An MPI error code. */
int gb_exchanging_begin(gb_run *run);
void gb_exchanging_end(gb_run *run);

/* Posts what can be posted now. When the call has failed that is all receives and no sends, so that what
 * others have begun to send can end. An MPI error code. */
int gb_exchanging_pump(gb_run *run);

/* A block or a word has come or gone. */
void gb_exchanging_done(gb_run *run, const gb_slot *slot, const MPI_Status *status);

/* Nothing is left to be posted. */
bool gb_exchanging_is_over(const gb_run *run);

#endif
