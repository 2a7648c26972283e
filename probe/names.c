/* Names a site after its hosts.
 *
 *   a1.west a2.west | a1.east         west, east: the domain of its hosts, and of no others
 *   lyon-1 lyon-2 | oslo1 oslo2       lyon, oslo: the beginning of their names, if no host has a domain
 *   a1 a2 | ab1 ab2                   no name for a1 and a2, since others begin with a, too; ab
 *   ip-10-0-0-1 | ip-10-0-0-2         the name of the only host */
#include "platform/text/text.h"
#include "probe/analysis.h"

/* Returns the domain of the group, or NULL. */
static const char *own_domain(const char *const *name, const uint32_t *of, uint32_t hosts, uint32_t group) {
  const char *domain = NULL;
  for (int inside = 1; inside >= 0; inside--)
    for (uint32_t h = 0; h < hosts; h++) {
      const char *dot = strchr(name[h], '.');
      if ((of[h] == group) != (inside == 1))
        continue;
      const bool same = dot != NULL && domain != NULL && strcmp(dot + 1, domain) == 0;
      if (inside == 1 && (dot == NULL || dot[1] == '\0' || (domain != NULL && !same)))
        return NULL;
      if (inside == 0 && same)
        return NULL;
      domain = inside == 1 ? dot + 1 : domain;
    }
  return domain;
}

static bool is_letter(char c) {
  return gb_is_host_byte(c) && strchr("0123456789-_", c) == NULL;
}

/* Sets *prefix to the longest beginning, up to a letter, that all names of the group and no others have.
 * Returns its length; 0: there is none. */
static size_t own_prefix(const char *const *name, const uint32_t *of, uint32_t hosts, uint32_t group,
                         const char **prefix) {
  size_t length = 0;
  bool any = false, others = false;
  for (uint32_t h = 0; h < hosts; h++) {
    size_t same = 0;
    if (strchr(name[h], '.') != NULL)
      return 0;
    others |= of[h] != group;
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
  return others ? length : 0;
}

/* Returns the name of the only host of a group. NULL: there are several, or others have it as their domain.
 */
static const char *only_host(const char *const *name, const uint32_t *of, uint32_t hosts, uint32_t group) {
  const char *only = NULL;
  for (uint32_t h = 0; h < hosts; h++) {
    if (of[h] == group && only != NULL)
      return NULL;
    only = of[h] == group ? name[h] : only;
  }
  for (uint32_t h = 0; only != NULL && h < hosts; h++) {
    const char *dot = strchr(name[h], '.');
    if (dot != NULL && strcmp(dot + 1, only) == 0)
      return NULL;
  }
  return hosts > 1 ? only : NULL;
}

size_t gb_probe_site_name(const char *const *name, const uint32_t *of, uint32_t hosts, uint32_t group,
                          const char **start) {
  *start = own_domain(name, of, hosts, group);
  if (*start != NULL)
    return strlen(*start);
  const size_t length = own_prefix(name, of, hosts, group, start);
  if (length > 0)
    return length;
  const char *only = only_host(name, of, hosts, group);
  *start = only != NULL ? only : "";
  return strlen(*start);
}
