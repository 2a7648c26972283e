/* The log of gbcast-nws serve, cut and damaged. */
#include "tests/nws/store/folder.h"
#include "tests/support/rounds.h"

#include <signal.h>

enum { STEPS = 40 };

/* The only log file's path. */
static void log_path(const char *path, char out[80]) {
  char name[64];
  cr_assert_eq(files(path, ".log", name), 1);
  (void)snprintf(out, 80, "/tmp/%s", name);
}

/* A folder with one file of some entries, and what was kept after each. */
static void make_file(const char *path, char file[80], uint64_t end[STEPS + 1], char *kept[STEPS + 1]) {
  gb_store d;
  random_change c;
  uint64_t seed = 11;
  open_store(&d, path, 1000, stderr);
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
  gb_store_close(&d);
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

Test(serve_damage, cut_at_every_byte, .timeout = 120) {
  char path[32], file[80], name[64], *kept[STEPS + 1];
  uint64_t end[STEPS + 1];
  make_folder(path);
  make_file(path, file, end, kept);
  gb_bytes all = read_all(file);
  for (size_t size = 0, whole = 0; size <= all.size; size++) {
    char *said = NULL;
    size_t length;
    FILE *report = open_memstream(&said, &length);
    gb_store d;
    while (whole < STEPS && size >= end[whole + 1])
      whole++;
    write_all(file, all.data, size);
    for (int opening = 0; opening < 2; opening++) { /* it tells once, then all is well */
      open_store(&d, path, 1000 + (double)whole, report);
      char *got = real_text(&d.registry, &d.memory, 1000 + (double)whole);
      cr_assert_str_eq(got, kept[whole], "cut at %zu", size);
      free(got);
      cr_assert_eq(d.log.size, end[whole]);
      gb_store_close(&d);
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

/* What the file's entries say, read by themselves, without the one numbered `left_out`. */
static char *without(const gb_bytes *all, const uint64_t end[STEPS + 1], size_t left_out) {
  gb_nws_registry registry = {0};
  gb_nws_memory memory = {.ring = serve_limits.ring};
  gb_view body;
  for (size_t i = 0; i < STEPS; i++) {
    size_t from = end[i];
    if (i != left_out && end[i + 1] > from &&
        gb_log_entry_next(all->data, all->size, &from, &body) == GB_LOG_SCAN_ENTRY)
      cr_assert_eq(gb_log_entry_apply(body, &registry, &memory), GB_APPLIED);
  }
  char *text = real_text(&registry, &memory, 1000);
  gb_nws_registry_release(&registry);
  gb_nws_memory_release(&memory);
  return text;
}

static void check_opens_as(const char *path, const char *want, FILE *report) {
  gb_store d;
  open_store(&d, path, 1000, report);
  char *got = real_text(&d.registry, &d.memory, 1000);
  gb_store_close(&d);
  (void)fflush(report);
  cr_assert_str_eq(got, want);
  free(got);
}

static void check_set_aside(const char *path, const gb_bytes *want) {
  char name[64], file[80];
  cr_assert_eq(files(path, ".damaged", name), 1);
  (void)snprintf(file, sizeof file, "/tmp/%s", name);
  gb_bytes aside = read_all(file);
  cr_assert(aside.size == want->size && memcmp(aside.data, want->data, want->size) == 0);
  gb_bytes_release(&aside);
}

static void check_damaged_file(const gb_bytes *all, const char *want, bool last) {
  char path[32], file[80], name[64], *said = NULL;
  size_t length;
  FILE *report = open_memstream(&said, &length);
  make_folder(path);
  (void)snprintf(file, sizeof file, "%s/00000001.log", path);
  write_all(file, all->data, all->size);
  check_opens_as(path, want, report);
  if (strstr(said, "cut off") != NULL) { /* a wrong length at the end looks as if the writer had died */
    cr_assert(last);
    cr_assert_eq(files(path, ".damaged", name), 0);
  } else {
    cr_assert_not_null(strstr(said, "damaged"));
    check_set_aside(path, all);
  }
  size_t told = strlen(said);
  check_opens_as(path, want, report);
  cr_assert_eq(strlen(said), told, "told once");
  remove_folder(path);
  (void)fclose(report);
  free(said);
}

/* One damaged entry costs that entry; the file is set aside as it was, and all else is written anew. */
Test(serve_damage, damaged_anywhere, .timeout = 120) {
  char path[32], file[80], *kept[STEPS + 1];
  uint64_t end[STEPS + 1], seed = 5;
  make_folder(path);
  make_file(path, file, end, kept);
  gb_bytes all = read_all(file);
  remove_folder(path);
  for (int round = 0; round < ROUNDS(300); round++) {
    size_t at = xorshift(&seed, (uint32_t)all.size), hit = 0;
    unsigned char old = all.data[at];
    while (at >= end[hit + 1])
      hit++;
    char *want = without(&all, end, hit);
    all.data[at] ^= (unsigned char)(1 + xorshift(&seed, 255));
    check_damaged_file(&all, want, hit == STEPS - 1);
    all.data[at] = old;
    free(want);
  }
  for (int i = 0; i <= STEPS; i++)
    free(kept[i]);
  gb_bytes_release(&all);
}

enum { SERIES = 5, RECORDS = 200, RECORD = 32 };

static const gb_store_limits copy_limits = {.ring = RECORDS, .log_floor = 1 << 30};

static void open_copy(gb_store *d, const char *path, FILE *report) {
  gbcast_error err = {""};
  cr_assert_eq(gb_store_open(d, path, &copy_limits, 1000, report, &err), GBCAST_OK, "%s", err.message);
}

/* Stores number i, in series host0 to host4 in turn. */
static void put_number(gb_store *d, int i) {
  char id[8], record[RECORD + 1];
  (void)snprintf(id, sizeof id, "host%d", i % SERIES);
  (void)snprintf(record, sizeof record, "%0*d", RECORD, i);
  gb_batch batch = {gb_view_of(id), {0, 0, 1e9}, RECORD, 1, record};
  cr_assert(gb_store_put(d, &batch, 1000));
}

/* A log that is nothing but a copy, made while each series was stored to once more. */
static void make_copy(const char *path) {
  gb_store d;
  int next = 0;
  open_copy(&d, path, stderr);
  while (next < SERIES * (RECORDS + 30))
    put_number(&d, next++);
  cr_assert(gb_store_compact_begin(&d));
  for (int i = 0; i < SERIES; i++)
    put_number(&d, next++);
  while (d.compaction.on)
    cr_assert(gb_store_compact_step(&d, 1000));
  gb_store_close(&d);
}

/* Numbers that a series lacks; it has them in order, and no others. */
static int lacking(const gb_store *d, int series) {
  char id[8], record[RECORD + 1] = "";
  gb_bytes records = {0};
  gb_nws_state state;
  (void)snprintf(id, sizeof id, "host%d", series);
  cr_assert(gb_nws_memory_fetch(&d->memory, gb_view_of(id), RECORDS, 0, 1000, &state, &records));
  for (uint32_t k = 0, number = SERIES * (RECORDS + 31); k < state.record_count; k++) {
    memcpy(record, state.records.at + (size_t)k * RECORD, RECORD);
    uint32_t older = (uint32_t)strtoul(record, NULL, 10);
    cr_assert(older < number && older % SERIES == (uint32_t)series, "%u", older);
    number = older;
  }
  gb_bytes_release(&records);
  return RECORDS - (int)state.record_count;
}

/* A damaged byte costs the records of one entry, of one series, which is named. */
Test(serve_damage, damaged_copy, .timeout = 120) {
  uint64_t seed = 6;
  int named = 0;
  for (int round = 0; round < ROUNDS(100); round++) {
    char path[32], file[80], *said = NULL, *name;
    size_t length;
    gb_store d;
    make_folder(path);
    make_copy(path);
    log_path(path, file);
    gb_bytes all = read_all(file);
    all.data[xorshift(&seed, (uint32_t)all.size)] ^= (unsigned char)(1 + xorshift(&seed, 255));
    write_all(file, all.data, all.size);
    gb_bytes_release(&all);
    FILE *report = open_memstream(&said, &length);
    open_copy(&d, path, report);
    (void)fclose(report);
    name = strstr(said, "series host");
    named += name != NULL;
    for (int i = 0; i < SERIES; i++) {
      int lost = lacking(&d, i);
      cr_assert_leq(lost, 19, "%d", lost); /* 1 KiB of records with their times */
      cr_assert(lost == 0 || name == NULL || name[strlen("series host")] == '0' + i, "%s", said);
    }
    gb_store_close(&d);
    free(said);
    remove_folder(path);
  }
  cr_assert_gt(named, ROUNDS(100) * 3 / 4, "%d", named);
}

/* While there is no room to write what was saved, the server does not start, and leaves the files as they
 * are. */
Test(serve_damage, no_room_to_repair) {
  char path[32], file[80], name[64];
  gb_store d;
  gbcast_error err = {""};
  (void)signal(SIGXFSZ, SIG_IGN);
  make_folder(path);
  make_copy(path);
  log_path(path, file);
  gb_bytes all = read_all(file);
  all.data[all.size / 2] ^= 1;
  write_all(file, all.data, all.size);
  gb_bytes_release(&all);
  FILE *report = fopen("/dev/null", "w");
  for (int start = 0; start < 3; start++) {
    let_files_grow_to(5000);
    cr_assert_eq(gb_store_open(&d, path, &copy_limits, 1000, report, &err), GBCAST_EINPUT);
    let_files_grow_to(RLIM_INFINITY);
    cr_assert_not_null(strstr(err.message, "cannot write what was read from the log"), "%s", err.message);
    cr_assert(files(path, ".log", name) == 1 && files(path, ".damaged", name) == 0);
  }
  open_copy(&d, path, report);
  for (int i = 0; i < SERIES; i++)
    cr_assert_leq(lacking(&d, i), 19);
  gb_store_close(&d);
  cr_assert(files(path, ".log", name) == 1 && files(path, ".damaged", name) == 1);
  (void)fclose(report);
  remove_folder(path);
}
