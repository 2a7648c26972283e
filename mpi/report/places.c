/* Where the ranks of a job are, and how much their clocks differ. */
#include "mpi/report/places.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8, TAG = 1 };

static int by_place(const void *a, const void *b) {
  const gb_rank_place *x = *(const gb_rank_place *const *)a, *y = *(const gb_rank_place *const *)b;
  if (x->placed != y->placed)
    return x->placed ? -1 : 1;
  if (x->placed && x->site_number != y->site_number)
    return x->site_number < y->site_number ? -1 : 1;
  if (x->placed && x->host_number != y->host_number)
    return x->host_number < y->host_number ? -1 : 1;
  return x < y ? -1 : x > y; /* by rank: they lie in one array */
}

static bool same_site(const gb_rank_place *a, const gb_rank_place *b) {
  return a->placed == b->placed && (!a->placed || a->site_number == b->site_number);
}

static void number(gb_rank_place **order, int size) {
  for (int i = 0; i < size; i++) {
    gb_rank_place *p = order[i], *before = i > 0 ? order[i - 1] : NULL;
    const bool same = before != NULL && same_site(before, p);
    p->index = (uint32_t)i;
    p->process = before == NULL ? 0 : before->process + !same;
    p->k = same && p->placed && before->host_number == p->host_number ? before->k + 1 : 0;
  }
  for (int begin = 0, end; begin < size; begin = end) {
    bool several = false;
    for (end = begin; end < size && same_site(order[begin], order[end]); end++)
      several |= order[end]->k > 0;
    for (int i = begin; i < end; i++)
      order[i]->numbered = several;
  }
}

bool gb_places_order(gb_rank_place *place, int size) {
  gb_rank_place **order = malloc(sizeof *order * (size_t)size); // NOLINT(bugprone-sizeof-expression)
  if (order == NULL)
    return false;
  for (int r = 0; r < size; r++)
    order[r] = &place[r];
  qsort((void *)order, (size_t)size, sizeof *order, by_place); // NOLINT(bugprone-sizeof-expression)
  number(order, size);
  free((void *)order);
  return true;
}

void gb_place_name(const gb_rank_place *place, int rank, char name[GB_PLACE_NAME + 16]) {
  if (!place->placed)
    (void)snprintf(name, GB_PLACE_NAME + 16, "rank %d", rank);
  else if (place->numbered)
    (void)snprintf(name, GB_PLACE_NAME + 16, "%s#%u", place->host, place->k);
  else
    (void)snprintf(name, GB_PLACE_NAME + 16, "%s", place->host);
}

static int answer(MPI_Comm comm, int size) {
  int rc = MPI_SUCCESS;
  for (int i = 0; rc == MPI_SUCCESS && i < (size - 1) * ROUNDS; i++) {
    MPI_Status status;
    rc = MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG, comm, &status);
    double now = MPI_Wtime();
    if (rc == MPI_SUCCESS)
      rc = MPI_Send(&now, 1, MPI_DOUBLE, status.MPI_SOURCE, TAG, comm);
  }
  return rc;
}

static int ask(MPI_Comm comm, double *ahead, double *error) {
  int rc = MPI_SUCCESS;
  *error = INFINITY;
  for (int i = 0; rc == MPI_SUCCESS && i < ROUNDS; i++) {
    double theirs = 0;
    const double start = MPI_Wtime();
    rc = MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, comm);
    if (rc == MPI_SUCCESS)
      rc = MPI_Recv(&theirs, 1, MPI_DOUBLE, 0, TAG, comm, MPI_STATUS_IGNORE);
    const double half = (MPI_Wtime() - start) / 2;
    if (half < *error) {
      *error = half;
      *ahead = start + half - theirs;
    }
  }
  return rc;
}

int gb_clocks_compare(MPI_Comm comm, double *ahead, double *error) {
  int rank, size, rc = PMPI_Comm_rank(comm, &rank);
  *ahead = *error = 0;
  if (rc == MPI_SUCCESS)
    rc = PMPI_Comm_size(comm, &size);
  if (rc != MPI_SUCCESS)
    return rc;
  return rank == 0 ? answer(comm, size) : ask(comm, ahead, error);
}
