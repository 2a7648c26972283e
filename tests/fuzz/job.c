/* The host lists of batch systems: each is read or refused with its place. The first byte tells which list it
 * is; of a Slurm job the counts stand behind the first line end. */
#include "fuzz.h"

#include "platform/platform.h"

#include <string.h>

enum { LARGEST = 1024, DIGITS = 6 }; /* of ranges: a hundred thousand hosts at most, which is soon done */

static int count_digits(const char *text) {
  int count = 0;
  for (; *text != '\0'; text++)
    count += *text >= '0' && *text <= '9';
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const name[] = {"SLURM_", "LSB_MCPU_HOSTS:", "LSB_HOSTS:"};
  char text[LARGEST + 1];
  if (size == 0 || size > LARGEST)
    return 0;
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';
  const unsigned list = data[0] % 3;
  char *tasks = strchr(text, '\n');
  if (list == 0 && tasks != NULL)
    *tasks++ = '\0';
  if (list == 0 && count_digits(text) > DIGITS)
    return 0;
  const gb_slurm_part part = {text, tasks, "SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE"};
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  int status = list == 0   ? gb_job_slurm(&part, 1, &p, &err)
               : list == 1 ? gb_job_lsf_counts(text, &p, &err)
                           : gb_job_lsf_words(text, &p, &err);
  must(status == GBCAST_OK
           ? p != NULL && p->host_count > 0
           : status == GBCAST_EINPUT && strncmp(err.message, name[list], strlen(name[list])) == 0);
  gbcast_platform_free(p);
  return 0;
}
