/* A harness without libFuzzer: it gets an empty input and the files of some folders, each as it is and then a
 * few times changed, always in the same way.
 *
 *   fuzz-NAME MUTANTS FOLDER...    MUTANTS of each input */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST = 1 << 16 }; /* bytes of an input */

typedef struct {
  uint32_t state; /* of the random numbers */
  uint8_t original[MOST];
  uint8_t changed[MOST];
} replay;

static replay the;

static size_t draw(size_t below) {
  the.state = the.state * 1664525 + 1013904223; /* Numerical Recipes */
  return (size_t)(((uint64_t)the.state * below) >> 32);
}

/* One byte changed, some left out, some twice, or the end missing. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  if (size == 0)
    return 0;
  const size_t at = draw(size), rest = size - at;
  const size_t some = 1 + draw(rest < 16 ? rest : 16);
  switch (draw(4)) {
  case 0:
    data[at] = (uint8_t)draw(256);
    return size;
  case 1:
    memmove(data + at, data + at + some, rest - some);
    return size - some;
  case 2:
    if (size + some > most)
      return size;
    memmove(data + at + some, data + at, rest);
    return size + some;
  default:
    return at;
  }
}

static size_t change(uint8_t *data, size_t size) {
  return LLVMFuzzerCustomMutator != NULL ? LLVMFuzzerCustomMutator(data, size, MOST, 1)
                                         : LLVMFuzzerMutate(data, size, MOST);
}

static void run(const uint8_t *data, size_t size) {
  uint8_t *exact = malloc(size > 0 ? size : 1); /* so that a sanitizer sees a read behind the end */
  must(exact != NULL);
  memcpy(exact, data, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

static void run_all(size_t length, int mutants) {
  the.state = 1;
  run(the.original, length);
  for (int i = 0; i < mutants; i++) {
    memcpy(the.changed, the.original, length);
    size_t size = length;
    for (size_t times = 1 + draw(4); times > 0; times--)
      size = change(the.changed, size);
    run(the.changed, size);
  }
}

static bool run_file(const char *path, int mutants) {
  struct stat about;
  must(stat(path, &about) == 0);
  if (!S_ISREG(about.st_mode))
    return false;
  FILE *file = fopen(path, "rb");
  must(file != NULL);
  const size_t length = fread(the.original, 1, MOST, file);
  (void)fclose(file);
  run_all(length, mutants);
  return true;
}

int main(int count, char **words) {
  must(count >= 2);
  const int mutants = (int)strtol(words[1], NULL, 10);
  run_all(0, mutants);
  int inputs = 1;
  for (int i = 2; i < count; i++) {
    struct dirent **found;
    const int entries = scandir(words[i], &found, NULL, alphasort);
    must(entries > 2); /* there is more than . and .. */
    for (int k = 0; k < entries; k++) {
      char path[4096];
      const int length = snprintf(path, sizeof path, "%s/%s", words[i], found[k]->d_name);
      must(length > 0 && (size_t)length < sizeof path);
      inputs += run_file(path, mutants);
      free(found[k]);
    }
    free(found);
  }
  printf("%d inputs and %d mutants of each\n", inputs, mutants);
  return 0;
}
