/* What gbcast-nws serve keeps on the disk is there when the folder is opened again. */
#include "tests/nws/store/folder.h"

#include <signal.h>
#include <sys/wait.h>

/* Many changes, with copies of the log in between; after each opening everything is as it was. */
Test(serve_store, opened_again, .timeout = 120) {
  static naive_store n;
  int copies = 0, openings = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    char path[32], name[64], *said = NULL;
    size_t size;
    uint64_t state = seed * 0x9E3779B97F4A7C15u;
    random_change c;
    double now = 1000;
    FILE *report = open_memstream(&said, &size);
    gb_store d;
    make_folder(path);
    open_store(&d, path, now, report);
    n = (naive_store){.ring = serve_limits.ring};
    for (int step = 0; step < 400; step++, now += xorshift(&state, 8) * 0.25) {
      make_random_change(&c, &state, now);
      naive_change(&n, &c, now);
      change(&d, &c, now);
      uint64_t before = d.log.number;
      if (xorshift(&state, 3) == 0) /* one that is left out: the process may end at any time */
        cr_assert(gb_store_commit(&d, now));
      copies += d.log.number != before;
      assert_same_state(&n, &d.registry, &d.memory, now, "before");
      if (xorshift(&state, 40) != 0)
        continue;
      gb_store_close(&d);
      open_store(&d, path, now, report);
      openings++;
      assert_same_state(&n, &d.registry, &d.memory, now, "after");
    }
    cr_assert_leq(files(path, ".log", name), 2);
    cr_assert_eq(files(path, ".damaged", name), 0);
    gb_store_close(&d);
    remove_folder(path);
    (void)fclose(report);
    cr_assert_str_eq(said, "");
    free(said);
  }
  cr_assert_gt(copies, 15, "%d", copies);
  cr_assert_gt(openings, 50, "%d", openings);
}

/* What gets no number is refused, and not in the log either. */
Test(serve_store, no_number_left) {
  char path[32];
  gb_store d;
  gb_view object = gb_view_of("name:a\t\t"), other = gb_view_of("name:b\t\t");
  make_folder(path);
  open_store(&d, path, 1000, stderr);
  gb_log_entry_object(&d.entry, object, 0, GB_INDEX_LAST);
  cr_assert(gb_store_log(&d));
  gb_store_close(&d);
  for (int round = 0; round < 2; round++) {
    open_store(&d, path, 1000, stderr);
    cr_assert_not(gb_store_register(&d, other, 0, 1000));
    cr_assert(gb_store_register(&d, object, 0, 1000));
    cr_assert_eq(d.registry.index.count, 1);
    gb_store_close(&d);
  }
  remove_folder(path);
}

/* A copy that was not finished when the process ended leaves two files, which together say all. */
Test(serve_store, unfinished_copy) {
  static naive_store n;
  char path[32], name[64];
  gb_store d;
  random_change c;
  uint64_t seed = 21;
  make_folder(path);
  for (int stop = 0; stop < 60; stop++) {
    double now = 1000;
    n = (naive_store){.ring = serve_limits.ring};
    open_store(&d, path, now, stderr);
    d.log_floor = 1 << 30;
    for (int step = 0; step < 120; step++, now += 0.25) {
      make_random_change(&c, &seed, now);
      naive_change(&n, &c, now);
      change(&d, &c, now);
      if (step == 60)
        cr_assert(gb_store_compact_begin(&d));
    }
    int left = stop; /* pieces that are still copied; then the process ends */
    let_files_grow_to(d.log.size + 20 * (rlim_t)left);
    (void)signal(SIGXFSZ, SIG_IGN);
    d.report = fopen("/dev/null", "w");
    (void)gb_store_compact_step(&d, now);
    (void)fclose(d.report);
    let_files_grow_to(RLIM_INFINITY);
    gb_store_close(&d);
    open_store(&d, path, now, stderr);
    assert_same_state(&n, &d.registry, &d.memory, now, "both files");
    for (int turn = 0; turn < 1000 && (gb_store_is_busy(&d, now) || d.log.earlier > 0); turn++)
      cr_assert(gb_store_commit(&d, now));
    cr_assert_eq(files(path, ".log", name), 1);
    gb_store_close(&d);
    open_store(&d, path, now, stderr);
    assert_same_state(&n, &d.registry, &d.memory, now, "the copy");
    gb_store_close(&d);
    remove_folder(path);
    make_folder(path);
  }
  remove_folder(path);
}

Test(serve_store, one_server_a_folder) {
  char path[32];
  gb_store d, other;
  gbcast_error err = {""};
  make_folder(path);
  open_store(&d, path, 1000, stderr);
  pid_t child = fork(); /* a process does not lock itself out */
  if (child == 0)
    _exit(gb_store_open(&other, path, &serve_limits, 1000, stderr, &err) != GBCAST_OK &&
                  strstr(err.message, "in use by another server") != NULL
              ? 7
              : 8);
  int status = 0;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%d", status);
  gb_store_close(&d);
  remove_folder(path);
}

/* A folder that an earlier version wrote: what it has is there, and is written anew at once. */
Test(serve_store, old_entries) {
  char path[32], file[80], command[200], want[4096] = "";
  FILE *in = fopen(GB_TEST_DATA "/nws/old-store/kept.txt", "r");
  cr_assert_gt(fread(want, 1, sizeof want - 1, in), 1000);
  (void)fclose(in);
  make_folder(path);
  (void)snprintf(command, sizeof command, "cp " GB_TEST_DATA "/nws/old-store/00000002.log %s", path);
  cr_assert_eq(system(command), 0);
  for (int opening = 0; opening < 2; opening++) {
    gb_store d;
    open_store(&d, path, 1015, stderr);
    cr_assert_eq(d.log.number, 3);
    char *got = real_text(&d.registry, &d.memory, 1015);
    gb_store_close(&d);
    cr_assert_str_eq(got, want);
    free(got);
    cr_assert_eq(files(path, ".log", file), 1);
  }
  remove_folder(path);
}
