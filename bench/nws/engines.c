/* Why gbcast-nws serve has a log of its own: it next to SQLite, with the same records, in one run.
 *
 *   engines FOLDER      an empty folder on the disk to be measured
 *
 * First stores a second, with 1 to 250 stores in a transaction, as a turn of the server makes one of all that
 * its clients ask for. Then records lost when one byte changes after a kill -9: SQLite's files and the log
 * are written in transactions of 40 records and copied as they are, a byte at a random place is changed, and
 * what can still be read is compared. SQLite runs with a write-ahead log, synchronous=FULL, and a checksum in
 * each record. */
#include "nws/store/store.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RECORD = 32, RING = 2000, SERIES = 40, TRANSACTIONS = 500, FLIPS = 400, REPEATS = 5 };

typedef struct database {
  sqlite3 *file;
  sqlite3_stmt *insert, *trim, *read;
} database;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *what) {
  fprintf(stderr, "engines: %s\n", what);
  exit(1);
}

static void make_record(char record[RECORD + 1], int series, int number) {
  (void)snprintf(record, RECORD + 1, "%11d %20.5f", 1795228000 + number, (double)series);
}

/* SQLite. */

static bool sql(database *d, const char *text) {
  return sqlite3_exec(d->file, text, NULL, NULL, NULL) == SQLITE_OK;
}

static sqlite3_stmt *prepare(database *d, const char *text) {
  sqlite3_stmt *statement = NULL;
  (void)sqlite3_prepare_v2(d->file, text, -1, &statement, NULL);
  return statement;
}

static bool database_open(database *d, const char *path) {
  *d = (database){0};
  if (sqlite3_open(path, &d->file) != SQLITE_OK || !sql(d, "PRAGMA journal_mode=WAL") ||
      !sql(d, "PRAGMA synchronous=FULL") || !sql(d, "PRAGMA cache_size=-65536") ||
      !sql(d,
           "CREATE TABLE IF NOT EXISTS record (series INTEGER, number INTEGER, arrived REAL, sequence REAL, "
           "time_out REAL, text BLOB, checksum INTEGER, PRIMARY KEY (series, number)) STRICT, WITHOUT ROWID"))
    return false;
  d->insert = prepare(d, "INSERT INTO record VALUES (?, ?, 1, 1, 1, ?, 1)");
  d->trim = prepare(d, "DELETE FROM record WHERE series = ? AND number <= ?");
  d->read = prepare(d, "SELECT text FROM record WHERE series = ? AND number = ?");
  return d->insert != NULL && d->trim != NULL && d->read != NULL;
}

static void database_close(database *d) {
  (void)sqlite3_finalize(d->insert);
  (void)sqlite3_finalize(d->trim);
  (void)sqlite3_finalize(d->read);
  (void)sqlite3_close(d->file);
}

static void database_put(database *d, int series, int number) {
  char record[RECORD + 1];
  make_record(record, series, number);
  (void)sqlite3_bind_int(d->insert, 1, series);
  (void)sqlite3_bind_int(d->insert, 2, number);
  (void)sqlite3_bind_blob(d->insert, 3, record, RECORD, SQLITE_STATIC);
  (void)sqlite3_bind_int(d->trim, 1, series);
  (void)sqlite3_bind_int(d->trim, 2, number - RING);
  if (sqlite3_step(d->insert) != SQLITE_DONE || sqlite3_step(d->trim) != SQLITE_DONE)
    stop(sqlite3_errmsg(d->file));
  (void)sqlite3_reset(d->insert);
  (void)sqlite3_reset(d->trim);
}

static void database_transaction(database *d, int stores, int number) {
  if (!sql(d, "BEGIN IMMEDIATE"))
    stop(sqlite3_errmsg(d->file));
  for (int series = 0; series < stores; series++)
    database_put(d, series, number);
  if (!sql(d, "COMMIT"))
    stop(sqlite3_errmsg(d->file));
}

/* Records that are there and right. */
static int database_count(const char *path) {
  database d;
  int found = 0;
  bool open = database_open(&d, path);
  for (int i = 0; open && i < SERIES * TRANSACTIONS; i++) {
    char record[RECORD + 1];
    make_record(record, i % SERIES, i / SERIES);
    (void)sqlite3_bind_int(d.read, 1, i % SERIES);
    (void)sqlite3_bind_int(d.read, 2, i / SERIES);
    found += sqlite3_step(d.read) == SQLITE_ROW && sqlite3_column_bytes(d.read, 0) == RECORD &&
             memcmp(sqlite3_column_blob(d.read, 0), record, RECORD) == 0;
    (void)sqlite3_reset(d.read);
  }
  database_close(&d);
  return found;
}

/* The log. */

static void store_open(gb_store *s, const char *path, FILE *report) {
  const gb_store_limits limits = {.ring = RING, .log_floor = 4 << 20};
  gbcast_error err;
  if (gb_store_open(s, path, &limits, 1, report, &err) != GBCAST_OK)
    stop(err.message);
}

static void store_transaction(gb_store *s, int stores, int number) {
  for (int series = 0; series < stores; series++) {
    char record[RECORD + 1], id[16];
    make_record(record, series, number);
    (void)snprintf(id, sizeof id, "s%d", series);
    gb_batch batch = {gb_view_of(id), {0, 0, 1e9}, RECORD, 1, record};
    if (!gb_store_put(s, &batch, 1))
      stop("a store was refused");
  }
  if (!gb_store_commit(s, 1))
    stop("a commit failed");
}

static int store_count(const char *path) {
  gb_store s;
  gb_bytes records = {0};
  FILE *report = fopen("/dev/null", "w");
  int found = 0;
  store_open(&s, path, report);
  for (int series = 0; series < SERIES; series++) {
    char id[16], record[RECORD + 1];
    gb_nws_state state;
    (void)snprintf(id, sizeof id, "s%d", series);
    if (!gb_nws_memory_fetch(&s.memory, gb_view_of(id), RING, 0, 1, &state, &records))
      continue;
    for (uint32_t k = 0; k < state.record_count; k++) {
      memcpy(record, state.records.at + (size_t)k * RECORD, RECORD);
      int number = atoi(record) - 1795228000;
      make_record(record, series, number);
      found += memcmp(record, state.records.at + (size_t)k * RECORD, RECORD) == 0;
    }
  }
  gb_bytes_release(&records);
  gb_store_close(&s);
  (void)fclose(report);
  return found;
}

/* Both. */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *value, int count) {
  qsort(value, (size_t)count, sizeof *value, by_value);
  return value[count / 2];
}

static void compare_rates(const char *folder) {
  printf("stores a second, medians of %d\n%20s %10s %10s\n", REPEATS, "in a transaction", "SQLite", "log");
  for (int stores = 1; stores <= 250; stores = stores == 64 ? 250 : stores * 8) {
    char path[256];
    double rate[2][REPEATS];
    database d;
    gb_store s;
    (void)snprintf(path, sizeof path, "%s/rate%d.db", folder, stores);
    if (!database_open(&d, path))
      stop(sqlite3_errmsg(d.file));
    (void)snprintf(path, sizeof path, "%s/rate%d", folder, stores);
    store_open(&s, path, stderr);
    int transactions = 20000 / (stores + 40);
    for (int repeat = 0, number = 1; repeat < REPEATS; repeat++, number += transactions) {
      double begun = now();
      for (int i = 0; i < transactions; i++)
        database_transaction(&d, stores, number + i);
      double between = now();
      for (int i = 0; i < transactions; i++)
        store_transaction(&s, stores, number + i);
      rate[0][repeat] = stores * transactions / (between - begun);
      rate[1][repeat] = stores * transactions / (now() - between);
    }
    printf("%20d %10.0f %10.0f\n", stores, median(rate[0], REPEATS), median(rate[1], REPEATS));
    database_close(&d);
    gb_store_close(&s);
  }
}

static void run(const char *format, const char *folder) {
  char command[1024];
  (void)snprintf(command, sizeof command, format, folder, folder, folder, folder);
  if (system(command) != 0)
    stop(command);
}

static void flip(const char *path) {
  FILE *file = fopen(path, "r+b");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0)
    stop(path);
  long at = (long)((double)rand() / ((double)RAND_MAX + 1) * (double)ftell(file));
  (void)fseek(file, at, SEEK_SET);
  int byte = fgetc(file);
  (void)fseek(file, at, SEEK_SET);
  (void)fputc(byte ^ (1 + rand() % 255), file);
  (void)fclose(file);
}

static void report_losses(const char *name, double *lost) {
  int none = 0;
  double middle = median(lost, FLIPS);
  while (none < FLIPS && lost[none] <= 0)
    none++;
  printf("%24s %8.0f %8.0f %8.0f %11.0f %%\n", name, middle, lost[FLIPS * 9 / 10], lost[FLIPS - 1],
         100.0 * none / FLIPS);
}

static void compare_losses(const char *folder) {
  static const char *const file[] = {"damage.db", "damage.db-wal", "damage/00000001.log"};
  static const char *const name[] = {"SQLite, database", "SQLite, write-ahead log", "log"};
  char path[256];
  database d;
  gb_store s;
  (void)snprintf(path, sizeof path, "%s/damage.db", folder);
  if (!database_open(&d, path))
    stop(sqlite3_errmsg(d.file));
  (void)snprintf(path, sizeof path, "%s/damage", folder);
  store_open(&s, path, stderr);
  for (int number = 0; number < TRANSACTIONS; number++) {
    database_transaction(&d, SERIES, number);
    store_transaction(&s, SERIES, number);
  }
  run("cd %s && mkdir kept && cp -r damage damage.db damage.db-wal kept",
      folder); /* as kill -9 would leave them */
  database_close(&d);
  gb_store_close(&s);
  printf("\nrecords lost of %d to a changed byte, %d times\n%24s %8s %8s %8s %13s\n", SERIES * TRANSACTIONS,
         FLIPS, "in", "median", "p90", "most", "nothing lost");
  for (int which = 0; which < 3; which++) {
    double lost[FLIPS];
    for (int i = 0; i < FLIPS; i++) {
      run("cd %s && rm -rf hit && cp -r kept hit", folder);
      (void)snprintf(path, sizeof path, "%s/hit/%s", folder, file[which]);
      flip(path);
      (void)snprintf(path, sizeof path, "%s/hit/damage%s", folder, which < 2 ? ".db" : "");
      lost[i] = SERIES * TRANSACTIONS - (which < 2 ? database_count(path) : store_count(path));
    }
    report_losses(name[which], lost);
  }
}

int main(int argc, char **argv) {
  if (argc != 2 || argv[1][0] == '-')
    stop("usage: engines FOLDER");
  compare_rates(argv[1]);
  compare_losses(argv[1]);
  return 0;
}
