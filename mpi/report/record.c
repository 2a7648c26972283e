/* The names of calls, and the reasons why they are passed on to MPI. */
#include "mpi/report/record.h"
#include <stdio.h>

static const struct {
  const char *word, *why;
} passed[GB_PASSED_WAYS] = {
    [GB_PASSED_NOT] = {"planned", "it ran on a plan of gbcast"},
    [GB_PASSED_DISABLED] = {"disabled", "GBCAST_DISABLE is set"},
    [GB_PASSED_NO_HOSTS] = {"no_hosts_file", "there is no hosts file: GBCAST_HOSTS is not set"},
    [GB_PASSED_NOT_ALL] = {"not_on_all_ranks", "some ranks lack the preloaded library"},
    [GB_PASSED_REFUSED] = {"refused", "the settings or the hosts file cannot be used; see the message above"},
    [GB_PASSED_ONE_CLUSTER] = {"one_cluster",
                               "inside one cluster MPI's own collective is predicted to be as fast"},
    [GB_PASSED_PLANNER] = {"planner", "MPI's own collective is predicted to be as fast"},
    [GB_PASSED_OPERATOR] = {"operator",
                            "gbcast cannot combine with this operator, or cannot combine this datatype"},
    [GB_PASSED_EARLY] = {"early", "a non-blocking call came before a blocking one on its communicator"},
    [GB_PASSED_NO_THREAD] = {"no_thread", "a non-blocking call needs GBCAST_PROGRESS=thread"},
    [GB_PASSED_ALONE] = {"one_rank", "the communicator has one rank"},
    [GB_PASSED_INTER] = {"inter_communicator", "the communicator is an inter-communicator"},
    [GB_PASSED_WORLDS] = {"several_worlds", "the communicator has ranks of several MPI_COMM_WORLDs"},
    [GB_PASSED_FULL] = {"no_communicator", "MPI has no communicator left for gbcast's messages"},
    [GB_PASSED_ARGUMENT] = {"argument", "an argument is wrong, which MPI reports"},
    [GB_PASSED_ENDING] = {"finalizing", "the call was made in MPI_Finalize"},
};

const char *gb_passed_word(enum gb_passed why) {
  return passed[why].word;
}

const char *gb_passed_why(enum gb_passed why) {
  return passed[why].why;
}

void gb_call_name(enum gb_call_kind kind, enum gb_call_form form, bool own, char name[GB_CALL_NAME]) {
#define GB_BOTH_NAMES(lower, title) {#lower, #title},
  static const struct { const char *lower, *title; } both[] = {GB_EACH_COLLECTIVE(GB_BOTH_NAMES)};
  const bool at_once = form == GB_CALL_AT_ONCE, later = form == GB_CALL_LATER;
  if (own)
    (void)snprintf(name, GB_CALL_NAME, "gbcast_%s%s%s", at_once ? "i" : "", both[kind].lower,
                   later ? "_init" : "");
  else
    (void)snprintf(name, GB_CALL_NAME, "MPI_%s%s", at_once ? "I" : "",
                   at_once ? both[kind].lower : both[kind].title);
}

bool gb_call_has_class(enum gb_call_kind kind) {
  return kind != GB_CALL_scatterv && kind != GB_CALL_gatherv && kind != GB_CALL_alltoallv &&
         kind != GB_CALL_barrier;
}
