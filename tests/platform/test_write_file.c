/* Files that are replaced as a whole. */
#define _XOPEN_SOURCE 700 /* mkdtemp(), symlink() */
#include "platform/text/text.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[32];

static void enter(void) {
  (void)snprintf(folder, sizeof folder, "/tmp/write-XXXXXX");
  cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static void leave(void) {
  char command[64];
  (void)snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);
}

TestSuite(write_file, .init = enter, .fini = leave);

static int write_word(FILE *out, void *word) {
  return fputs(word, out) < 0 ? errno : 0;
}

static int fail(FILE *out, void *why) {
  (void)fputs("half", out);
  return *(int *)why;
}

static void has(const char *path, const char *expected) {
  char text[32] = "";
  FILE *in = fopen(path, "r");
  cr_assert_not_null(in, "%s", path);
  text[fread(text, 1, sizeof text - 1, in)] = '\0';
  (void)fclose(in);
  cr_assert_str_eq(text, expected, "%s", path);
}

static int count_files(void) {
  int count = -2; /* . and .. */
  DIR *all = opendir(".");
  while (readdir(all) != NULL)
    count++;
  (void)closedir(all);
  return count;
}

static mode_t mode_of(const char *path) {
  struct stat about;
  cr_assert_eq(lstat(path, &about), 0);
  return about.st_mode;
}

Test(write_file, new_and_replaced) {
  (void)umask(022);
  cr_assert_eq(gb_write_file("a", write_word, "one"), 0);
  cr_assert_eq(mode_of("a") & 0777, 0644);
  cr_assert_eq(chmod("a", 0640), 0);
  cr_assert_eq(gb_write_file("a", write_word, "two"), 0);
  has("a", "two");
  cr_assert_eq(mode_of("a") & 0777, 0640);
  cr_assert_eq(count_files(), 1);
}

Test(write_file, links_lead_to_the_same_place) {
  cr_assert_eq(gb_write_file("a", write_word, "one"), 0);
  cr_assert_eq(symlink("a", "link"), 0);
  cr_assert_eq(gb_write_file("link", write_word, "two"), 0);
  cr_assert(S_ISLNK(mode_of("link")));
  has("a", "two");
  cr_assert_eq(count_files(), 2);
}

Test(write_file, nothing_changes_after_an_error) {
  int why = ENODATA;
  cr_assert_eq(gb_write_file("a", write_word, "one"), 0);
  cr_assert_eq(gb_write_file("a", fail, &why), ENODATA);
  has("a", "one");
  cr_assert_eq(gb_write_file("none/a", fail, &why), ENOENT);
  cr_assert_eq(gb_write_file("a/b", fail, &why), ENOTDIR);
  cr_assert_eq(gb_try_file("a/b"), ENOTDIR);
  cr_assert_eq(gb_try_file("b"), 0);
  cr_assert_eq(gb_try_file("a"), 0);
  cr_assert_eq(count_files(), 1);
}

Test(write_file, devices_are_written) {
  cr_assert_eq(gb_write_file("/dev/null", write_word, "one"), 0);
  cr_assert(S_ISCHR(mode_of("/dev/null")));
  cr_assert_eq(gb_try_file("/dev/null"), 0);
  cr_assert_eq(gb_write_file("/dev/full", write_word, "one"), ENOSPC);
}

/* What a process that was killed has left is in nobody's way. */
Test(write_file, other_names_are_found) {
  char left[32];
  (void)snprintf(left, sizeof left, "a.%ld", (long)getpid());
  cr_assert_eq(gb_write_file(left, write_word, "old"), 0);
  cr_assert_eq(gb_write_file("a", write_word, "one"), 0);
  has("a", "one");
  has(left, "old");
  cr_assert_eq(count_files(), 2);
}
