/* Preloaded into one rank of gbcast-cp, makes happen what a test cannot wait for. CP_FAULT is
 *
 *   damage:N   the first N checksums of blocks are wrong, as if what came were damaged
 *   kill:N     the process is killed where it would write block N, from 1
 *   wait:N     there it makes the file `waiting`, and waits for a signal
 *   touch      the file that is read first changes
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* What is left to happen of a fault, which the environment counts down. 0: nothing. */
static long left(const char *fault) {
  static long count = -1;
  const char *wanted = getenv("CP_FAULT");
  const size_t length = strlen(fault);
  if (wanted == NULL || strncmp(wanted, fault, length) != 0)
    return 0;
  if (count < 0)
    count = wanted[length] == ':' ? strtol(wanted + length + 1, NULL, 10) : 1;
  return count > 0 ? count-- : 0;
}

/* Checksums of names and headers are of fewer bytes. */
XXH64_hash_t XXH3_64bits(const void *input, size_t length) {
  XXH64_hash_t (*real)(const void *, size_t) =
      (XXH64_hash_t(*)(const void *, size_t))dlsym(RTLD_NEXT, "XXH3_64bits");
  return real(input, length) ^ (length > 4096 && left("damage") > 0);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  ssize_t (*real)(int, const void *, size_t, off_t) =
      (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  if (left("kill") == 1)
    (void)raise(SIGKILL);
  if (left("wait") == 1) {
    (void)close(open("waiting", O_WRONLY | O_CREAT, 0600));
    (void)pause();
  }
  return real(fd, data, length, offset);
}

ssize_t pread(int fd, void *data, size_t length, off_t offset) {
  ssize_t (*real)(int, void *, size_t, off_t) =
      (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
  if (left("touch") == 1)
    (void)futimens(fd, (struct timespec[2]){{.tv_sec = 1}, {.tv_sec = 1}});
  return real(fd, data, length, offset);
}
