/* An all-to-all in the executor: this rank's part (plan/alltoall/exchange.h), step by step. Steps of several
 * hosts are kept apart by empty synchronisation messages, "syncs".
 *
 *   sends     syncs arrive --> blocks are sent to all ranks of a host --> syncs are sent --> next step
 *   receives  posted ahead; when all blocks of a host have arrived --> syncs are sent
 *
 * Blocks for this rank's own host wait for nobody. The tracks of a part run side by side.
 *
 * Some time passes between the end of a message and the start of the next one that waits for it: a sync and,
 * for long messages, MPI's own handshake. So that links do not idle for so long, a step with a pace sends its
 * syncs when it begins, and whoever receives them waits for as long as the message takes:
 *
 *   this host   |============|           |=====
 *   who waits   `-> sync ... |============|
 *
 * In groups, messages are composed of several blocks, and taken apart again, in copies. */
#ifndef GB_MPI_EXEC_EXCHANGING_H
#define GB_MPI_EXEC_EXCHANGING_H

#include "mpi/exec/run.h"

/* What a message is for, which decides its tag in the call. Messages from one rank to another for the same
 * purpose stay in order. */
enum { GB_FOR_BLOCK, GB_FOR_DUMMY, GB_FOR_BARRIER, GB_FOR_SYNC, GB_FOR_SYNC_MOST = 120 };

enum { GB_OWN_HOST = UINT32_MAX }; /* in place of the number of a track */

typedef struct gb_exchanging_track {
  double next;               /* MPI_Wtime() from which the next paced send may begin */
  uint32_t begun, over;      /* sends: steps that have begun; steps that are over, with all before them */
  bool asked;                /* the receives for the next step's syncs are posted ... */
  unsigned syncs;            /* ... and so many have not arrived */
  bool heard;                /* all have, and its time is set, if its pace starts with them */
  unsigned *going;           /* by step: pieces that are not sent yet */
  uint32_t posted, received; /* receives: steps that are posted; steps that are done, with all before them */
  unsigned *left;            /* by step: pieces that have not arrived */
} gb_exchanging_track;

typedef struct gb_exchanging {
  const char *send; /* block after block */
  char *receive;
  /* the executor's own; all 0 at first */
  bool begun;
  gb_exchanging_track *track;
  uint32_t own_left;      /* pieces from this rank's own host that have not arrived */
  char *dummy;            /* receives dummy blocks */
  uint32_t passed, round; /* barriers that are over, and the round of the next one */
  bool in_round, unheard; /* in that round: this rank has sent its sync; it has not received one */
  /* in groups: the position of each rank; what each of the two tracks sends and receives; how many tracks are
   * over */
  uint32_t *place;
  char *staged_send[2], *staged_receive[2];
  uint32_t steps_over;
} gb_exchanging;

static inline const gb_exchange *gb_exchanging_part(const gb_run *run) {
  return &run->schedule->exchange;
}

/* Frees a run's exchange; does nothing where there is none. */
void gb_exchanging_end(gb_run *run);

/* Posts what can be posted now. An MPI error code. */
int gb_exchanging_pump(gb_run *run);

/* Posts the send or receive of a request, with its bytes at `at`; `use` is one of GB_FOR_.... An MPI error
 * code. */
int gb_exchanging_post(gb_run *run, gb_request request, void *at, unsigned use);

/* Continues the next barriers as far as is possible now. An MPI error code. */
int gb_exchanging_pump_barriers(gb_run *run);

/* A block or a sync has arrived or is sent. */
void gb_exchanging_done(gb_run *run, const gb_request *request);

/* Whether something is still to arrive or to be sent. */
bool gb_exchanging_is_waiting(const gb_run *run);

/* Bytes of a message of a track, and of its pieces if MPI does not take it as a whole (the last piece may be
 * shorter). */
size_t gb_exchanging_length(const gb_run *run, uint32_t track);
size_t gb_exchanging_piece(const gb_run *run, uint32_t track);

/* In groups (exchanging_groups.c). The first composes what is sent inside the group, the second passes on
 * what has arrived, and takes it apart in the end, each as soon as it can; the third says where a message
 * lies. MPI error codes, or MPI_ERR_NO_MEM. */
int gb_exchanging_group(gb_run *run);
int gb_exchanging_pass_on(gb_run *run);
char *gb_exchanging_staged(const gb_run *run, const gb_request *request, bool sent);

#endif
