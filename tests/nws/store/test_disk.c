/* Disks that are full or fail, under gbcast-nws serve. */
#include "tests/nws/store/folder.h"
#include "tests/support/rounds.h"

#include <errno.h>
#include <signal.h>

static off_t unreadable = -1; /* a byte of the log, in a block that the disk cannot read */

/* The program is linked with --wrap. */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
ssize_t __wrap_pread(int file, void *bytes, size_t size, off_t at);
ssize_t __real_pread(int file, void *bytes, size_t size, off_t at);

ssize_t __wrap_pread(int file, void *bytes, size_t size, off_t at) {
  if (unreadable < at || unreadable >= at + (off_t)size)
    return __real_pread(file, bytes, size, at);
  errno = EIO;
  return -1;
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

/* A block that cannot be read costs the records in it. */
Test(serve_disk, unreadable_block) {
  enum { RECORDS = 2000 };
  const gb_store_limits limits = {.ring = RECORDS, .log_floor = 1 << 30};
  char path[32], record[33], *said = NULL;
  size_t length;
  gb_store d;
  gbcast_error err = {""};
  gb_bytes records = {0};
  gb_nws_state state;
  make_folder(path);
  cr_assert_eq(gb_store_open(&d, path, &limits, 1000, stderr, &err), GBCAST_OK);
  for (int i = 0; i < RECORDS; i++) {
    (void)snprintf(record, sizeof record, "%032d", i);
    gb_batch batch = {gb_view_of("a"), {0, 0, 1e9}, 32, 1, record};
    cr_assert(gb_store_put(&d, &batch, 1000));
  }
  uint64_t entry = d.log.size / RECORDS;
  gb_store_close(&d);
  unreadable = 100000;
  FILE *report = open_memstream(&said, &length);
  cr_assert_eq(gb_store_open(&d, path, &limits, 1000, report, &err), GBCAST_OK, "%s", err.message);
  unreadable = -1;
  cr_assert(gb_nws_memory_fetch(&d.memory, gb_view_of("a"), RECORDS, 0, 1000, &state, &records));
  cr_assert_geq(state.record_count, RECORDS - 4096 / entry - 2);
  cr_assert_lt(state.record_count, RECORDS);
  gb_store_close(&d);
  (void)fclose(report);
  cr_assert_not_null(strstr(said, "damaged bytes"));
  free(said);
  gb_bytes_release(&records);
  remove_folder(path);
}

/* A full disk at any byte: what is refused leaves no trace, and what was acknowledged stays. */
Test(serve_disk, full_disk, .timeout = 120) {
  static naive_store n;
  (void)signal(SIGXFSZ, SIG_IGN);
  for (uint64_t seed = 1; seed <= (uint64_t)ROUNDS(30); seed++) {
    char path[32], *said = NULL;
    size_t size;
    uint64_t state = seed * 0x9E3779B97F4A7C15u;
    double now = 1000;
    int refused = 0, taken = 0;
    random_change c;
    gb_store d;
    FILE *report = open_memstream(&said, &size);
    make_folder(path);
    open_store(&d, path, now, report);
    n = (naive_store){.ring = serve_limits.ring};
    for (int step = 0; step < 120; step++, now += 4) {
      let_files_grow_to(step / 20 % 2 == 0 ? RLIM_INFINITY : d.log.size + xorshift(&state, 300));
      make_random_change(&c, &state, now);
      c.batch.times.time_out = 1e9;
      gb_batch batch = c.batch;
      bool done = c.kind == STORE ? gb_store_put(&d, &batch, now)
                                  : gb_store_register(&d, gb_view_of(c.object), 0, now);
      if (done && c.kind == STORE)
        naive_put(&n, &batch);
      else if (done)
        naive_register(&n, c.object, 0, now);
      *(done ? &taken : &refused) += 1;
      cr_assert(gb_store_commit(&d, now));
      assert_same_state(&n, &d.registry, &d.memory, now, "while it is full now and then");
    }
    let_files_grow_to(RLIM_INFINITY);
    gb_store_close(&d);
    open_store(&d, path, now, report);
    assert_same_state(&n, &d.registry, &d.memory, now, "afterwards");
    gb_store_close(&d);
    (void)fclose(report);
    cr_assert(taken > 50 && refused > 5, "%d taken, %d refused", taken, refused);
    cr_assert_not_null(strstr(said, "refused until this is mended"));
    cr_assert_not_null(strstr(said, "storing again"));
    cr_assert_null(strstr(said, "damaged"));
    cr_assert_null(strstr(said, "cut off"));
    free(said);
    remove_folder(path);
  }
}

/* A disk that fails to say that it has written: nothing is acknowledged, and all goes to another file. */
Test(serve_disk, failing_disk) {
  char path[32], name[64], *said = NULL;
  size_t size;
  int ends[2];
  double now = 1000;
  gb_store d;
  FILE *report = open_memstream(&said, &size);
  make_folder(path);
  open_store(&d, path, now, report);
  char record[] = "1000 1.5";
  for (int i = 0; i < 8; i++, now += 60) {
    gb_batch batch = {gb_view_of("a"), {now, now, 1e9}, 8, 1, record};
    cr_assert(gb_store_put(&d, &batch, now));
    if (i % 2 == 0) {
      cr_assert(gb_store_commit(&d, now));
      continue;
    }
    cr_assert_eq(pipe(ends), 0);
    cr_assert_geq(dup2(ends[1], d.log.file), 0); /* no pipe can be brought to a disk */
    cr_assert_not(gb_store_commit(&d, now));
    cr_assert(gb_store_commit(&d, now + 30));
    cr_assert_eq(files(path, ".log", name), 1);
    (void)close(ends[0]);
    (void)close(ends[1]);
  }
  char *before = real_text(&d.registry, &d.memory, now);
  gb_store_close(&d);
  open_store(&d, path, now, report);
  char *after = real_text(&d.registry, &d.memory, now);
  gb_store_close(&d);
  (void)fclose(report);
  cr_assert_str_eq(after, before);
  cr_assert_not_null(strstr(said, "refused until this is mended"));
  free(before);
  free(after);
  free(said);
  remove_folder(path);
}
