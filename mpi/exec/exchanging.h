/* An all-to-all as the executor runs it: this rank's part (plan/alltoall/exchange.h), step after step. Steps
 * of several hosts are kept apart by empty synchronisation messages, "syncs".
 *
 *   sends     syncs come in --> blocks go out to all ranks of a host --> syncs go out --> next step
 *   receives  posted ahead; when all blocks of a host are there --> syncs go out
 *
 * Blocks for this rank's own host wait for nobody. The tracks of a part go on side by side.
 *
 * It takes a while from the end of a message until the next one, which waits for it, has begun: a sync, and
 * for long messages MPI's own handshake. So that links are not idle for so long, a step with a pace sends its
 * syncs when it begins, and who receives them waits for as long as the message takes:
 *
 *   this host   |============|           |=====
 *   who waits   `-> sync ... |============|
 *
 * In groups messages are put together of blocks and taken apart again in copies. */
#ifndef GB_MPI_EXEC_EXCHANGING_H
#define GB_MPI_EXEC_EXCHANGING_H

#include "mpi/exec/run.h"

/* What a message is for, by its tag among those of one call. What one rank sends another for the same stays
 * in order. */
enum { GB_FOR_BLOCK, GB_FOR_DUMMY, GB_FOR_BARRIER, GB_FOR_SYNC, GB_FOR_SYNC_MOST = 120 };

enum { GB_OWN_HOST = UINT32_MAX }; /* in place of a track */

typedef struct gb_exchanging_track {
  double next;               /* MPI_Wtime() from which the next paced send may begin */
  uint32_t begun, over;      /* sends: steps that have, and those that are, with all before them */
  bool asked;                /* the next one's syncs are expected: */
  unsigned syncs;            /* so many have not come; */
  bool heard;                /* and they all have, where that sets its time */
  unsigned *going;           /* by step: pieces that have not gone */
  uint32_t posted, received; /* receives: steps that were, and those that are done, with all before them */
  unsigned *left;            /* by step: pieces that have not come */
} gb_exchanging_track;

typedef struct gb_exchanging {
  const char *send; /* block after block */
  char *receive;
  bool nothing; /* blocks are empty: ranks only make sure that they agree */
  /* the executor's own, from 0 */
  bool begun;
  gb_exchanging_track *track;
  uint32_t own_left;      /* pieces from this rank's own host that have not come */
  char *dummy;            /* takes in what is nobody's */
  uint32_t passed, round; /* barriers, and rounds of the next one; */
  bool in_round, unheard; /* this rank has spoken in it, and has not heard yet */
  /* in groups: by rank; what each track sends and receives; how many of the two are over */
  uint32_t *place;
  char *staged_send[2], *staged_receive[2];
  uint32_t steps_over;
  /* first use, see agree.h */
  bool *announced; /* by rank: it has said what comes, or that nothing comes any more */
  uint32_t silent; /* how many have not */
} gb_exchanging;

static inline const gb_exchange *gb_exchanging_part(const gb_run *run) {
  return &run->schedule->exchange;
}

/* A run's exchange; its first use is not known yet to be one. An MPI error code. */
int gb_exchanging_begin(gb_run *run);
void gb_exchanging_end(gb_run *run);

/* Posts what can be posted now. When the call has failed that is no sends, but all receives that do not wait
 * to be announced, so that what others have begun to send can end. An MPI error code. */
int gb_exchanging_pump(gb_run *run);

/* Posts what a request is for, `at` its bytes. An MPI error code. */
int gb_exchanging_post(gb_run *run, gb_request request, void *at, unsigned use);

/* Goes on with the next barrier, or past it, as far as that goes now. An MPI error code. */
int gb_exchanging_pump_barriers(gb_run *run);

/* A block or a sync has come or gone. */
void gb_exchanging_done(gb_run *run, const gb_request *request);

/* Whether more is to come; when the call has failed, from those who have not said what comes. */
bool gb_exchanging_is_waiting(const gb_run *run);

/* Bytes of a message, and of the pieces of one that MPI would not take as a whole, but for the last. */
size_t gb_exchanging_length(const gb_run *run, uint32_t track);
size_t gb_exchanging_piece(const gb_run *run, uint32_t track);

/* In groups, exchanging_groups.c: puts together what is sent inside the group, or MPI_ERR_NO_MEM; passes on
 * what has come, and takes it apart in the end, each as soon as it is there; where a message lies. */
int gb_exchanging_group(gb_run *run);
int gb_exchanging_pass_on(gb_run *run);
char *gb_exchanging_staged(const gb_run *run, const gb_request *request, bool sent);

/* Posts what is received from request.peer in one step of a track, or as one of its own host. An MPI error
 * code.
 */
int gb_exchanging_receive(gb_run *run, gb_request request, bool dummy);

/* First use, exchanging_agree.c. Each returns an MPI error code, if any. */
int gb_exchanging_greet(gb_run *run); /* says HELLO */
/* Says START: a message of a track follows. */
int gb_exchanging_announce(gb_run *run, int to, uint32_t track);
/* `source` has said START, of the same call if `same`, or ABORT. Whether its block is to be expected. */
bool gb_exchanging_announced(gb_run *run, int source, bool same);
int gb_exchanging_expect(gb_run *run, int source);

#endif
