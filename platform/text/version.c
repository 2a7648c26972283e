/* The version of a library in few words. */
#include "platform/text/text.h"
#include <strings.h>

void gb_shorten_version(char *version, char name[GB_VERSION_TEXT]) {
  char *rest = NULL;
  size_t end = 0;
  version[strcspn(version, "\n,")] = '\0';
  name[0] = '\0';
  for (char *word = strtok_r(version, " \t:", &rest); word != NULL && end < GB_VERSION_TEXT;
       word = strtok_r(NULL, " \t:", &rest)) {
    if (strcasecmp(word, "version") == 0)
      continue;
    word += word[0] == 'v' && word[1] >= '0' && word[1] <= '9';
    end += (size_t)snprintf(name + end, GB_VERSION_TEXT - end, "%s%s", end > 0 ? " " : "", word);
  }
  if (end == 0)
    (void)snprintf(name, GB_VERSION_TEXT, "an unknown MPI library");
}
