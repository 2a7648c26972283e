/* What other programs write: each reader of gbcast-import gets each input. */
#include "fuzz.h"

#include "tests/support/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const format[] = {"slurm", "simgrid", "iperf3", "pscheduler", "ping"};
  for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
    char *text = malloc(size + 1); /* of its own, so that reading beyond the end is seen */
    must(text != NULL);
    memcpy(text, data, size);
    const char *wrong = check_import(format[i], text, size);
    if (wrong != NULL)
      (void)fprintf(stderr, "%s: %s\n", format[i], wrong);
    must(wrong == NULL);
    free(text);
  }
  return 0;
}
