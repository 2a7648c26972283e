/* Two nodes that report one name are never taken for one host: ranks that a hosts file places on one by its
 * name must share memory. Here those of even and of odd rank do. */
#include "mpi/comm/setup.h"
#include "tests/support/mpi/heard.h"
#include "tests/support/mpi/shared_file.h"

static const char *const *names; /* of even ranks, and of odd ones */

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __wrap_MPI_Get_processor_name(char *name, int *length);
int __wrap_MPI_Get_processor_name(char *name, int *length) {
  *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "%s", names[rank_in(MPI_COMM_WORLD) % 2]);
  return MPI_SUCCESS;
}

int __wrap_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made);
int __wrap_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made) {
  (void)info;
  CHECK(type == MPI_COMM_TYPE_SHARED, "asked for ranks that share something else than memory");
  return MPI_Comm_split(comm, rank_in(MPI_COMM_WORLD) % 2, key, made);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

static struct {
  char hosts[PATH];
  const char *map;
  int code; /* that came back */
} now;

static void set_up_now(MPI_Comm comm) {
  MPI_Info info;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_map", now.map));
  MUST(MPI_Info_set(info, "gbcast_intra", "binomial"));
  now.code = gbcast_setup(comm, now.hosts, info);
  MUST(MPI_Info_free(&info));
}

/* What rank 0 says must have all of these parts; the others say nothing. */
static void check(const char *map, const char *const pair[2], int class, const char *first,
                  const char *second) {
  MPI_Comm comm;
  int found = MPI_SUCCESS;
  names = pair;
  now.map = map;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  char *text = heard(set_up_now, comm);
  MUST(MPI_Error_class(now.code, &found));
  CHECK(found == class, "%s and %s, map %s: class %d", pair[0], pair[1], map, found);
  const bool told = rank_in(comm) == 0 && class != MPI_SUCCESS;
  CHECK(told ? strstr(text, first) != NULL && strstr(text, second) != NULL : text[0] == '\0',
        "%s and %s, map %s: said '%s'", pair[0], pair[1], map, text);
  free(text);
  for (int root = 0; class == MPI_SUCCESS && root < size_of(comm); root++) {
    int value = rank_in(comm) == root ? root + 5 : -1;
    MUST(gbcast_bcast(&value, 1, MPI_INT, root, comm));
    CHECK(value == root + 5, "%s and %s, map %s: %d from root %d", pair[0], pair[1], map, value, root);
  }
  MUST(MPI_Comm_free(&comm));
}

/* A gbcast_status. */
static int check_of(const gb_identity *all, const int *leader, int size, const uint32_t *host, bool *open,
                    char *message) {
  gbcast_error err = {""};
  *open = false;
  const int rc = gb_nodes_check(all, leader, size, host, open, &err);
  strcpy(message, err.message);
  return rc;
}

static void check_arrays(void) {
  gb_identity all[4] = {{0, 0, 0, "one"}, {1, 0, 0, "one"}, {2, 2, 0, "two"}, {3, 2, 0, "two"}};
  static const uint32_t two[4] = {0, 0, 1, 1}, single[4] = {0}, each[4] = {3, 1, 0, 2},
                        across[4] = {0, 1, 0, 1};
  static const int leader[4] = {0, 0, 2, 2}, one_leader[4] = {0}, alone[4] = {0, 1, 2, 3};
  char why[sizeof(gbcast_error)];
  bool open;
  CHECK(check_of(all, NULL, 4, two, &open, why) == GBCAST_OK && !open, "two nodes, two hosts: %s", why);
  CHECK(check_of(all, leader, 4, two, &open, why) == GBCAST_OK && !open, "the same, asked: %s", why);
  CHECK(check_of(all, one_leader, 4, two, &open, why) == GBCAST_OK && !open, "two hosts of one node: %s",
        why);
  CHECK(check_of(all, alone, 4, each, &open, why) == GBCAST_OK && !open, "a host for each: %s", why);
  CHECK(check_of(all, leader, 1, single, &open, why) == GBCAST_OK && !open, "one rank: %s", why);
  CHECK(check_of(all, NULL, 4, single, &open, why) == GBCAST_EINPUT, "two nodes, one host");
  CHECK(strstr(why, "ranks 0 and 2 ") != NULL && strstr(why, "'two'") != NULL, "two nodes, one host: %s",
        why);
  CHECK(check_of(all, leader, 4, single, &open, why) == GBCAST_EINPUT, "two nodes, one host, asked");
  CHECK(check_of(all, leader, 4, across, &open, why) == GBCAST_EINPUT &&
            strstr(why, "ranks 0 and 2 ") != NULL,
        "two nodes, two hosts, across: %s", why);
  CHECK(check_of(all, alone, 4, two, &open, why) == GBCAST_EINPUT && strstr(why, "ranks 0 and 1 ") != NULL,
        "four nodes, two hosts: %s", why);
  all[3].node = -1; /* it does not know */
  CHECK(check_of(all, NULL, 4, two, &open, why) == GBCAST_OK && open, "a node that is not known: %s", why);
  CHECK(check_of(all, NULL, 4, each, &open, why) == GBCAST_OK && !open, "nobody beside it: %s", why);
  CHECK(check_of(all, leader, 4, two, &open, why) == GBCAST_OK && !open, "a node that was found: %s", why);
  all[3] = (gb_identity){MPI_UNDEFINED, 2, 0, "two"}; /* numbers of another MPI_COMM_WORLD say nothing */
  CHECK(check_of(all, NULL, 4, two, &open, why) == GBCAST_OK && open, "another MPI_COMM_WORLD: %s", why);
}

int main(int argc, char **argv) {
  static const char *const same[2] = {"here", "here"}, *const distinct[2] = {"even", "odd"},
                           *const domains[2] = {"here.example.org", "here.example.com"};
  MUST(MPI_Init(&argc, &argv));
  names = same;
  check_arrays();
  make_file(now.hosts);
  write_file(now.hosts, "cluster a\nhere\nthere\n");
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  check("name", same, MPI_ERR_ARG, "ranks 0 and 1 ", "'here'");
  check("order", same, MPI_SUCCESS, NULL, NULL);
  check("name", domains, MPI_ERR_ARG, "here.example.org", "here.example.com"); /* of one short name */
  write_file(now.hosts, "cluster a\neven\nodd\n");
  check("name", distinct, MPI_SUCCESS, NULL, NULL);
  check("name", same, MPI_ERR_ARG, "rank 0 ", "'here'"); /* which is not in the file */
  check("order", distinct, MPI_SUCCESS, NULL, NULL);
  if (rank_in(MPI_COMM_WORLD) == 0)
    (void)remove(now.hosts);
  MUST(MPI_Finalize());
  return 0;
}
