/* What the MPI test programs share: they print what failed and end with a status that is not zero. */
#ifndef GB_TESTS_SUPPORT_MPI_CHECK_H
#define GB_TESTS_SUPPORT_MPI_CHECK_H

#include <gbcast/gbcast.h>
#include <gbcast/plan.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef GB_TEST_DATA
#define GB_TEST_DATA "tests/data"
#endif

/* Ends the whole job: a rank that failed must not leave the others waiting. */
__attribute__((format(printf, 3, 4), noreturn)) static inline void fail_at(const char *file, int line,
                                                                           const char *format, ...) {
  int rank;
  va_list args;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  va_start(args, format);
  fprintf(stderr, "%s:%d: rank %d: ", file, line, rank);
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n");
  va_end(args);
#ifdef GB_TEST_SMPI
  _exit(1); /* after MPI_Abort() the simulator ends with status 0, and the test would pass */
#endif
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

#define CHECK(condition, ...)                                                                                \
  do {                                                                                                       \
    if (!(condition))                                                                                        \
      fail_at(__FILE__, __LINE__, __VA_ARGS__);                                                              \
  } while (0)
#define MUST(call)                                                                                           \
  do {                                                                                                       \
    int must_code = (call);                                                                                  \
    if (must_code != MPI_SUCCESS)                                                                            \
      fail_at(__FILE__, __LINE__, "%s returned %d", #call, must_code);                                       \
  } while (0)

static inline int rank_in(MPI_Comm comm) {
  int rank;
  MUST(MPI_Comm_rank(comm, &rank));
  return rank;
}

static inline int size_of(MPI_Comm comm) {
  int size;
  MUST(MPI_Comm_size(comm, &size));
  return size;
}

static inline unsigned char pattern(uint64_t key, size_t i) {
  return (unsigned char)((key * 131 + i * 2654435761u) >> 7 ^ i);
}

static inline void fill(void *buffer, size_t n, uint64_t key) {
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)buffer)[i] = pattern(key, i);
}

/* The first byte that is not the pattern's, or n. */
static inline size_t differs(const void *buffer, size_t n, uint64_t key) {
  for (size_t i = 0; i < n; i++)
    if (((const unsigned char *)buffer)[i] != pattern(key, i))
      return i;
  return n;
}

static inline void *allocate(size_t n) {
  void *p = malloc(n > 0 ? n : 1);
  CHECK(p != NULL, "no memory for %zu bytes", n);
  return p;
}

/* Broadcasts n bytes over all ranks: every rank has them, and nothing is written beside them. */
static inline void check_broadcast(size_t n, int root, uint64_t key) {
  unsigned char *buffer = allocate(n + 2);
  memset(buffer, 0xA5, n + 2);
  if (rank_in(MPI_COMM_WORLD) == root)
    fill(buffer + 1, n, key);
  MUST(gbcast(buffer + 1, n, root, MPI_COMM_WORLD));
  size_t at = differs(buffer + 1, n, key);
  CHECK(at == n, "%zu bytes from root %d: byte %zu is wrong", n, root, at);
  CHECK(buffer[0] == 0xA5 && buffer[n + 1] == 0xA5, "%zu bytes from root %d: wrote outside", n, root);
  free(buffer);
}

typedef struct setting {
  const char *key, *value; /* value NULL: it is not given */
} setting;

/* gbcast_setup() with a file of tests/data/platforms, slots in order. */
static inline int set_up_with(MPI_Comm comm, const char *hosts, const setting *list, size_t count) {
  char path[1024];
  MPI_Info info;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_map", "order"));
  for (size_t i = 0; i < count; i++)
    if (list[i].value != NULL)
      MUST(MPI_Info_set(info, list[i].key, list[i].value));
  snprintf(path, sizeof path, "%s/platforms/%s", GB_TEST_DATA, hosts);
  int rc = gbcast_setup(comm, path, info);
  MUST(MPI_Info_free(&info));
  return rc;
}

/* With what is not NULL forced. */
static inline int set_up_lanes(MPI_Comm comm, const char *hosts, const char *lanes, const char *inter,
                               const char *intra, const char *segment) {
  const setting list[] = {
      {"gbcast_lanes", lanes}, {"gbcast_inter", inter}, {"gbcast_intra", intra}, {"gbcast_segment", segment}};
  return set_up_with(comm, hosts, list, sizeof list / sizeof *list);
}

static inline int set_up(MPI_Comm comm, const char *hosts, const char *inter, const char *intra,
                         const char *segment) {
  return set_up_lanes(comm, hosts, NULL, inter, intra, segment);
}

/* The algorithms that the library lists for an operation ("bcast", "scatter"): none is left out of a test. */
typedef struct algorithm_names {
  int inter, intra; /* how many */
  char inter_name[32][32], intra_name[64][32];
} algorithm_names;

static inline algorithm_names algorithms_for(const char *operation) {
  algorithm_names names = {0};
  char *text = NULL, name[32], operations[16];
  size_t length;
  FILE *out = open_memstream(&text, &length);
  CHECK(out != NULL, "no memory");
  gbcast_list_algorithms(out);
  CHECK(fclose(out) == 0, "no memory");
  bool inside = false;
  for (char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
    if (strncmp(line, "Inside", 6) == 0)
      inside = true;
    if (sscanf(line, "  %31s %15[a-z, ]", name, operations) != 2 || *line != ' ' ||
        strstr(operations, operation) == NULL)
      continue;
    int *count = inside ? &names.intra : &names.inter;
    CHECK(*count < (inside ? 64 : 32), "more algorithms than this test has room for");
    strcpy(inside ? names.intra_name[*count] : names.inter_name[*count], name);
    ++*count;
  }
  free(text);
  CHECK(names.inter > 1 && names.intra > 1, "the list of algorithms was not understood");
  return names;
}

/* How many WAN algorithms each LAN algorithm is paired with: few, and fewer in a larger job, where every call
 * costs more. Which ones changes with the LAN algorithm and the number of ranks. */
static inline int turns(void) {
  int ranks = size_of(MPI_COMM_WORLD);
#ifdef GB_TEST_SMPI
  ranks += 5; /* the simulator is slow */
#endif
  return ranks <= 3 ? 3 : ranks <= 5 ? 2 : 1;
}

static inline const char *inter_in_turn(const algorithm_names *names, int i, int k) {
  return names->inter_name[(i + size_of(MPI_COMM_WORLD) + k) % names->inter];
}

static inline int class_of(int code) {
  int class = MPI_SUCCESS;
  if (code != MPI_SUCCESS)
    MUST(MPI_Error_class(code, &class));
  return class;
}

/* MPI_Init for a test of threads; ends the program, as one that is skipped, where MPI has not enough of them.
 */
static inline void init_with_threads(int *argc, char ***argv) {
  int level;
  MUST(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level));
  if (level == MPI_THREAD_MULTIPLE)
    return;
  if (rank_in(MPI_COMM_WORLD) == 0)
    printf("this MPI has no MPI_THREAD_MULTIPLE\n");
  MUST(MPI_Finalize());
  exit(77);
}

#endif
