/* Reads numbers with SimGrid's units: 125MBps, 10Gbps, 50us. Without a unit they are in bytes a second or in
 * seconds. */
#include "tools/import/simgrid.h"
#include <math.h>

typedef struct gb_simgrid_unit {
  const char *name;
  double factor;
} gb_simgrid_unit;

static const gb_simgrid_unit times[] = {{"", 1},       {"s", 1},  {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},
                                        {"ps", 1e-12}, {"m", 60}, {"h", 3600},  {"d", 86400}, {"w", 604800}};

/* Reads the number at the start of the text. *unit: what follows it. */
static bool read_number(const char *text, double *value, const char **unit) {
  const char *why = NULL;
  size_t length = strspn(text, "0123456789.");
  if ((text[length] == 'e' || text[length] == 'E') && length > 0) { /* an exponent, or the E of EBps */
    const size_t sign = length + 1 + (text[length + 1] == '-' || text[length + 1] == '+');
    const size_t digits = strspn(text + sign, "0123456789");
    length = digits > 0 ? sign + digits : length;
  }
  *unit = text + length;
  return gb_read_number(text, length, 0, value, &why) && isfinite(*value);
}

bool gb_simgrid_latency(const char *text, double *seconds) {
  const char *unit;
  if (!read_number(text, seconds, &unit))
    return false;
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    if (strcmp(unit, times[i].name) == 0) {
      *seconds *= times[i].factor;
      return *seconds <= GB_MOST_TIME;
    }
  return false;
}

/* The prefixes k, M, G, ... are powers of 1000; Ki, Mi, Gi, ... are powers of 1024. */
bool gb_simgrid_bandwidth(const char *text, double *rate) {
  static const char prefixes[] = "kMGTPE";
  const char *unit;
  if (!read_number(text, rate, &unit))
    return false;
  const char *prefix = *unit != '\0' ? strchr(prefixes, *unit == 'K' ? 'k' : *unit) : NULL;
  if (prefix != NULL) {
    const bool binary = unit[1] == 'i';
    for (const char *p = prefixes; p <= prefix; p++)
      *rate *= binary ? 1024 : 1000;
    unit += binary ? 2 : 1;
  }
  if (strcmp(unit, "bps") == 0)
    *rate /= 8;
  else if (strcmp(unit, "Bps") != 0 && (*unit != '\0' || prefix != NULL))
    return false;
  return *rate >= GB_LEAST_RATE && *rate <= GB_MOST_RATE;
}
