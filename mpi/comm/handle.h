/* Calls under way. A call is made of parts: each is a run of the executor, or MPI's own collective; when one
 * is over, `next` begins the next. A blocking call has its gb_handle on its stack and waits for it. A
 * non-blocking one gives it to the program, and puts it in the list of this process (handles.c), which every
 * call of the library works through. There it stays until the program has asked for its end.
 *
 *   part 0: the data           part 1: their checksums           over
 *   |-------run--------| next |-----run-----| next: compares them |
 */
#ifndef GB_MPI_COMM_HANDLE_H
#define GB_MPI_COMM_HANDLE_H

#include "mpi/comm/registry.h"
#include "mpi/exec/exec.h"
#include "mpi/report/report.h"
#include <stdatomic.h>

enum { GB_NATIVE_MOST = 2, GB_TYPES_MOST = 2 };

typedef struct gbcast_call gb_handle;
struct gbcast_call {
  MPI_Comm comm;
  gb_comm *c; /* NULL: the library does not plan on this communicator */

  /* the call, as the file of its operation sets it */
  enum gbcast_operation operation;
  size_t bytes;                      /* for which it is planned: the message, or a block */
  int root;                          /* a rank */
  unsigned runs;                     /* of the executor, without that of the checksums */
  bool never_native;                 /* MPI's own collective cannot take the arguments: the schedule is run */
  bool always_native;                /* gbcast cannot */
  bool uneven;                       /* an all-to-all whose blocks have lengths of their own */
  bool never_checked;                /* there are no checksums of its data */
  MPI_Datatype *type[GB_TYPES_MOST]; /* in the struct of which this is the first member: those of the
                                        arguments that are looked at; or NULL */
  /* Begins the next part: sets `run`, or `request` where `schedule` is NULL; if not, the call is over. An
   * error class, or the error code of MPI's call. */
  int (*next)(gb_handle *h);
  /* MPI's own collective, blocking, which calls the error handler itself. An error code, of MPI's call by
   * gb_handle_native(). */
  int (*native)(gb_handle *h);
  /* Frees what a call that is over holds, so that it can begin again. */
  void (*release)(gb_handle *h);
  gb_job_report *report; /* NULL: nobody wants to know what the call does */
  gb_call_record record; /* for it */

  /* while it is under way; all 0 at first */
  gb_rank_schedule *schedule; /* NULL: MPI's own collective is run */
  gb_run *run;
  gb_run *left; /* a run that has failed, of which MPI may still read what it has sent; or NULL */
  MPI_Request request[GB_NATIVE_MOST]; /* of MPI's own collectives */
  unsigned part;                       /* the next one */
  uint64_t number;                     /* of the next run */
  uint64_t hash;                       /* of the call, to be compared beside its first run ... */
  bool compares;                       /* ... if so */
  bool checked;                        /* GBCAST_CHECK, and there is something to check */
  bool raised;                         /* MPI's own collective has called the error handler */
  bool abandoned;   /* it has failed and is not over: what MPI may still use is not freed */
  int code;         /* once it is over */
  atomic_bool over; /* another thread that works through the list may still look at the call */

  /* of one that the program has a handle of */
  gb_comm_registry *registry; /* that has the list; NULL while the call is in none */
  bool keeps_types;           /* those of h->type are its own */
  bool persistent;
  bool active; /* begun, and its end not yet told to the program */
  bool listed;
  bool ending;                 /* over, and in the list until gb_handle_on_end()'s function has been called */
  gb_handle *previous, *later; /* in the list */
  gb_handle *next_ended;
  void (*ended)(gb_handle *h); /* or NULL: gb_handle_on_end() */
  void *told;
};

/* Whether MPI's own collective is to be run, if it can take the arguments. What an uneven all-to-all sends is
 * not known when it is planned. Inside one site a plan for other lengths may be slower than MPI. */
static inline bool gb_schedule_is_native(const gb_rank_schedule *schedule, bool uneven) {
  return schedule->native || (uneven && schedule->one_site);
}

/* Whether the call runs a schedule of gbcast rather than MPI's own collective; native: which is to be run.
 * Collective the first time that a schedule is to be run, because it then makes the duplicate; if that fails
 * with an error, returns true with the communicator poisoned. */
bool gb_handle_is_planned(gb_comm *c, bool native);

/* What MPI's own collective has returned: where that is an error, it has called the error handler. */
static inline int gb_handle_native(gb_handle *h, int rc) {
  h->raised |= rc != MPI_SUCCESS;
  return rc;
}

/* Makes h->run, the next run of the schedule. An error class. */
int gb_handle_run(gb_handle *h);

/* Both plan the call, whose arguments have been checked; collective the first times. The error class, which
 * has gone through the error handler. The first makes a blocking call. The second begins one that the program
 * has a handle of, which is then active; if it cannot begin, it leaves nothing behind. */
int gb_handle_call(gb_handle *h);
int gb_handle_start(gb_handle *h);

/* For a call that outlives the program's: replaces the types in h->type by ones of its own, as the program
 * may free its types meanwhile. An error class. */
int gb_handle_keep_types(gb_handle *h);
void gb_handle_free_types(gb_handle *h);

/* Releases what a call that is over holds. The error class, which has gone through the error handler. */
int gb_handle_release(gb_handle *h);

/* Whether it is over; lets all that are in the list get on. */
bool gb_handle_test(gb_handle *h);

/* For a call in the list whose end nobody waits for with gb_handle_test(): once it is over, its error handler
 * is called, it is taken out of the list and releases what it holds, except its reference of h->c, and then
 * ended(h) is called, which may free `h`: h->code is the error class. Any thread may do so. told: for
 * `ended`. */
void gb_handle_on_end(gb_handle *h, void (*ended)(gb_handle *h), void *told);

/* Lets all calls in the list of this process get on. */
void gb_handle_progress_all(gb_comm_registry *list);

/* Waits for a request while all calls in the list get on: another rank may wait
 * for one of them before it comes to what this one waits for. The request is of a function with a PMPI_ name,
 * as that of MPI_Ibcast() may be the preloaded library's. An MPI error code. */
int gb_handle_wait_for(gb_comm_registry *list, MPI_Request *request);

/* Waits for all listed calls of a communicator, of which nothing is under way then; or of all (NULL). */
void gb_handle_wait_all(gb_comm_registry *list, const gb_comm *c);

/* In MPI_Finalize(): waits for all, and raises their errors while that can be done. The program may still ask
 * for their ends. */
void gb_handle_end_all(gb_comm_registry *list);

/* GBCAST_PROGRESS=thread: a thread of this process that lets the calls in its list get on while the program
 * does something else. It sleeps while there are none. */

/* Starts the thread, if it does not run. false: MPI has not been initialised with MPI_THREAD_MULTIPLE, or
 * there can be no thread. */
bool gb_progress_thread_start(gb_comm_registry *list);

/* A call has been put in the list. */
void gb_progress_thread_wake(gb_comm_registry *list);

/* Ends the thread, if it runs. */
void gb_progress_thread_end(gb_comm_registry *list);

/* The rest is for handle.c, handles.c and decide.c. */

/* Finds the schedule of a call that begins now, or NULL: MPI's own collective is run. Collective the first
 * times. An error class. */
int gb_handle_plan(gb_handle *h);

/* Whether no listed call is under way, or being ended. Then no other thread touches what belongs to this
 * one's communicators. */
bool gb_handles_are_none(const gb_comm_registry *list);

/* Only one thread at a time lets calls get on, or changes the list. To unlock it also ends the calls of which
 * somebody is to be told that they are over. */
void gb_handles_lock(gb_comm_registry *list);
void gb_handles_unlock(gb_comm_registry *list);

/* Lets all get on, while the list is locked. */
void gb_handles_progress(gb_comm_registry *list);

/* Puts a call in the list, and lets all that are in it get on. */
void gb_handles_add(gb_handle *h);

/* Takes a call that is over out of the list, and releases what it holds. */
void gb_handles_take_out(gb_handle *h);

/* Waits for what a call that has failed has under way in the caller's buffers, while others get on; after its
 * error handler has been called, which may end the job. The list is not locked. */
void gb_handle_give_up(gb_handle *h);

/* Returns the error class of a call that is over, which goes through the error handler if MPI's own
 * collective has not called that. */
int gb_handle_raise(const gb_handle *h);

/* Lets one call get on. */
void gb_handle_progress(gb_handle *h);

#endif
