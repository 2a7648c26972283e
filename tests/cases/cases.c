/* See cases.h. The first argument says which. */
#include "cases.h"
#include <unistd.h>

/* A call that is wrong on rank 0, and that no other rank makes: it returns its error at once. `used`: the
 * communicator has been used before. */
static int alone(int which, bool used) {
  static int x[256], y[256], counts[256], places[256];
  int rank, size, rc = MPI_SUCCESS, code = MPI_SUCCESS;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Datatype open;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &open); /* and not committed */
  for (int r = 0; r < size; r++) {
    counts[r] = 1;
    places[r] = r;
  }
  if (used)
    BCAST(x, 1, MPI_INT, 0, comm);
  if (rank == 0)
    switch (which) {
    case 0:
      rc = BCAST(x, -1, MPI_INT, 0, comm);
      break;
    case 1:
      rc = BCAST(x, 1, MPI_INT, size, comm);
      break;
    case 2:
      rc = BCAST(x, 1, MPI_DATATYPE_NULL, 0, comm);
      break;
    case 3:
      rc = BCAST(x, 1, open, 0, comm);
      break;
    case 4:
      rc = SCATTER(x, 1, MPI_INT, y, -1, MPI_INT, 0, comm);
      break;
    case 5:
      rc = ALLTOALL(x, -1, MPI_INT, y, 1, MPI_INT, comm);
      break;
    case 6:
      rc = ALLTOALL(x, 1, MPI_INT, y, 1, MPI_DATATYPE_NULL, comm);
      break;
    case 7:
      counts[1] = -5;
      rc = MPI_Scatterv(x, counts, places, MPI_INT, y, 1, MPI_INT, 0, comm);
      break;
#ifndef OPEN_MPI /* Open MPI checks none of these */
    case 8:
      rc = BCAST(NULL, 1, MPI_INT, 0, comm);
      break;
    case 9:
      rc = SCATTER(x, 1, MPI_INT, x, 1, MPI_INT, 0, comm);
      break;
    case 10:
      rc = MPI_Scatterv(x, counts, places, MPI_INT, x, 1, MPI_INT, 0, comm);
      break;
    case 11:
      rc = ALLTOALL(x, 1, MPI_INT, x, 1, MPI_INT, comm);
      break;
    case 12:
      rc = SCATTER(MPI_IN_PLACE, 1, MPI_INT, y, 1, MPI_INT, 0, comm);
      break;
#endif
    default:
      rc = MPI_Scatterv(x, counts, places, MPI_DATATYPE_NULL, y, 1, MPI_INT, 0, comm);
    }
  MPI_Type_free(&open);
  if (rc != MPI_SUCCESS)
    MPI_Error_class(rc, &code);
  if (rank == 0)
    printf("class %d\n", code);
  return broadcasts(comm) + (rank == 0 && code == MPI_SUCCESS); /* and later calls work */
}

/* The program goes to another folder before its first collective. */
static int elsewhere(void) {
  return chdir("/") != 0 ? 1 : broadcasts(MPI_COMM_WORLD);
}

static MPI_Comm kept;
static int wrong_at_end;

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm;
  (void)keyval;
  (void)value;
  (void)extra;
  wrong_at_end += broadcasts(kept);
  return MPI_SUCCESS;
}

/* Callbacks in MPI_Finalize() that broadcast: one set before the first broadcast, one after it. */
static int at_end(void) {
  int before, after;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &before, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &after, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  MPI_Comm_set_attr(MPI_COMM_SELF, before, NULL);
  const int bad = broadcasts(kept);
  MPI_Comm_set_attr(MPI_COMM_SELF, after, NULL);
  return bad;
}

/* Uses so many communicators at once. */
static int communicators(int count) {
  MPI_Comm *comm = malloc(sizeof *comm * (size_t)count);
  static int buffer[2500];
  int rank, bad = comm == NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count && !bad; i++) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm[i]);
    buffer[2499] = rank == 0 ? i : -1;
    BCAST(buffer, 2500, MPI_INT, 0, comm[i]);
    bad = buffer[2499] != i;
  }
  for (int i = 0; i < count && !bad; i++)
    MPI_Comm_free(&comm[i]);
  free(comm);
  return bad;
}

/* Ranks of two MPI_COMM_WORLDs in one communicator. */
static int worlds(char *program) {
  MPI_Comm parent, other, all;
  int size;
  MPI_Comm_get_parent(&parent);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *arguments[] = {(char[]){"worlds"}, NULL};
  if (parent == MPI_COMM_NULL)
    MPI_Comm_spawn(program, arguments, size, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  else
    other = parent;
  MPI_Intercomm_merge(other, parent != MPI_COMM_NULL, &all);
  int bad = broadcasts(MPI_COMM_WORLD) + broadcasts(all);
#ifdef GB_CASES_API
  char *text = NULL;
  int rank;
  MPI_Comm_rank(all, &rank);
  bad += gbcast_explain(all, 1000, 0, &text) != MPI_SUCCESS;
  if (rank == 0)
    fputs(text, stdout);
  free(text);
#endif
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&other);
  return bad;
}

#if MPI_VERSION >= 4
static MPI_Comm of_session(MPI_Session session) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "gbcast/cases", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Group_free(&group);
  return comm;
}

/* Sessions without MPI_Init(), beside it, and after MPI_Finalize(). */
static int sessions(const char *with, int *argc, char ***argv) {
  MPI_Session session;
  const bool world = strcmp(with, "alone") != 0;
  if (world)
    MPI_Init(argc, argv);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Comm comm = of_session(session);
  int bad = broadcasts(comm);
  if (world)
    bad += broadcasts(MPI_COMM_WORLD);
  if (strcmp(with, "after") == 0) {
    MPI_Finalize();
    bad += broadcasts(comm);
  }
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  if (strcmp(with, "beside") == 0)
    MPI_Finalize();
  return bad;
}
#endif

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "plain";
#if MPI_VERSION >= 4
  if (strcmp(what, "sessions") == 0)
    return verdict(what, sessions(argv[2], &argc, &argv));
#endif
  MPI_Init(&argc, &argv);
  int bad = 0;
  if (strcmp(what, "alone") == 0)
    bad = alone(atoi(argv[2]), argc > 3);
  else if (strcmp(what, "elsewhere") == 0)
    bad = elsewhere();
  else if (strcmp(what, "at-end") == 0)
    bad = at_end();
  else if (strcmp(what, "communicators") == 0)
    bad = communicators(atoi(argv[2]));
  else if (strcmp(what, "worlds") == 0)
    bad = worlds(argv[0]);
  else
    bad = broadcasts(MPI_COMM_WORLD);
  MPI_Finalize();
  return verdict(what, bad + wrong_at_end);
}
