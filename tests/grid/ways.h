/* The ways of a grid as a file lists them, one direction a line, and the devices that their packets enter and
 * leave by:
 *
 *   NAMESPACE DEVICE NAMESPACE DEVICE DELAY BITS QUEUE LOSS       way_settings' units
 *   |-- packets in | |- and out ----| */
#ifndef GRID_WAYS_H
#define GRID_WAYS_H

#include "way.h"

enum { WAYS_SPACE = 64, WAYS_DEVICE = 16 };

typedef struct end { /* a TUN device in a network namespace */
  char space[WAYS_SPACE], device[WAYS_DEVICE];
} end;

typedef struct route {
  end from, to;
  int in, out; /* file descriptors, once opened */
  way way;
} route;

typedef struct ways {
  size_t count;
  route *route;
} ways;

/* Each prints what is wrong to stderr and returns false. What is there is left as it is then. */
bool ways_read(const char *path, ways *out);

/* Opens the devices, each once, and returns to the namespace that it was called in. */
bool ways_open(ways *w);

/* New settings from a file with the same ends; packets on their way are not touched. */
bool ways_change(ways *w, const char *path);

#endif
