/* What gbcast-nws serve keeps on the disk: the folder is opened again and again, whole, cut and damaged. */
#include "naive_depot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const gb_depot_limits limits = {.objects = 1000,
                                       .object_bytes = 1 << 20,
                                       .series = 1000,
                                       .series_bytes = 1 << 24,
                                       .ring = 6,
                                       .log_floor = 3000};

static void make_folder(char path[32]) {
  strcpy(path, "/tmp/gbcast-nws.XXXXXX");
  cr_assert_not_null(mkdtemp(path));
}

/* Calls `each` for the names of a kind in the folder; returns how many there are. */
static int files(const char *path, const char *ending, char last[64]) {
  int count = 0;
  DIR *folder = opendir(path);
  for (struct dirent *e; (e = readdir(folder)) != NULL;)
    if (strstr(e->d_name, ending) != NULL) {
      count++;
      (void)snprintf(last, 64, "%.20s/%.30s", path + strlen("/tmp/"), e->d_name);
    }
  (void)closedir(folder);
  return count;
}

static void remove_folder(const char *path) {
  char name[64], whole[80];
  while (files(path, "0", name) > 0 || files(path, "lock", name) > 0) {
    (void)snprintf(whole, sizeof whole, "/tmp/%s", name);
    cr_assert_eq(unlink(whole), 0);
  }
  cr_assert_eq(rmdir(path), 0);
}

/* The only log file's path. */
static void log_path(const char *path, char out[80]) {
  char name[64];
  cr_assert_eq(files(path, ".log", name), 1);
  (void)snprintf(out, 80, "/tmp/%s", name);
}

static void open_depot(gb_depot *d, const char *path, double now, FILE *report) {
  gbcast_error err = {""};
  cr_assert_eq(gb_depot_open(d, path, &limits, now, report, &err), GBCAST_OK, "%s", err.message);
}

static void change(gb_depot *d, const random_change *c, double now) {
  gb_batch batch = c->batch;
  const gb_shelved *object = gb_shelf_find(&d->registry.shelf, gb_text_of(c->object));
  switch (c->kind) {
  case REGISTER:
    cr_assert(gb_depot_register(d, gb_text_of(c->object), c->seconds, now));
    break;
  case UNREGISTER:
    cr_assert(object == NULL || gb_depot_unregister(d, (const gb_registered *)object));
    break;
  case STORE:
    cr_assert(gb_depot_store(d, &batch, now));
    break;
  case CLEAN:
    cr_assert(gb_depot_clean(d, c->last));
    break;
  }
}

/* Many changes, with copies of the log in between; after each opening everything is as it was. */
Test(serve_depot, opened_again, .timeout = 120) {
  static naive_depot n;
  int copies = 0, openings = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    char path[32], name[64], *said = NULL;
    size_t size;
    uint64_t state = seed * 0x9E3779B97F4A7C15u;
    random_change c;
    double now = 1000;
    FILE *report = open_memstream(&said, &size);
    gb_depot d;
    make_folder(path);
    open_depot(&d, path, now, report);
    n = (naive_depot){.ring = limits.ring};
    for (int step = 0; step < 400; step++, now += xorshift(&state, 8) * 0.25) {
      make_random_change(&c, &state, now);
      naive_change(&n, &c, now);
      change(&d, &c, now);
      uint64_t before = d.log.number;
      if (xorshift(&state, 3) == 0) /* one that is left out: the process may end at any time */
        cr_assert(gb_depot_commit(&d, now));
      copies += d.log.number != before;
      assert_same_state(&n, &d.registry, &d.memory, now, "before");
      if (xorshift(&state, 40) != 0)
        continue;
      gb_depot_close(&d);
      open_depot(&d, path, now, report);
      openings++;
      assert_same_state(&n, &d.registry, &d.memory, now, "after");
    }
    cr_assert_leq(files(path, ".log", name), 2);
    cr_assert_eq(files(path, ".damaged", name), 0);
    gb_depot_close(&d);
    remove_folder(path);
    (void)fclose(report);
    cr_assert_str_eq(said, "");
    free(said);
  }
  cr_assert_gt(copies, 15, "%d", copies);
  cr_assert_gt(openings, 50, "%d", openings);
}

enum { STEPS = 40 };

/* A folder with one file of some entries, and what was kept after each. */
static void make_file(const char *path, char file[80], uint64_t end[STEPS + 1], char *kept[STEPS + 1]) {
  gb_depot d;
  random_change c;
  uint64_t seed = 11;
  open_depot(&d, path, 1000, stderr);
  d.log_floor = 1 << 20;
  for (int i = 0; i <= STEPS; i++) {
    end[i] = d.log.size;
    kept[i] = real_text(&d.registry, &d.memory, 1000 + i);
    do
      make_random_change(&c, &seed, 1000 + i);
    while (c.kind == CLEAN);
    if (i < STEPS)
      change(&d, &c, 1000 + i);
  }
  gb_depot_close(&d);
  log_path(path, file);
}

static gb_bytes read_all(const char *file) {
  gb_bytes all = {0};
  char bytes[4096];
  FILE *in = fopen(file, "rb");
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
    gb_put(&all, bytes, n);
  (void)fclose(in);
  return all;
}

static void write_all(const char *file, const unsigned char *bytes, size_t size) {
  FILE *out = fopen(file, "wb");
  cr_assert_eq(fwrite(bytes, 1, size, out), size);
  cr_assert_eq(fclose(out), 0);
}

Test(serve_depot, cut_at_every_byte, .timeout = 120) {
  char path[32], file[80], name[64], *kept[STEPS + 1];
  uint64_t end[STEPS + 1];
  make_folder(path);
  make_file(path, file, end, kept);
  gb_bytes all = read_all(file);
  for (size_t size = 0, whole = 0; size <= all.size; size++) {
    char *said = NULL;
    size_t length;
    FILE *report = open_memstream(&said, &length);
    gb_depot d;
    while (whole < STEPS && size >= end[whole + 1])
      whole++;
    write_all(file, all.data, size);
    for (int opening = 0; opening < 2; opening++) { /* it tells once, then all is well */
      open_depot(&d, path, 1000 + (double)whole, report);
      char *got = real_text(&d.registry, &d.memory, 1000 + (double)whole);
      cr_assert_str_eq(got, kept[whole], "cut at %zu", size);
      free(got);
      cr_assert_eq(d.log.size, end[whole]);
      gb_depot_close(&d);
    }
    (void)fclose(report);
    char *first = strstr(said, "cut off the last");
    cr_assert_eq(first != NULL, size != end[whole], "%zu: %s", size, said);
    cr_assert(first == NULL || strstr(first + 1, "cut off") == NULL);
    free(said);
  }
  cr_assert_eq(files(path, ".damaged", name), 0);
  for (int i = 0; i <= STEPS; i++)
    free(kept[i]);
  gb_bytes_release(&all);
  remove_folder(path);
}

/* One damaged entry costs that entry; the file is set aside as it was, and all else is written anew. */
Test(serve_depot, damaged_anywhere, .timeout = 120) {
  char path[32], file[80], name[64], *kept[STEPS + 1];
  uint64_t end[STEPS + 1], seed = 5;
  make_folder(path);
  make_file(path, file, end, kept);
  gb_bytes all = read_all(file);
  remove_folder(path);
  for (int round = 0; round < 300; round++) {
    char *said = NULL;
    size_t length, at = xorshift(&seed, (uint32_t)all.size), hit = 0;
    FILE *report = open_memstream(&said, &length);
    unsigned char old = all.data[at];
    gb_depot d;
    while (at >= end[hit + 1])
      hit++;
    all.data[at] ^= (unsigned char)(1 + xorshift(&seed, 255));
    make_folder(path);
    (void)snprintf(file, sizeof file, "%s/00000001.log", path);
    write_all(file, all.data, all.size);
    open_depot(&d, path, 1000, report);
    char *first = real_text(&d.registry, &d.memory, 1000);
    gb_depot_close(&d);
    (void)fflush(report);
    bool cut =
        strstr(said, "cut off") != NULL; /* a length too long at the end looks like the death of a writer */
    cr_assert(cut ? hit == STEPS - 1 : strstr(said, "damaged") != NULL, "%s", said);
    cr_assert_eq(files(path, ".damaged", name), cut ? 0 : 1);
    if (!cut) {
      (void)snprintf(file, sizeof file, "/tmp/%.70s", name);
      gb_bytes aside = read_all(file);
      cr_assert(aside.size == all.size && memcmp(aside.data, all.data, all.size) == 0);
      gb_bytes_release(&aside);
    }
    long told = ftell(report);
    open_depot(&d, path, 1000, report);
    char *second = real_text(&d.registry, &d.memory, 1000);
    gb_depot_close(&d);
    cr_assert_str_eq(second, first);
    cr_assert_eq(ftell(report), told, "told once");

    gb_registry registry = {0}; /* all other entries, read by themselves */
    gb_memory memory = {.ring = limits.ring};
    gb_text body;
    for (size_t i = 0; i < STEPS; i++) {
      size_t from = end[i];
      if (i != hit && end[i + 1] > from && gb_entry_next(all.data, all.size, &from, &body) == GB_FOUND_ENTRY)
        cr_assert_eq(gb_entry_apply(body, &registry, &memory), GB_APPLIED);
    }
    char *want = real_text(&registry, &memory, 1000);
    cr_assert_str_eq(first, want, "byte %zu of entry %zu", at, hit);
    gb_registry_release(&registry);
    gb_memory_release(&memory);
    free(want);
    free(first);
    free(second);
    (void)fclose(report);
    free(said);
    all.data[at] = old;
    remove_folder(path);
  }
  for (int i = 0; i <= STEPS; i++)
    free(kept[i]);
  gb_bytes_release(&all);
}

static void let_files_grow_to(rlim_t bytes) {
  struct rlimit limit;
  cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes;
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A full disk at any byte: what is refused leaves no trace, and what was acknowledged stays. */
Test(serve_depot, full_disk, .timeout = 120) {
  static naive_depot n;
  (void)signal(SIGXFSZ, SIG_IGN);
  for (uint64_t seed = 1; seed <= 30; seed++) {
    char path[32], *said = NULL;
    size_t size;
    uint64_t state = seed * 0x9E3779B97F4A7C15u;
    double now = 1000;
    int refused = 0, taken = 0;
    random_change c;
    gb_depot d;
    FILE *report = open_memstream(&said, &size);
    make_folder(path);
    open_depot(&d, path, now, report);
    n = (naive_depot){.ring = limits.ring};
    for (int step = 0; step < 120; step++, now += 4) {
      let_files_grow_to(step / 20 % 2 == 0 ? RLIM_INFINITY : d.log.size + xorshift(&state, 300));
      make_random_change(&c, &state, now);
      c.batch.slot.time_out = 1e9;
      gb_batch batch = c.batch;
      bool done = c.kind == STORE ? gb_depot_store(&d, &batch, now)
                                  : gb_depot_register(&d, gb_text_of(c.object), 0, now);
      if (done && c.kind == STORE)
        naive_store(&n, &batch);
      else if (done)
        naive_register(&n, c.object, 0, now);
      *(done ? &taken : &refused) += 1;
      cr_assert(gb_depot_commit(&d, now));
      assert_same_state(&n, &d.registry, &d.memory, now, "while it is full now and then");
    }
    let_files_grow_to(RLIM_INFINITY);
    gb_depot_close(&d);
    open_depot(&d, path, now, report);
    assert_same_state(&n, &d.registry, &d.memory, now, "afterwards");
    gb_depot_close(&d);
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

/* A copy that was not finished when the process ended leaves two files, which together say all. */
Test(serve_depot, unfinished_copy) {
  static naive_depot n;
  char path[32], name[64];
  gb_depot d;
  random_change c;
  uint64_t seed = 21;
  make_folder(path);
  for (int stop = 0; stop < 60; stop++) {
    double now = 1000;
    n = (naive_depot){.ring = limits.ring};
    open_depot(&d, path, now, stderr);
    d.log_floor = 1 << 30;
    for (int step = 0; step < 120; step++, now += 0.25) {
      make_random_change(&c, &seed, now);
      naive_change(&n, &c, now);
      change(&d, &c, now);
      if (step == 60)
        cr_assert(gb_depot_copy_begin(&d));
    }
    int left = stop; /* pieces that are still copied; then the process ends */
    let_files_grow_to(d.log.size + 20 * (rlim_t)left);
    (void)signal(SIGXFSZ, SIG_IGN);
    d.report = fopen("/dev/null", "w");
    (void)gb_depot_copy_step(&d, now);
    (void)fclose(d.report);
    let_files_grow_to(RLIM_INFINITY);
    gb_depot_close(&d);
    open_depot(&d, path, now, stderr);
    assert_same_state(&n, &d.registry, &d.memory, now, "both files");
    for (int turn = 0; turn < 1000 && (gb_depot_is_busy(&d, now) || d.log.earlier > 0); turn++)
      cr_assert(gb_depot_commit(&d, now));
    cr_assert_eq(files(path, ".log", name), 1);
    gb_depot_close(&d);
    open_depot(&d, path, now, stderr);
    assert_same_state(&n, &d.registry, &d.memory, now, "the copy");
    gb_depot_close(&d);
    remove_folder(path);
    make_folder(path);
  }
  remove_folder(path);
}

/* A disk that fails to say that it has written: nothing is acknowledged, and all goes to another file. */
Test(serve_depot, failing_disk) {
  char path[32], name[64], *said = NULL;
  size_t size;
  int ends[2];
  double now = 1000;
  gb_depot d;
  FILE *report = open_memstream(&said, &size);
  make_folder(path);
  open_depot(&d, path, now, report);
  char record[] = "1000 1.5";
  for (int i = 0; i < 8; i++, now += 60) {
    gb_batch batch = {gb_text_of("a"), {now, now, 1e9}, 8, 1, record};
    cr_assert(gb_depot_store(&d, &batch, now));
    if (i % 2 == 0) {
      cr_assert(gb_depot_commit(&d, now));
      continue;
    }
    cr_assert_eq(pipe(ends), 0);
    cr_assert_geq(dup2(ends[1], d.log.file), 0); /* no pipe can be brought to a disk */
    cr_assert_not(gb_depot_commit(&d, now));
    cr_assert(gb_depot_commit(&d, now + 30));
    cr_assert_eq(files(path, ".log", name), 1);
    (void)close(ends[0]);
    (void)close(ends[1]);
  }
  char *before = real_text(&d.registry, &d.memory, now);
  gb_depot_close(&d);
  open_depot(&d, path, now, report);
  char *after = real_text(&d.registry, &d.memory, now);
  gb_depot_close(&d);
  (void)fclose(report);
  cr_assert_str_eq(after, before);
  cr_assert_not_null(strstr(said, "may be lost"));
  free(before);
  free(after);
  free(said);
  remove_folder(path);
}

Test(serve_depot, one_server_a_folder) {
  char path[32];
  gb_depot d, other;
  gbcast_error err = {""};
  make_folder(path);
  open_depot(&d, path, 1000, stderr);
  pid_t child = fork(); /* a process does not lock itself out */
  if (child == 0)
    _exit(gb_depot_open(&other, path, &limits, 1000, stderr, &err) != GBCAST_OK &&
                  strstr(err.message, "in use by another server") != NULL
              ? 7
              : 8);
  int status = 0;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%d", status);
  gb_depot_close(&d);
  remove_folder(path);
}
