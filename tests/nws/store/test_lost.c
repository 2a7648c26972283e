/* A folder or a log that others remove or change while gbcast-nws serve writes it. */
#include "tests/nws/store/folder.h"
#include "tests/support/rounds.h"

typedef enum loss {
  FOLDER_REMOVED,
  FOLDER_MOVED,
  FOLDER_REPLACED,
  LOG_REMOVED,
  LOG_MOVED,
  LOG_CUT,
  LOCK_REMOVED,
  LOSSES
} loss;

static void run(const char *format, const char *path) {
  char command[200];
  (void)snprintf(command, sizeof command, format, path, path, path);
  cr_assert_eq(system(command), 0, "%s", command);
}

static void lose(const char *path, loss how) {
  static const char *const command[LOSSES] = {
      [FOLDER_REMOVED] = "rm -r %s",
      [FOLDER_MOVED] = "mv %s %s.moved",
      [FOLDER_REPLACED] = "mv %s %s.moved && mkdir %s",
      [LOG_REMOVED] = "rm %s/*.log",
      [LOG_MOVED] = "cd %s && for log in *.log; do mv $log moved-0-$log; done",
      [LOG_CUT] = "truncate --size=-1 %s/*.log",
      [LOCK_REMOVED] = "rm %s/lock",
  };
  run(command[how], path);
}

static bool put(gb_store *d, naive_store *n, uint64_t *seed, double now) {
  random_change c;
  do
    make_random_change(&c, seed, now);
  while (c.kind != STORE);
  c.batch.times.time_out = 1e9;
  gb_batch batch = c.batch;
  bool stored = gb_store_put(d, &batch, now);
  if (stored)
    naive_put(n, &batch);
  return stored;
}

/* Commits until all data is written again. */
static void finish(gb_store *d, double now) {
  for (int turn = 0; turn < 100 && (turn == 0 || gb_store_is_busy(d, now)); turn++)
    cr_assert(gb_store_commit(d, now));
  cr_assert_not(d->log.lost);
}

/* The next start finds all of it. */
static void check_opened_again(const char *path, const naive_store *n, double now) {
  gb_store d;
  open_store(&d, path, now, stderr);
  assert_same_state(n, &d.registry, &d.memory, now, "opened again");
  gb_store_close(&d);
}

/* Nothing is acknowledged that the next start would not find, and what was acknowledged is written again. */
Test(serve_lost, refused_then_written_again, .timeout = 120) {
  static naive_store n;
  uint64_t seed = 3;
  for (int round = 0; round < ROUNDS(10) * LOSSES; round++) {
    loss how = (loss)(round % LOSSES);
    char path[32], *said = NULL;
    size_t size;
    double now = 1000;
    gb_store d;
    FILE *report = open_memstream(&said, &size);
    make_folder(path);
    open_store(&d, path, now, report);
    n = (naive_store){.ring = serve_limits.ring};
    for (uint32_t i = xorshift(&seed, 30); i > 0; i--, now++) {
      cr_assert(put(&d, &n, &seed, now));
      cr_assert(gb_store_commit(&d, now));
    }
    bool before_commit = xorshift(&seed, 2) == 0;
    cr_assert(!before_commit || put(&d, &n, &seed, now));
    lose(path, how);
    cr_assert(before_commit || !put(&d, &n, &seed, now), "loss %d", (int)how);
    cr_assert_eq(gb_store_commit(&d, now), !before_commit, "loss %d", (int)how);
    cr_assert(put(&d, &n, &seed, now), "loss %d", (int)how);
    finish(&d, now);
    gb_store_close(&d);
    (void)fclose(report);
    char *refused = strstr(said, "refused until this is mended"), *again = strstr(said, "storing again");
    cr_assert(refused != NULL && again > refused && strstr(refused + 1, "refused") == NULL, "%s", said);
    check_opened_again(path, &n, now);
    free(said);
    run("rm -rf %s %s.moved", path);
  }
}

/* Also a server that nobody asks anything notices, and one that is ended before it has written all again. */
Test(serve_lost, noticed_without_changes) {
  static naive_store n;
  uint64_t seed = 5;
  for (loss how = 0; how < LOSSES; how++)
    for (int ends_early = 0; ends_early < 2; ends_early++) {
      char path[32], *said = NULL;
      size_t size;
      gb_store d;
      FILE *report = open_memstream(&said, &size);
      make_folder(path);
      open_store(&d, path, 1000, report);
      n = (naive_store){.ring = serve_limits.ring};
      for (int i = 0; i < 20; i++)
        cr_assert(put(&d, &n, &seed, 1000));
      cr_assert(gb_store_commit(&d, 1000));
      lose(path, how);
      cr_assert(gb_store_commit(&d, 1001));
      if (!ends_early)
        finish(&d, 1001);
      gb_store_close(&d);
      (void)fclose(report);
      cr_assert_not_null(strstr(said, "all data is written again"));
      free(said);
      check_opened_again(path, &n, 1002);
      run("rm -rf %s %s.moved", path);
    }
}

/* While no folder can be made, changes are refused, and this is said once. */
Test(serve_lost, refused_while_it_lasts) {
  static naive_store n;
  uint64_t seed = 8;
  char path[32], *said = NULL;
  size_t size;
  gb_store d;
  FILE *report = open_memstream(&said, &size);
  make_folder(path);
  open_store(&d, path, 1000, report);
  n = (naive_store){.ring = serve_limits.ring};
  cr_assert(put(&d, &n, &seed, 1000));
  cr_assert(gb_store_commit(&d, 1000));
  run("rm -r %s && touch %s", path); /* a file in its place */
  for (double now = 1001; now < 1100; now += 7) {
    cr_assert_not(put(&d, &n, &seed, now));
    cr_assert(gb_store_commit(&d, now));
  }
  run("rm %s", path);
  cr_assert(gb_store_commit(&d, 1200));
  cr_assert(put(&d, &n, &seed, 1200));
  finish(&d, 1200);
  gb_store_close(&d);
  (void)fclose(report);
  char *refused = strstr(said, "refused");
  cr_assert(refused != NULL && strstr(refused + 1, "refused") == NULL, "%s", said);
  free(said);
  check_opened_again(path, &n, 1200);
  remove_folder(path);
}

/* What lies in a folder that was put in our folder's place is set aside, not deleted. */
Test(serve_lost, foreign_files_stay) {
  static naive_store n;
  uint64_t seed = 9;
  char path[32], name[64];
  gb_store d;
  make_folder(path);
  open_store(&d, path, 1000, stderr);
  n = (naive_store){.ring = serve_limits.ring};
  cr_assert(put(&d, &n, &seed, 1000));
  run("cp -r %s %s.copy && rm -r %s", path);
  run("mv %s.copy %s", path);
  cr_assert_not(gb_store_commit(&d, 1000));
  finish(&d, 1000);
  cr_assert_eq(files(path, ".damaged", name), 1);
  cr_assert_eq(files(path, ".log", name), 1);
  gb_store_close(&d);
  check_opened_again(path, &n, 1000);
  remove_folder(path);
}
