/* Setting a communicator up: rank 0 reads the settings and the hosts file, and every rank gets the same
 * inputs; and its duplicate, which carries all messages of plans. */
#ifndef GB_MPI_COMM_SETUP_H
#define GB_MPI_COMM_SETUP_H

#include "mpi/comm/state.h"
#include "mpi/job/job.h"

/* Local: makes a gb_comm that knows its rank and size. number: how many this process has made before. */
int gb_setup_new(MPI_Comm comm, gb_preload *preload, uint32_t number, gb_comm **out);

/* Collective: fills in all but the duplicate, or c->left. *alike: every rank returns the same error class,
 * and rank 0 has printed what is wrong; other errors are this rank's alone. An MPI error code. */
int gb_setup_make(gb_comm *c, bool *alike);

/* Collective: returns to what gb_setup_new() made. */
void gb_setup_reset(gb_comm *c);

/* Frees all of it, the duplicate too. NULL is allowed. */
void gb_setup_free(gb_comm *c);

/* Collective: makes c->wire.comm, which returns errors; or, on all ranks, it cannot be made, and c->left
 * passes all calls on to MPI. Rank 0 has printed why. able: this rank has the memory to use it. An MPI error
 * code, of this rank alone. */
int gb_comm_duplicate(gb_comm *c, bool able);

/* Collective: frees c->wire.comm, if there is one and no call has failed here. */
void gb_comm_free_duplicate(gb_comm *c);

/* Collective over c->user, and synchronising: when it returns MPI_SUCCESS every rank has called it, and *all
 * says whether `mine` was true on every rank. Meanwhile other calls of this process get on, because another
 * rank may need one of them before it votes. An MPI error code. */
int gb_vote(const gb_comm *c, bool mine, bool *all);

/* Collective. in->code says what is wrong with the inputs, which rank 0 has printed. An MPI error code, of
 * this rank alone: it has no inputs. */
int gb_fetch_inputs(gb_comm *c, gb_inputs *in);

/* Rank 0's part of that. It reads everything, places the ranks and, unless in->by_nodes is set, adds
 * GBCAST_PLAN; or it does so once the ranks have found their nodes, of which it makes a platform, or checks
 * that the ranks that were placed on one host are on one node. in->code says what is wrong, which is printed.
 * For the preloaded library calls are passed on to MPI then. */
void gb_read_inputs(gb_comm *c, gb_identity *all, gb_inputs *in);
void gb_read_nodes(gb_comm *c, const gb_identity *all, const int *leader, gb_inputs *in);

/* Shared-memory nodes. Without a hosts file each node is a host of one cluster. With one, they tell whether
 * ranks that report the same name are on the same host. */

/* Collective: on rank 0 *leader[r] is what gb_nodes_leader() gives on rank r. It is to be freed. */
int gb_nodes_gather(const gb_comm *c, int **leader);

/* Rank 0: adds the platform of the nodes and the host of each rank to `in`. A gbcast_status. */
int gb_nodes_describe(const gb_identity *all, const int *leader, int size, gb_inputs *in, gbcast_error *err);

/* Rank 0: checks that ranks which were placed on one host by its name share a node. `leader` says so or, if
 * it is NULL, their identities. *open: the identities do not say, so the ranks have to find their nodes.
 * GBCAST_EINPUT: they share no node; GBCAST_EMEMORY. */
int gb_nodes_check(const gb_identity *all, const int *leader, int size, const uint32_t *rank_host, bool *open,
                   gbcast_error *err);

#endif
