/* The datatypes that the cases are run with. */
#ifndef GB_CONFORMANCE_TYPES_H
#define GB_CONFORMANCE_TYPES_H

#include <mpi.h>

typedef struct named_type {
  const char *name;
  MPI_Datatype type;
  int units; /* one element has the signature of so many units of its family; a divisor of FAMILY_UNITS */
} named_type;

enum { TYPES_MOST = 96, FAMILY_UNITS = 12 };

typedef struct type_list {
  int count;
  named_type type[TYPES_MOST];
} type_list;

/* All predefined types that this MPI library has. */
void types_predefined(type_list *out);

/* Committed types of one signature: any two match when their units are as many. */
void types_ints(type_list *out);
void types_structs(type_list *out); /* a unit is (int, double, char) */
void types_free(type_list *list);

/* No data; with an extent, and without. */
void types_empty(type_list *out);

#endif
