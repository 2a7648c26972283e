/* Where the ranks of a job are, and how much their clocks differ. Rank 0 needs this to write the trace. */
#ifndef GB_MPI_REPORT_PLACES_H
#define GB_MPI_REPORT_PLACES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes of a name with its NUL; longer names are cut off. */
#define GB_PLACE_NAME 256

typedef struct gb_rank_place {
  bool placed; /* the rank is on a host of the hosts file; if not, the names are empty */
  char site[GB_PLACE_NAME], host[GB_PLACE_NAME];
  uint32_t site_number, host_number; /* in the order of the file */
  double ahead;                      /* its MPI_Wtime() minus that of rank 0, s */
  double error;                      /* by how much `ahead` may be wrong, s */
  double first;                      /* when its first event began, by its own clock; INFINITY: no events */
  uint64_t events, dropped;
  /* set by gb_places_order(): */
  uint32_t process, index; /* numbers of its site and of itself, by site, host and rank, from 0 */
  uint32_t k;              /* its number among the ranks of its host, from 0 */
  bool numbered;           /* its name needs that number: some host of its site has several ranks */
} gb_rank_place;

/* Sets the last members of each of the `size` ranks from the others. False: out of memory. */
bool gb_places_order(gb_rank_place *place, int size);

/* Writes the name of a rank as in the trace of a plan: HOST or HOST#K; without a host "rank N". */
void gb_place_name(const gb_rank_place *place, int rank, char name[GB_PLACE_NAME + 16]);

/* Collective. Each rank finds how far its clock is ahead of that of rank 0, as in gb_rank_place (s). It sends
 * a few messages to rank 0, which answers each with its time. The fastest answer counts; it is wrong by at
 * most half of its round trip. Returns an MPI error code. */
int gb_clocks_compare(MPI_Comm comm, double *ahead, double *error);

#endif
