/* Whether all ranks of the job have the preloaded library. If a path in LD_PRELOAD exists at one site only,
 * the ranks of other sites lack the library: they would never answer, and would call MPI's collectives
 * meanwhile. So rank 0 sends nothing to a rank that has not sent a HELLO:
 *
 *   rank r  -- HELLO, its host ->  rank 0     rank 0 waits some seconds for all HELLOs,
 *   rank r  <- READY ------------  rank 0     and until every READY has been received (MPI_Issend)
 *   rank r  <- ON or OFF --------  rank 0     or ON_WITH_THREADS, for GBCAST_PROGRESS=thread
 *
 * A rank that waits in vain cancels its receive for READY. Rank 0 notices that, so the answer is the same on
 * every rank; this is why a HELLO and an ON are not enough. All this happens in MPI_Init(), before the
 * program can send anything of its own. */
#include "mpi/pmpi/start.h"
#include "mpi/api/api.h"
#include "mpi/pmpi/roll.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 32717 };
enum { OFF, READY, ON, ON_WITH_THREADS, WORDS };
static const int word[WORDS] = {OFF, READY, ON,
                                ON_WITH_THREADS}; /* static, because a send may outlive the call */

/* Ranks leave MPI_Init() at nearly the same time. Other preloaded libraries delay some, and so do more ranks
 * than processors. */
#define PATIENCE 8.0       /* s, of rank 0 */
#define MORE_PATIENCE 10.0 /* s, of the others */

/* Waits until all requests have completed, or the time is up. *left: how many have not completed. */
static void await(int count, MPI_Request *request, double seconds, int *left) {
  const double until = PMPI_Wtime() + seconds;
  long nap = 1000; /* ns */
  *left = 0;
  for (int i = 0; i < count; i++)
    *left += request[i] != MPI_REQUEST_NULL;
  for (int i = 0; *left > 0; i = (i + 1) % count) {
    int done = 0;
    if (request[i] != MPI_REQUEST_NULL && PMPI_Test(&request[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return;
    *left -= done;
    if (done)
      nap = 1000;
    if (i + 1 < count || *left == 0)
      continue;
    if (PMPI_Wtime() > until)
      return;
    (void)nanosleep(&(struct timespec){0, nap}, NULL);
    nap = nap < 500000 ? 2 * nap : nap;
  }
}

/* Cancels a receive, unless it has completed; returns whether it has. */
static bool take_back(MPI_Request *request) {
  MPI_Status status;
  int cancelled = 1;
  if (*request == MPI_REQUEST_NULL)
    return true;
  (void)PMPI_Cancel(request);
  if (PMPI_Wait(request, &status) == MPI_SUCCESS)
    (void)PMPI_Test_cancelled(&status, &cancelled);
  return !cancelled;
}

/* Sends `answer` to each rank that is there. Ranks whose send is not complete when the time is up are not
 * there any more. */
static void answer_all(int size, bool *there, int answer, bool synchronous, MPI_Request *request) {
  int left;
  for (int r = 1; r < size; r++) {
    request[r] = MPI_REQUEST_NULL;
    if (there[r])
      (void)(synchronous ? PMPI_Issend : PMPI_Isend)(&word[answer], 1, MPI_INT, r, TAG, MPI_COMM_WORLD,
                                                     &request[r]);
  }
  await(size - 1, request + 1, PATIENCE, &left);
  for (int r = 1; r < size; r++)
    if (request[r] != MPI_REQUEST_NULL) {
      there[r] = false;
      (void)PMPI_Request_free(&request[r]);
    }
}

static bool all_there(int size, const bool *there) {
  for (int r = 1; r < size; r++)
    if (!there[r])
      return false;
  return true;
}

static int lead(int size, gb_roll *roll, MPI_Request *request) {
  int left, answer = OFF;
  for (int r = 1; r < size; r++) {
    request[r] = MPI_REQUEST_NULL;
    (void)PMPI_Irecv(roll->name[r], sizeof roll->name[r], MPI_BYTE, r, TAG, MPI_COMM_WORLD, &request[r]);
  }
  await(size - 1, request + 1, PATIENCE, &left);
  for (int r = 1; r < size; r++)
    roll->there[r] = take_back(&request[r]);
  const bool heard = all_there(size, roll->there);
  if (!heard)
    gb_roll_tell(roll, PATIENCE);
  else if (roll->wanted) {
    answer_all(size, roll->there, READY, true, request);
    if (all_there(size, roll->there))
      answer = roll->settings.progress_thread ? ON_WITH_THREADS : ON;
  }
  answer_all(size, roll->there, answer, false, request);
  return answer;
}

static int follow(int rank) {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length, left, answer = OFF;
  MPI_Request hello, heard;
  (void)PMPI_Get_processor_name(name, &length);
  if (PMPI_Irecv(&answer, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &heard) != MPI_SUCCESS)
    return OFF;
  if (PMPI_Isend(name, sizeof name, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &hello) != MPI_SUCCESS)
    hello = MPI_REQUEST_NULL;
  await(1, &heard, MORE_PATIENCE, &left);
  if (!take_back(&heard)) {
    gb_roll_tell_first(rank, MORE_PATIENCE);
    answer = OFF;
  }
  if (answer == READY && PMPI_Irecv(&answer, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &heard) == MPI_SUCCESS)
    while (heard != MPI_REQUEST_NULL)
      await(1, &heard, MORE_PATIENCE, &left);
  await(1, &hello, 0, &left);
  if (hello != MPI_REQUEST_NULL)
    (void)PMPI_Request_free(&hello); /* `name` was copied: it is short */
  return answer == READY ? OFF : answer;
}

static int agree(int rank, int size) {
  if (rank > 0)
    return follow(rank);
  gb_settings_tell_unknown();
  gb_roll roll;
  MPI_Request *request = malloc(sizeof *request * (size_t)size); // NOLINT(bugprone-sizeof-expression)
  int answer = OFF;
  if (gb_roll_open(size, &roll) && request != NULL)
    answer = lead(size, &roll, request);
  gb_roll_close(&roll);
  free(request);
  return answer;
}

/* Starts the progress thread. All ranks need one: those that have none would pass on to MPI what the others
 * take over. */
static void start_threads(gb_comm_registry *list, gb_preload *preload, int rank) {
  const int mine = gb_progress_thread_start(list);
  int all = 0;
  if (PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, preload->parent) == MPI_SUCCESS && all &&
      PMPI_Comm_dup(preload->parent, &preload->requests) == MPI_SUCCESS)
    (void)PMPI_Comm_set_errhandler(preload->requests, MPI_ERRORS_RETURN);
  if (mine && !all && rank == 0) /* what rank 0 itself lacks is printed when a communicator is set up */
    fprintf(stderr, "gbcast: some ranks have no thread for GBCAST_PROGRESS=thread: set it for all ranks. "
                    "Non-blocking calls are passed on to MPI\n");
}

/* GBCAST_TRACE of rank 0 holds for all, also where they never call on a communicator of all ranks. */
static void begin_trace(gb_job_report *report, const gb_preload *preload, int rank) {
  int wanted = rank == 0 && report->trace != NULL;
  if (PMPI_Bcast(&wanted, 1, MPI_INT, 0, preload->parent) != MPI_SUCCESS || !wanted)
    return;
  (void)gb_report_trace(report);
  gb_report_gather_over(report, preload->parent, false);
}

/* Errors of MPI end the job, as they do in MPI_Init(). The program has not done anything yet. */
static void begin_all(gb_preload *preload, bool with_threads, int rank) {
  gb_comm_registry *list;
  if (gb_attach_registry(&list) != MPI_SUCCESS ||
      PMPI_Comm_dup(MPI_COMM_WORLD, &preload->parent) != MPI_SUCCESS)
    return;
  (void)PMPI_Comm_set_errhandler(preload->parent, MPI_ERRORS_RETURN);
  if (list->report != NULL)
    begin_trace(list->report, preload, rank);
  if (gb_nodes_group(preload->parent, &preload->node) != MPI_SUCCESS)
    preload->node = MPI_GROUP_NULL;
  else
    (void)gb_nodes_first(preload->node, preload->parent, &preload->leader);
  if (with_threads)
    start_threads(list, preload, rank);
}

bool gb_start(gb_preload *preload) {
  int rank, size;
  if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
      PMPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS)
    return false;
  if (size < 2) {
    (void)gb_library_is_alone();
    return false;
  }
  const int answer = agree(rank, size);
  if (answer == OFF)
    return false;
  begin_all(preload, answer == ON_WITH_THREADS, rank);
  return true;
}
