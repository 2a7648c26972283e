/* Ranks found by the names of their processors, the hash that the planner alone gives for the same,
 * GBCAST_DISABLE, GBCAST_VERBOSE, names that are no settings. */
#include "tests/support/mpi/check.h"
#include "tests/support/mpi/heard.h"
#include <ctype.h>
#include <gbcast/plan.h>
#include <unistd.h>

enum { NAME = MPI_MAX_PROCESSOR_NAME };

enum spelling { WHOLE, BRIEF, OTHER_CASE };

static void change_case(char *name) {
  for (; *name != '\0'; name++)
    *name =
        (char)(islower((unsigned char)*name) ? toupper((unsigned char)*name) : tolower((unsigned char)*name));
}

/* A hosts file of this job on rank 0: each processor with as many slots as it has ranks, by its whole name,
 * in the other letter case, or by what comes before the first dot. Without names that differ in the short
 * form false. */
static bool write_hosts(char *path, enum spelling spelling, char *root) {
  char mine[NAME] = "", *all = NULL;
  int length, size = size_of(MPI_COMM_WORLD);
  MUST(MPI_Get_processor_name(mine, &length));
  if (rank_in(MPI_COMM_WORLD) == 0)
    all = allocate((size_t)size * NAME);
  MUST(MPI_Gather(mine, NAME, MPI_CHAR, all, NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
  int usable = 1;
  if (all) {
    int fd = mkstemp(path);
    CHECK(fd >= 0, "no temporary file %s", path);
    FILE *out = fdopen(fd, "w");
    CHECK(out != NULL, "no stream for %s", path);
    fprintf(out, "cluster here latency=70us bandwidth=1Gbit/s\n");
    for (int r = 0; r < size; r++) {
      char *name = all + (size_t)r * NAME, *dot = strchr(name, '.');
      if (spelling == BRIEF && dot)
        *dot = '\0';
      if (spelling == OTHER_CASE)
        change_case(name);
      usable = usable && !(spelling == BRIEF && !dot);
      fprintf(out, "%s\n", name);
    }
    strcpy(root, all);
    CHECK(fclose(out) == 0, "cannot write %s", path);
    free(all);
  }
  MUST(MPI_Bcast(&usable, 1, MPI_INT, 0, MPI_COMM_WORLD));
  return usable;
}

static void by_name(enum spelling spelling) {
  char path[] = "/tmp/gbcast-test-XXXXXX", root[NAME] = "", *text;
  MPI_Comm comm;
  bool usable = write_hosts(path, spelling, root);
  if (usable) {
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(gbcast_setup(comm, path, MPI_INFO_NULL));
    for (size_t n = 1000; n < 3000000; n *= 13) {
      MUST(gbcast_explain(comm, n, 0, &text));
      if (rank_in(comm) == 0) {
        gbcast_platform *platform = NULL;
        gbcast_plan *plan = NULL;
        gbcast_error err = {""};
        gbcast_request request = {.bytes = n, .root = root};
        char hash[32];
        CHECK(gbcast_platform_read(path, &platform, &err) == GBCAST_OK, "%s", err.message);
        CHECK(gbcast_plan_make(platform, &request, &plan, &err) == GBCAST_OK, "%s", err.message);
        snprintf(hash, sizeof hash, "plan %016llx", (unsigned long long)gbcast_plan_hash(plan));
        CHECK(strstr(text, hash) != NULL, "%s is not in:\n%s", hash, text);
        gbcast_plan_free(plan);
        gbcast_platform_free(platform);
      }
      free(text);
    }
    MUST(MPI_Comm_free(&comm));
  }
  if (rank_in(MPI_COMM_WORLD) == 0)
    unlink(path);
}

static void disabled(void) {
  MPI_Comm comm;
  MPI_Info info;
  char buffer[100];
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_disable", "1"));
  MUST(gbcast_setup(comm, NULL, info));
  MUST(MPI_Info_free(&info));
  int root = size_of(comm) - 1;
  if (rank_in(comm) == root)
    fill(buffer, sizeof buffer, 7);
  MUST(gbcast(buffer, sizeof buffer, root, comm));
  CHECK(differs(buffer, sizeof buffer, 7) == sizeof buffer, "wrong bytes when disabled");
  MUST(MPI_Comm_free(&comm));
}

#ifndef GB_TEST_SMPI
static void use_scatter(MPI_Comm comm) {
  int size = size_of(comm), mine = -1, *all = allocate(sizeof(int) * (size_t)size);
  for (int r = 0; r < size; r++)
    all[r] = 3 * r;
  MUST(gbcast_scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm));
  CHECK(mine == 3 * rank_in(comm), "scatter: got %d", mine);
  free(all);
}

static void use_bcast(MPI_Comm comm) {
  int value = rank_in(comm) == 0 ? 8 : 0;
  MUST(gbcast(&value, sizeof value, 0, comm));
  CHECK(value == 8, "broadcast: got %d", value);
}

/* GBCAST_INTRA with a name of broadcasts: a scatter is planned freely, and rank 0 says so where it is asked
 * to. */
static void intra_of_the_other_operation(const char *verbose) {
  static const char notice[] = "GBCAST_INTRA=chain-segmented is not for a scatter";
  MPI_Comm comm;
  MPI_Info info;
  char path[1024];
  snprintf(path, sizeof path, "%s/platforms/grid.txt", GB_TEST_DATA);
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_map", "order"));
  MUST(MPI_Info_set(info, "gbcast_intra", "chain-segmented"));
  MUST(MPI_Info_set(info, "gbcast_verbose", verbose));
  MUST(gbcast_setup(comm, path, info));
  MUST(MPI_Info_free(&info));
  bool says = verbose[0] != '0' && rank_in(comm) == 0 && size_of(comm) > 1;
  char *scatter = heard(use_scatter, comm), *again = heard(use_scatter, comm),
       *bcast = heard(use_bcast, comm);
  CHECK((strstr(scatter, notice) != NULL) == says, "verbose %s, the first scatter says:\n%s", verbose,
        scatter);
  CHECK((strstr(scatter, "gbcast: scatter of up to") != NULL) == says,
        "verbose %s, the first scatter says:\n%s", verbose, scatter);
  CHECK(again[0] == '\0', "verbose %s, the second scatter says:\n%s", verbose, again);
  CHECK(strstr(bcast, "GBCAST_INTRA") == NULL, "verbose %s, the broadcast says:\n%s", verbose, bcast);
  CHECK((strstr(bcast, "gbcast: broadcast of up to") != NULL) == says, "verbose %s, the broadcast says:\n%s",
        verbose, bcast);
  free(scatter);
  free(again);
  free(bcast);
  MUST(MPI_Comm_free(&comm));
}

static void set_up_by_name(MPI_Comm comm) {
  char path[1024];
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  snprintf(path, sizeof path, "%s/platforms/order.txt", GB_TEST_DATA);
  CHECK(gbcast_setup(comm, path, MPI_INFO_NULL) != MPI_SUCCESS, "the hosts of the test data are here");
}

/* Names that no processor has: the message tells of the way without names. */
static void names_that_do_not_match(void) {
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  char *text = heard(set_up_by_name, comm);
  bool told = strstr(text, "order.txt:2:1: rank 0 runs on '") != NULL &&
              strstr(text, "the first there is 'n0'") != NULL && strstr(text, "GBCAST_MAP=order") != NULL;
  CHECK(rank_in(comm) == 0 ? told : text[0] == '\0', "a set-up with names of other hosts says:\n%s", text);
  free(text);
  MUST(MPI_Comm_free(&comm));
}

static void set_up_plainly(MPI_Comm comm) {
  MUST(gbcast_setup(comm, NULL, MPI_INFO_NULL));
}

/* The first set-up of a job: rank 0 says which variables are no settings, though it is the last rank of
 * `comm`, and nobody says it again. */
static void unknown_variables(void) {
  MPI_Comm comm;
  MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_in(MPI_COMM_WORLD), &comm));
  char *first = heard(set_up_plainly, comm), *second = heard(set_up_plainly, comm);
  const char *expected = rank_in(MPI_COMM_WORLD) == 0
                             ? "gbcast: GBCAST_SEGMNET is no setting; did you mean GBCAST_SEGMENT?\n"
                             : "";
  CHECK(strcmp(first, expected) == 0, "the first set-up says:\n%s", first);
  CHECK(second[0] == '\0', "the second set-up says:\n%s", second);
  free(first);
  free(second);
  MUST(MPI_Comm_free(&comm));
}

static void set_up_with_keys(MPI_Comm comm) {
  MPI_Info info;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_disabled", "1"));
  MUST(MPI_Info_set(info, "gbcast_map", "order"));
  MUST(MPI_Info_set(info, "GBCAST_LANES", "2"));
  MUST(MPI_Info_set(info, "no_gbcast_key", "1"));
  MUST(gbcast_setup(comm, NULL, info));
  MUST(MPI_Info_free(&info));
}

static void unknown_keys(void) {
  static const char expected[] =
      "gbcast: the MPI_Info key gbcast_disabled is no setting; did you mean gbcast_disable?\n"
      "gbcast: the MPI_Info key GBCAST_LANES is no setting; did you mean gbcast_lanes?\n";
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  char *text = heard(set_up_with_keys, comm);
  CHECK(strcmp(text, rank_in(comm) == 0 ? expected : "") == 0, "a set-up with unknown keys says:\n%s", text);
  free(text);
  MUST(MPI_Comm_free(&comm));
}

/* GBCAST_VERBOSE=1: one line in a process says what it runs with; the first set-up of rank 0 prints it. */
static void introduction(void) {
  MPI_Comm comm;
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", version[16] = "", name[64] = "", number[16] = "";
  int length, end = 0;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Get_library_version(library, &length));
  CHECK(setenv("GBCAST_VERBOSE", "1", 1) == 0, "cannot set a variable");
  char *first = heard(set_up_plainly, comm), *second = heard(set_up_plainly, comm);
  CHECK(unsetenv("GBCAST_VERBOSE") == 0, "cannot unset a variable");
  if (rank_in(comm) == 0) {
    sscanf(first, "gbcast: version %15s with %63[A-Za-z ]%15[0-9.a-z], no hosts file: each shared%n", version,
           name, number, &end);
    CHECK(end > 0 && strchr(first, '\n') == first + strlen(first) - 1, "the first set-up says:\n%s", first);
    name[strlen(name) - 1] = '\0'; /* the blank before the number */
    CHECK(strcmp(version, gbcast_version()) == 0 && strncmp(library, name, strlen(name)) == 0 &&
              strstr(library, number) != NULL,
          "the first set-up says:\n%s%s", first, library);
  } else
    CHECK(first[0] == '\0', "the first set-up says:\n%s", first);
  CHECK(second[0] == '\0', "the second set-up says:\n%s", second);
  free(first);
  free(second);
  MUST(MPI_Comm_free(&comm));
}
#endif

int main(int argc, char **argv) {
#ifndef GB_TEST_SMPI /* whose ranks share one stderr */
  CHECK(setenv("GBCAST_SEGMNET", "4k", 1) == 0, "cannot set a variable");
#endif
  MUST(MPI_Init(&argc, &argv));
#ifndef GB_TEST_SMPI
  unknown_variables();
  unknown_keys();
  introduction();
  names_that_do_not_match();
#endif
  by_name(WHOLE);
  by_name(BRIEF);
  by_name(OTHER_CASE);
  disabled();
#ifndef GB_TEST_SMPI
  intra_of_the_other_operation("0");
  intra_of_the_other_operation("1");
  intra_of_the_other_operation("2");
#endif
  MUST(MPI_Finalize());
  return 0;
}
