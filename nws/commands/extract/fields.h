/* What a row of nws_extract can hold, and the names that its users abbreviate. */
#ifndef GB_NWS_COMMANDS_EXTRACT_FIELDS_H
#define GB_NWS_COMMANDS_EXTRACT_FIELDS_H

#include "nws/wire/wire.h"

#include <stdint.h>

enum gb_extract_field {
  GB_EXTRACT_TIME,
  GB_EXTRACT_MEASUREMENT,
  GB_EXTRACT_MAE_FORECAST,
  GB_EXTRACT_MAE_ERROR,
  GB_EXTRACT_MAE_METHOD,
  GB_EXTRACT_MSE_FORECAST,
  GB_EXTRACT_MSE_ERROR,
  GB_EXTRACT_MSE_METHOD,
  GB_EXTRACT_SOURCE,
  GB_EXTRACT_DESTINATION,
  GB_EXTRACT_RESOURCE,
  GB_EXTRACT_FIELDS
};

#define GB_EXTRACT_COLUMNS_MOST 32u /* a field may be asked for more than once */

typedef struct gb_extract_columns {
  enum gb_extract_field field[GB_EXTRACT_COLUMNS_MOST];
  uint32_t count;
} gb_extract_columns;

extern const char gb_extract_default_fields[];

const char *gb_extract_title(enum gb_extract_field field);
uint32_t gb_extract_width(enum gb_extract_field field); /* with the blank behind it */

/* Names between commas or blanks, in any case, each the first field that it abbreviates. False: *wrong is the
 * word that is none, or that is one too many, or empty when there is no word at all. */
bool gb_extract_read_columns(const char *list, gb_extract_columns *out, gb_view *wrong);

void gb_extract_drop(gb_extract_columns *columns, enum gb_extract_field field);

/* The first resource of the Network Weather Service that `name` abbreviates, in any case; `name` itself when
 * it is none of these. */
const char *gb_extract_resource(const char *name);

/* Whether a series of this resource can have a target; false for what is measured on one host. */
bool gb_extract_has_target(const char *resource);

#endif
