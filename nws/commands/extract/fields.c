#include "nws/commands/extract/fields.h"

#include <strings.h>

static const struct field {
  const char *name, *title;
  uint32_t width;
} fields[GB_EXTRACT_FIELDS] = {
    [GB_EXTRACT_TIME] = {"time", "Time", 12},
    [GB_EXTRACT_MEASUREMENT] = {"measurement", "Measure", 12},
    [GB_EXTRACT_MAE_FORECAST] = {"mae_forecast", "MAE_Fore", 12},
    [GB_EXTRACT_MAE_ERROR] = {"mae_error", "MAE_Err", 12},
    [GB_EXTRACT_MAE_METHOD] = {"mae_method", "MAE_Method", 15},
    [GB_EXTRACT_MSE_FORECAST] = {"mse_forecast", "MSE_Fore", 12},
    [GB_EXTRACT_MSE_ERROR] = {"mse_error", "MSE_Err", 12},
    [GB_EXTRACT_MSE_METHOD] = {"mse_method", "MSE_Method", 15},
    [GB_EXTRACT_SOURCE] = {"source", "Source", 32},
    [GB_EXTRACT_DESTINATION] = {"destination", "Destination", 32},
    [GB_EXTRACT_RESOURCE] = {"resource", "Resource", 20},
};

static const struct resource {
  const char *name;
  bool one_host;
} resources[] = {
    {"availableCpu", true}, {"bandwidthTcp", false}, {"connectTimeTcp", false}, {"currentCpu", true},
    {"freeDisk", true},     {"freeMemory", true},    {"latencyTcp", false},
};

const char gb_extract_default_fields[] =
    "time,measurement,mae_forecast,mae_error,mse_forecast,mse_error,source,destination,resource";

const char *gb_extract_title(enum gb_extract_field field) {
  return fields[field].title;
}

uint32_t gb_extract_width(enum gb_extract_field field) {
  return fields[field].width;
}

bool gb_extract_read_columns(const char *list, gb_extract_columns *out, gb_view *wrong) {
  static const char between[] = ", \t";
  out->count = 0;
  *wrong = (gb_view){list, 0};
  for (const char *at = list + strspn(list, between); *at != '\0'; at += strspn(at, between)) {
    *wrong = (gb_view){at, strcspn(at, between)};
    uint32_t i = 0;
    while (i < GB_EXTRACT_FIELDS && strncasecmp(fields[i].name, at, wrong->length) != 0)
      i++;
    if (i == GB_EXTRACT_FIELDS || out->count == GB_EXTRACT_COLUMNS_MOST)
      return false;
    out->field[out->count++] = (enum gb_extract_field)i;
    at += wrong->length;
  }
  return out->count > 0;
}

void gb_extract_drop(gb_extract_columns *columns, enum gb_extract_field field) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < columns->count; i++)
    if (columns->field[i] != field)
      columns->field[kept++] = columns->field[i];
  columns->count = kept;
}

const char *gb_extract_resource(const char *name) {
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
    if (strncasecmp(resources[i].name, name, strlen(name)) == 0)
      return resources[i].name;
  return name;
}

bool gb_extract_has_target(const char *resource) {
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
    if (strcmp(resources[i].name, resource) == 0)
      return !resources[i].one_host;
  return true;
}
