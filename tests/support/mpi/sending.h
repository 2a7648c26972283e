/* Functions of a program's own in the place of MPI's that send. */
#ifndef GB_TESTS_SUPPORT_MPI_SENDING_H
#define GB_TESTS_SUPPORT_MPI_SENDING_H

/* NAME is called, which goes on to REAL after `first`, an expression of from, count, to and tag that may
 * change them. */
#define SENDING(name, real, first)                                                                           \
  int real(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,                   \
           MPI_Request *request);                                                                            \
  int name(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,                   \
           MPI_Request *request);                                                                            \
  int name(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,                   \
           MPI_Request *request) {                                                                           \
    first;                                                                                                   \
    return real(from, count, type, to, tag, comm, request);                                                  \
  }

#endif
