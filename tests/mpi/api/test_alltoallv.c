/* All-to-alls of uneven blocks: between sites, and MPI's own within one; counts of nothing, MPI_IN_PLACE,
 * types with gaps, handles, GBCAST_CHECK. */
#include "tests/support/mpi/sending.h"
#include "tests/support/mpi/uneven.h"

static int sent; /* messages of this rank, by the library */

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
SENDING(__wrap_MPI_Isend, __real_MPI_Isend, sent++)
SENDING(__wrap_MPI_Issend, __real_MPI_Issend, sent++)
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

typedef struct shape {
  int unit;
  bool symmetric; /* each pair of ranks sends as much both ways */
  bool sparse;    /* but for the next ranks, nobody sends to anybody */
} shape;

static int count_from(const shape *s, int from, int to) {
  const int size = size_of(MPI_COMM_WORLD);
  if (s->sparse && (from + 1) % size != to && !(s->symmetric && (to + 1) % size == from))
    return 0;
  return s->unit * (s->symmetric ? (from + to + 1) % 4 : (from * 3 + to * 5 + 1) % 4);
}

static int value_of(int from, int to, int i) {
  return from * 1000003 + to * 4099 + i;
}

/* The blocks that this rank sends, or receives. They lie backwards, with a gap before each. */
static uneven_blocks lay_out(const shape *s, bool sends) {
  const int size = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  uneven_blocks b = {allocate(sizeof *b.count * (size_t)size), allocate(sizeof *b.place * (size_t)size), 0};
  for (int r = size - 1; r >= 0; r--) {
    b.count[r] = sends ? count_from(s, me, r) : count_from(s, r, me);
    b.place[r] = ++b.total;
    b.total += (int)b.count[r];
  }
  b.total++;
  return b;
}

/* stride: integers from one element to the next. */
static void fill_sent(const uneven_blocks *b, int *at, int stride, int key) {
  const int size = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  for (int r = 0; r < size; r++)
    for (int i = 0; i < b->count[r]; i++)
      at[((int)b->place[r] + i) * stride] = value_of(me, r, i) + key;
}

static void check_received(const uneven_blocks *b, int *at, int stride, int key, const char *what) {
  const int size = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  for (int r = 0; r < size; r++)
    for (int i = 0; i < b->count[r]; i++) {
      int *element = &at[((int)b->place[r] + i) * stride];
      CHECK(*element == value_of(r, me, i) + key, "%s: element %d from rank %d is %d", what, i, r, *element);
      *element = -7;
    }
  for (int i = 0; i < b->total * stride; i++)
    CHECK(at[i] == -7, "%s: wrote to integer %d", what, i);
}

static int *make_ints_of(const uneven_blocks *b, int stride) {
  int *at = allocate(sizeof *at * (size_t)(b->total * stride));
  for (int i = 0; i < b->total * stride; i++)
    at[i] = -7;
  return at;
}

static void exchange(const shape *s, bool in_place, bool holes) {
  const int stride = holes ? 2 : 1;
  uneven_blocks out = lay_out(s, true), in = lay_out(s, false);
  int *send = make_ints_of(&out, stride), *receive = make_ints_of(&in, 1);
  char what[96];
  MPI_Datatype type = make_ints(holes);
  snprintf(what, sizeof what, "unit %d%s%s%s", s->unit, s->sparse ? ", sparse" : "",
           in_place ? ", in place" : "", holes ? ", holes" : "");
  if (in_place) {
    fill_sent(&out, receive, 1, 0);
    MUST(gbcast_alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, receive, in.count, in.place, MPI_INT,
                          MPI_COMM_WORLD));
  } else {
    fill_sent(&out, send, stride, 0);
    MUST(gbcast_alltoallv(send, out.count, out.place, type, receive, in.count, in.place, MPI_INT,
                          MPI_COMM_WORLD));
  }
  check_received(&in, receive, 1, 0, what);
  free_ints(&type, holes);
  free_uneven(&out);
  free_uneven(&in);
  free(send);
  free(receive);
}

/* What comes goes to every second integer. */
static void into_holes(const shape *s) {
  uneven_blocks out = lay_out(s, true), in = lay_out(s, false);
  int *send = make_ints_of(&out, 1), *receive = make_ints_of(&in, 2);
  MPI_Datatype type = make_ints(true);
  fill_sent(&out, send, 1, 0);
  MUST(gbcast_alltoallv(send, out.count, out.place, MPI_INT, receive, in.count, in.place, type,
                        MPI_COMM_WORLD));
  check_received(&in, receive, 2, 0, "into holes");
  free_ints(&type, true);
  free_uneven(&out);
  free_uneven(&in);
  free(send);
  free(receive);
}

/* Several are under way at once, and end in the other order; one is persistent. */
static void handles(const shape *s) {
  enum { CALLS = 4 };
  gbcast_handle handle[CALLS], kept;
  uneven_blocks out = lay_out(s, true), in = lay_out(s, false);
  int *send[CALLS], *receive[CALLS];
  for (int k = 0; k < CALLS; k++) {
    send[k] = make_ints_of(&out, 1);
    receive[k] = make_ints_of(&in, 1);
    fill_sent(&out, send[k], 1, k);
    MUST(gbcast_ialltoallv(send[k], out.count, out.place, MPI_INT, receive[k], in.count, in.place, MPI_INT,
                           MPI_COMM_WORLD, &handle[k]));
  }
  for (int k = CALLS - 1; k >= 0; k--) {
    MUST(gbcast_wait(&handle[k]));
    check_received(&in, receive[k], 1, k, "non-blocking");
  }
  MUST(gbcast_alltoallv_init(send[0], out.count, out.place, MPI_INT, receive[0], in.count, in.place, MPI_INT,
                             MPI_COMM_WORLD, &kept));
  for (int turn = 1; turn < 4; turn++) {
    fill_sent(&out, send[0], 1, turn);
    MUST(gbcast_start(&kept));
    MUST(gbcast_wait(&kept));
    check_received(&in, receive[0], 1, turn, "persistent");
  }
  MUST(gbcast_handle_free(&kept));
  for (int k = 0; k < CALLS; k++) {
    free(send[k]);
    free(receive[k]);
  }
  free_uneven(&out);
  free_uneven(&in);
}

static void many(void) {
  const shape shapes[] = {{1, false, false},   {0, false, false}, {700, false, false}, {20001, false, false},
                          {3000, false, true}, {1, true, false},  {900, true, true}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int again = 0; again < 2; again++)
      exchange(&shapes[i], shapes[i].symmetric && again == 1, i % 3 == 2);
  into_holes(&shapes[2]);
  handles(&shapes[2]);
}

/* What a rank gets wrong by itself, it says. */
static void mistakes(void) {
  const int size = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  MPI_Comm comm;
  MPI_Count *count = calloc((size_t)size, sizeof *count), *other = calloc((size_t)size, sizeof *other);
  MPI_Aint *place = calloc((size_t)size, sizeof *place);
  int in[2] = {0}, out[2] = {0};
  CHECK(count != NULL && other != NULL && place != NULL, "no memory");
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  count[me] = 1;
  CHECK(class_of(gbcast_alltoallv(out, count, place, MPI_INT, in, other, place, MPI_INT, comm)) !=
            MPI_SUCCESS,
        "more sent to itself than received");
  count[me] = -1;
  CHECK(class_of(gbcast_alltoallv(out, count, place, MPI_INT, in, count, place, MPI_INT, comm)) ==
            MPI_ERR_COUNT,
        "a count below 0");
  MUST(MPI_Comm_free(&comm));
  free(count);
  free(other);
  free(place);
}

/* messages: whether the library sends them itself. */
static void in_scene(const char *hosts, const char *sync, const char *checked, bool messages) {
  const setting list[] = {{"gbcast_sync", sync}, {"gbcast_check", checked}};
  int before = sent, any = 0;
  MUST(set_up_with(MPI_COMM_WORLD, hosts, list, 2));
  many();
  before = sent - before;
  MUST(MPI_Allreduce(&before, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  CHECK(messages == (any > 0), "%s: %d messages", hosts, any);
}

int main(int argc, char **argv) {
  static const char *const sync[] = {
      NULL,      "no-sync", "dummy", "sender-all", "receiver-all", "sender-partial:2", "receiver-partial",
      "at-once", "paced"};
  MUST(MPI_Init(&argc, &argv));
  const bool several = size_of(MPI_COMM_WORLD) > 1;
  many(); /* no hosts file */
  for (size_t i = 0; i < sizeof sync / sizeof *sync; i++)
    in_scene("mesh.txt", sync[i], NULL, several);
  in_scene("mesh.txt", NULL, "1", several);
  in_scene("grid.txt", NULL, NULL, size_of(MPI_COMM_WORLD) > 8); /* with several ranks on a host */
  in_scene("alltoall.txt", NULL, NULL, false);
  in_scene("alltoall.txt", "two-step", NULL, false);
  if (several)
    mistakes();
  MUST(MPI_Finalize());
  return 0;
}
