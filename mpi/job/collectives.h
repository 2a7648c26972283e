/* All collectives: a line for each, those with counts first; and the forms in which they are called. DO gets
 * the name of a collective, and that of MPI's. */
#ifndef GB_MPI_JOB_COLLECTIVES_H
#define GB_MPI_JOB_COLLECTIVES_H

#define GB_EACH_COUNTED(DO)                                                                                  \
  DO(bcast, Bcast)                                                                                           \
  DO(scatter, Scatter)                                                                                       \
  DO(scatterv, Scatterv)                                                                                     \
  DO(gather, Gather)                                                                                         \
  DO(gatherv, Gatherv)                                                                                       \
  DO(allgather, Allgather)                                                                                   \
  DO(allgatherv, Allgatherv)                                                                                 \
  DO(alltoall, Alltoall)                                                                                     \
  DO(alltoallv, Alltoallv)                                                                                   \
  DO(reduce, Reduce) DO(allreduce, Allreduce) DO(reduce_scatter_block, Reduce_scatter_block)

#define GB_EACH_COLLECTIVE(DO) GB_EACH_COUNTED(DO) DO(barrier, Barrier)

#define GB_CALL_KIND(name, title) GB_CALL_##name,
enum gb_call_kind { GB_EACH_COLLECTIVE(GB_CALL_KIND) GB_CALL_KINDS };

enum gb_call_form {
  GB_CALL_BLOCKING,
  GB_CALL_AT_ONCE, /* non-blocking */
  GB_CALL_LATER    /* persistent */
};

#endif
