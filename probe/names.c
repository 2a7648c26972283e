/* Names a site whose hosts have no domain after the beginning of their names.
 *
 *   lyon-1 lyon-2 | oslo1 oslo2     lyon, oslo
 *   a1 a2 | ab1                     no name for a1 and a2, since ab1 begins with a, too */
#include "platform/text/text.h"
#include "probe/analysis.h"

static bool is_letter(char c) {
  return gb_is_host_byte(c) && strchr("0123456789-_", c) == NULL;
}

size_t gb_probe_prefix(const char *const *name, const uint32_t *of, uint32_t hosts, uint32_t group,
                       const char **prefix) {
  size_t length = 0;
  bool any = false;
  *prefix = "";
  for (uint32_t h = 0; h < hosts; h++) {
    size_t same = 0;
    if (strchr(name[h], '.') != NULL)
      return 0;
    if (of[h] != group)
      continue;
    length = any ? length : strlen(name[h]);
    *prefix = any ? *prefix : name[h];
    any = true;
    while (same < length && name[h][same] == (*prefix)[same])
      same++;
    length = same;
  }
  while (length > 0 && !is_letter((*prefix)[length - 1]))
    length--;
  for (uint32_t h = 0; h < hosts; h++)
    if (of[h] != group && strncmp(name[h], *prefix, length) == 0)
      return 0;
  return length;
}
