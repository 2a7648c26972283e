/* The schedule of a call, and whether it is run. */
#include "mpi/api/api.h"
#include <limits.h>

void gb_api_adopt(gb_comm *c) {
  if (c->wire.exec != NULL)
    gb_exec_look_for_offer(&c->wire);
  if (gb_epoch_take(c))
    gb_exec_look_for_failures(&c->wire);
  gb_epoch_check(c);
}

int gb_api_schedule(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_role **out) {
  gb_api_adopt(c);
  return gb_comm_schedule(c, operation, bytes, root, out);
}

/* MPI's own collectives count in int, so larger messages are always planned. */
bool gb_api_planned(gb_comm *c, const gb_role *role, size_t bytes) {
  const bool own = role->native && bytes <= INT_MAX;
  return !own && (c->wire.comm != MPI_COMM_NULL || gb_comm_duplicate(c, gb_exec_new(&c->wire)));
}
