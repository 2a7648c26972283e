/* Reads the log at the start. */
#include "nws/store/log.h"

#include "platform/text/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 4096u   /* bytes: a sector of a disk */
#define TOLD_MOST 20u /* places of damage that are told of each file */

static bool is_file(const char *name, const char *ending, uint64_t *number) {
  char again[GB_LOG_NAME];
  *number = strtoull(name, NULL, 10);
  gb_log_name(again, *number, ending);
  return *number < UINT64_MAX && strcmp(again, name) == 0;
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Always has room for one more, so that the list is not NULL without files. */
static uint64_t *collect(DIR *folder, size_t *count, uint64_t *next) {
  uint32_t capacity = 0;
  uint64_t *files = gb_grow(NULL, 0, &capacity, sizeof *files), number;
  *count = 0;
  *next = 1;
  for (struct dirent *e; files != NULL && (e = readdir(folder)) != NULL;) {
    bool is_log = is_file(e->d_name, "log", &number);
    if (!is_log && !is_file(e->d_name, "damaged", &number))
      continue;
    *next = number >= *next ? number + 1 : *next;
    if (!is_log)
      continue;
    files[(*count)++] = number;
    uint64_t *more = gb_grow(files, *count, &capacity, sizeof *files);
    if (more == NULL)
      free(files);
    files = more;
  }
  if (files != NULL)
    qsort(files, *count, sizeof *files, by_number);
  return files;
}

uint64_t *gb_log_files(const gb_log *log, size_t *count, uint64_t *next) {
  int copy = openat(log->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
  if (folder == NULL) {
    if (copy >= 0)
      (void)close(copy);
    return NULL;
  }
  uint64_t *files = collect(folder, count, next);
  (void)closedir(folder);
  return files;
}

typedef struct log_reader {
  gb_log *log;
  gb_log_apply *apply;
  void *context;
  bool *rewrite;
  unsigned told; /* of damage in this file */
  FILE *report;
  gbcast_error *err;
  char name[GB_LOG_NAME];
} log_reader;

static void tell_damage(log_reader *r, const unsigned char *at, size_t from, size_t bytes) {
  char name[GB_QUOTED(GB_NWS_NAME_MOST)] = "";
  gb_view id;
  *r->rewrite = r->log->set_aside = true;
  if (gb_log_entry_names(at, bytes, &id))
    (void)gb_quote(name, sizeof name, id.at, id.length);
  if (r->told++ == 0)
    fprintf(r->report, "gbcast-nws: %s/%s: damaged; all that can be read is kept, the file is set aside\n",
            r->log->path, r->name);
  if (r->told <= TOLD_MOST)
    fprintf(r->report, "gbcast-nws: %s/%s: %zu damaged bytes at %zu%s%s\n", r->log->path, r->name, bytes,
            from, name[0] != '\0' ? ", of the series " : "", name);
}

/* Applies the entries in `bytes`; *end is the end of the last. */
static int read_bytes(log_reader *r, const unsigned char *bytes, size_t size, size_t *end) {
  gb_view body = {0};
  for (*end = 0;;) {
    size_t from = *end;
    switch (gb_log_entry_next(bytes, size, end, &body)) {
    case GB_LOG_SCAN_END:
      return GBCAST_OK;
    case GB_LOG_SCAN_GAP:
      tell_damage(r, bytes + from, from, *end - from);
      break;
    case GB_LOG_SCAN_ENTRY:
      switch (r->apply(r->context, body)) {
      case GB_APPLIED:
        break;
      case GB_APPLIED_OLD:
        *r->rewrite = true;
        break;
      case GB_APPLY_BAD:
        tell_damage(r, bytes + from, from, *end - from);
        break;
      case GB_APPLY_NO_MEMORY:
        return gb_no_memory(r->err);
      }
    }
  }
}

static int finish(log_reader *r, const unsigned char *bytes, size_t size, size_t end, bool last) {
  gb_log *log = r->log;
  log->earlier += log->size;
  log->size = end;
  if (end == size)
    return GBCAST_OK;
  if (!last || !gb_log_entry_is_torn(bytes + end, size - end)) {
    tell_damage(r, bytes + end, end, size - end);
    return GBCAST_OK;
  }
  fprintf(r->report, "gbcast-nws: %s/%s: cut off the last %zu bytes, an entry that was never finished\n",
          log->path, r->name, size - end);
  if (ftruncate(log->file, (off_t)end) == 0)
    return GBCAST_OK;
  return gb_fail(r->err, GBCAST_EINPUT, "%s/%s: cannot cut the file: %s", log->path, r->name,
                 strerror(errno));
}

static int cannot_read(const log_reader *r) {
  return gb_fail(r->err, GBCAST_EINPUT, "%s/%s: cannot read: %s", r->log->path, r->name, strerror(errno));
}

/* The bytes of a file that is open, for the caller to free. What the disk cannot read counts as zeros, and so
 * as damaged. NULL, with errno. */
static unsigned char *load(int file, size_t size) {
  unsigned char *bytes = malloc(size + 1); /* also of an empty file */
  for (size_t done = 0, block; bytes != NULL && done < size; done += block) {
    block = size - done < BLOCK ? size - done : BLOCK;
    ssize_t n = pread(file, bytes + done, block, (off_t)done);
    if (n < 0 && errno == EIO) {
      memset(bytes + done, 0, block);
    } else if (n > 0) {
      block = (size_t)n;
    } else if (n == 0 || errno != EINTR) {
      errno = n == 0 ? EIO : errno; /* another program cut the file meanwhile */
      free(bytes);
      bytes = NULL;
    } else {
      block = 0;
    }
  }
  return bytes;
}

static int read_file(log_reader *r, uint64_t number, bool last) {
  gb_log *log = r->log;
  struct stat about;
  gb_log_name(r->name, number, "log");
  r->told = 0;
  if (log->file >= 0)
    (void)close(log->file);
  log->file = openat(log->folder, r->name, O_RDWR | O_CLOEXEC);
  if (log->file < 0 || fstat(log->file, &about) != 0)
    return cannot_read(r);
  log->number = number;
  size_t size = (size_t)about.st_size, end = 0;
  unsigned char *bytes = load(log->file, size);
  if (bytes == NULL)
    return cannot_read(r);
  int status = read_bytes(r, bytes, size, &end);
  if (status == GBCAST_OK)
    status = finish(r, bytes, size, end, last);
  free(bytes);
  return status;
}

int gb_log_read(gb_log *log, gb_log_apply *apply, void *context, bool *rewrite, FILE *report,
                gbcast_error *err) {
  size_t count = 0;
  uint64_t next, *files = gb_log_files(log, &count, &next);
  if (files == NULL)
    return gb_fail(err, GBCAST_EINPUT, "%s: cannot read this folder: %s", log->path, strerror(errno));
  log_reader r = {log, apply, context, rewrite, 0, report, err, ""};
  int status = GBCAST_OK;
  *rewrite = false;
  for (size_t i = 0; status == GBCAST_OK && i < count; i++)
    status = read_file(&r, files[i], i + 1 == count);
  free(files);
  if (status == GBCAST_OK && count == 0 && !gb_log_next(log))
    return gb_fail(err, GBCAST_EINPUT, "%s: cannot write in this folder: %s", log->path, strerror(errno));
  return status;
}
