/* Where the ranks of a job are, and how their clocks go: rank 0 knows it when it writes the trace. */
#ifndef GB_MPI_REPORT_PLACES_H
#define GB_MPI_REPORT_PLACES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Longer names are cut off. */
#define GB_PLACE_NAME 256

typedef struct gb_rank_place {
  bool placed; /* on a host of the hosts file; else the names are empty */
  char site[GB_PLACE_NAME], host[GB_PLACE_NAME];
  uint32_t site_number, host_number; /* in the order of the file */
  double ahead;                      /* s that its MPI_Wtime() is before that of rank 0 ... */
  double error;                      /* ... and how wrong that may be, s */
  double first;                      /* when its first event began, by its own clock; INFINITY: it has none */
  uint64_t events, dropped;
  /* found by rank 0: */
  uint32_t process, index; /* its site and itself in the order of sites, hosts and ranks, from 0 */
  uint32_t k;              /* its number among the ranks of its host, from 0 */
  bool numbered;           /* some host of its site has several ranks */
} gb_rank_place;

/* Fills in what is found of `size` ranks. false: no memory. */
bool gb_places_order(gb_rank_place *place, int size);

/* Writes the name of a rank as a plan's trace has it: HOST, or HOST#K. */
void gb_place_name(const gb_rank_place *place, int rank, char name[GB_PLACE_NAME + 16]);

/* Collective: each rank finds how far its clock is before that of rank 0. It sends rank 0 a few messages,
 * which answers with its time; what the fastest of them says is wrong by half of its round trip at most. An
 * MPI error code. */
int gb_clocks_compare(MPI_Comm comm, double *ahead, double *error);

#endif
