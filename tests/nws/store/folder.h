/* A store in a folder of its own, for tests that open it again. */
#ifndef GB_TESTS_NWS_STORE_FOLDER_H
#define GB_TESTS_NWS_STORE_FOLDER_H

#include "tests/support/nws/naive_store.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

static const gb_store_limits serve_limits = {.objects = 1000,
                                             .object_bytes = 1 << 20,
                                             .series = 1000,
                                             .series_bytes = 1 << 24,
                                             .ring = 6,
                                             .log_floor = 3000};

static inline void make_folder(char path[32]) {
  strcpy(path, "/tmp/gbcast-nws.XXXXXX");
  cr_assert_not_null(mkdtemp(path));
}

/* How many files of a kind are in the folder; `last` is the path of one of them, without /tmp/. */
static inline int files(const char *path, const char *ending, char last[64]) {
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

static inline void remove_folder(const char *path) {
  char name[64], whole[80];
  while (files(path, "0", name) > 0 || files(path, "lock", name) > 0) {
    (void)snprintf(whole, sizeof whole, "/tmp/%s", name);
    cr_assert_eq(unlink(whole), 0);
  }
  cr_assert_eq(rmdir(path), 0);
}

static inline void open_store(gb_store *d, const char *path, double now, FILE *report) {
  gbcast_error err = {""};
  cr_assert_eq(gb_store_open(d, path, &serve_limits, now, report, &err), GBCAST_OK, "%s", err.message);
}

static inline void change(gb_store *d, const random_change *c, double now) {
  gb_batch batch = c->batch;
  const gb_indexed *object = gb_index_find(&d->registry.index, gb_view_of(c->object));
  switch (c->kind) {
  case REGISTER:
    cr_assert(gb_store_register(d, gb_view_of(c->object), c->seconds, now));
    break;
  case UNREGISTER:
    cr_assert(object == NULL || gb_store_unregister(d, (const gb_registered *)object));
    break;
  case STORE:
    cr_assert(gb_store_put(d, &batch, now));
    break;
  case CLEAN:
    cr_assert(gb_store_clean(d, c->last));
    break;
  }
}

static inline void let_files_grow_to(rlim_t bytes) {
  struct rlimit limit;
  cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes;
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#endif
