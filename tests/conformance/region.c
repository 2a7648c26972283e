/* A buffer for elements of any datatype, with bytes around them that nobody may touch. */
#include "region.h"
#include "record.h"
#include <stdlib.h>

enum { guard = 64 };

region region_new(MPI_Datatype type, MPI_Count first, MPI_Count end, uint64_t key) {
  MPI_Count lower, extent, true_lower = 0, true_extent = 0;
  must(MPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  must(MPI_Type_get_true_extent_x(type, &true_lower, &true_extent), "MPI_Type_get_true_extent_x");
  MPI_Count low = 0, high = 0; /* of the bytes that the elements lie in, from `at` */
  for (int i = 0; first < end && i < 2; i++) {
    MPI_Count begin = (i == 0 ? first : end - 1) * extent + true_lower;
    low = begin < low ? begin : low;
    high = begin + true_extent > high ? begin + true_extent : high;
  }
  region r = {.size = (size_t)(high - low) + 2 * (size_t)guard};
  r.memory = allocate(r.size);
  r.at = r.memory + guard - low;
  uint64_t state = key * 2 + 1;
  for (size_t i = 0; i < r.size; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    r.memory[i] = (unsigned char)(state >> 56);
  }
  return r;
}

void region_free(region *r) {
  free(r->memory);
}

uint64_t region_digest(const region *r) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < r->size; i++)
    hash = (hash ^ r->memory[i]) * 0x100000001b3u;
  return hash;
}

MPI_Datatype region_absolute(const region *r, int count, MPI_Datatype type) {
  MPI_Aint address;
  MPI_Datatype out;
  must(MPI_Get_address(r->at, &address), "MPI_Get_address");
  must(MPI_Type_create_hindexed(1, &count, &address, type, &out), "MPI_Type_create_hindexed");
  must(MPI_Type_commit(&out), "MPI_Type_commit");
  return out;
}
