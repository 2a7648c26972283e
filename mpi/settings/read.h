/* The kinds of values that settings have. */
#ifndef GB_MPI_SETTINGS_READ_H
#define GB_MPI_SETTINGS_READ_H

#include "mpi/settings/settings.h"

gb_setting_reader gb_setting_text;    /* char * */
gb_setting_reader gb_setting_level;   /* int: a|b|c from 0 on; a greater number is the last */
gb_setting_reader gb_setting_choice;  /* int: which of the words that the table has, a|b|c, counted from 0 */
gb_setting_reader gb_setting_bytes;   /* uint64_t */
gb_setting_reader gb_setting_lanes;   /* uint32_t */
gb_setting_reader gb_setting_age;     /* double, s: whole and at least 1 */
gb_setting_reader gb_setting_seconds; /* double, s: 0 and fractions, too */
gb_setting_reader gb_setting_objective;  /* double: 0, INFINITY or s, as --objective of gbcast-plan */
gb_setting_reader gb_setting_sync;       /* char *, a --sync of gbcast-plan */
gb_setting_reader gb_setting_algorithms; /* INTER/INTRA, into both fields */

#endif
