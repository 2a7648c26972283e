/* Descriptions of what is copied: they arrive as they were, and no description, however damaged, leads out of
 * the destination. */
#include "tests/support/xorshift.h"
#include "tools/cp/batch.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 300, ENTRIES_MOST = 20 };

static const char *const path_of[] = {"",        "a", "a/b", "...", "..a/b..", "with space/and\nnewline",
                                      "\xff\x01"};

static gb_cp_entry random_entry(uint64_t *seed) {
  const enum gb_cp_kind kind = (enum gb_cp_kind)xorshift(seed, GB_CP_KINDS);
  const char *path = path_of[xorshift(seed, sizeof path_of / sizeof *path_of)];
  const char *target = "";
  if (kind == GB_CP_SYMLINK)
    target = xorshift(seed, 2) == 0 ? "/etc/passwd" : "../..";
  else if (kind == GB_CP_HARD_LINK)
    target = path_of[xorshift(seed, sizeof path_of / sizeof *path_of)];
  return (gb_cp_entry){.kind = kind,
                       .mode = xorshift(seed, 010000),
                       .size =
                           kind == GB_CP_FILE ? (uint64_t)xorshift(seed, 1 << 30) << xorshift(seed, 8) : 0,
                       .time = {.tv_sec = (time_t)xorshift(seed, 1U << 31) - (1 << 30),
                                .tv_nsec = (long)xorshift(seed, 1000000000)},
                       .path = path,
                       .target = target};
}

static size_t random_text(uint64_t *seed, gb_cp_batch *batch, gb_cp_entry entry[ENTRIES_MOST]) {
  const size_t count = 1 + xorshift(seed, ENTRIES_MOST);
  for (size_t i = 0; i < count; i++) {
    entry[i] = random_entry(seed);
    cr_assert(gb_cp_batch_add(batch, &entry[i]));
  }
  return count;
}

Test(batch, arrives_as_it_was) {
  uint64_t seed = 1;
  for (int round = 0; round < ROUNDS; round++) {
    gb_cp_batch batch = {0};
    gb_cp_entry entry[ENTRIES_MOST];
    gbcast_error err = {""};
    const size_t count = random_text(&seed, &batch, entry);
    cr_assert_eq(gb_cp_batch_read(&batch, &err), GBCAST_OK, "%s", err.message);
    cr_assert_eq(batch.count, count);
    uint64_t blocks = 0;
    for (size_t i = 0; i < count; i++) {
      const gb_cp_entry *got = &batch.entry[i], *want = &entry[i];
      cr_assert(got->kind == want->kind && got->mode == want->mode && got->size == want->size);
      cr_assert(got->time.tv_sec == want->time.tv_sec && got->time.tv_nsec == want->time.tv_nsec);
      cr_assert(strcmp(got->path, want->path) == 0 && strcmp(got->target, want->target) == 0);
      cr_assert_eq(got->first, blocks);
      blocks += gb_cp_blocks(want->size);
    }
    cr_assert_eq(batch.blocks, blocks);
    gb_cp_batch_free(&batch);
  }
}

/* What the reader takes, whatever it is, has paths below the top, and blocks that can be walked through. */
static void check_harmless(const gb_cp_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    char path[GB_CP_PATH_MOST + 1];
    cr_assert_leq(strlen(batch->entry[i].path), GB_CP_PATH_MOST);
    cr_assert_neq(batch->entry[i].path[0], '/');
    (void)strcpy(path, batch->entry[i].path);
    for (char *rest = path, *part; (part = strtok_r(rest, "/", &rest)) != NULL;)
      cr_assert(strcmp(part, "..") != 0 && strcmp(part, ".") != 0, "%s", batch->entry[i].path);
  }
}

Test(batch, damage_does_no_harm) {
  uint64_t seed = 2;
  for (int round = 0; round < 10 * ROUNDS; round++) {
    gb_cp_batch batch = {0};
    gb_cp_entry entry[ENTRIES_MOST];
    gbcast_error err = {""};
    (void)random_text(&seed, &batch, entry);
    for (uint32_t changes = xorshift(&seed, 4); changes > 0; changes--)
      batch.text[xorshift(&seed, (uint32_t)batch.length)] = (unsigned char)"/.\0\1\377a"[xorshift(&seed, 6)];
    batch.length -= xorshift(&seed, 3) == 0 ? xorshift(&seed, (uint32_t)batch.length) : 0;
    if (gb_cp_batch_read(&batch, &err) == GBCAST_OK)
      check_harmless(&batch);
    else
      cr_assert_neq(err.message[0], '\0');
    gb_cp_batch_free(&batch);
  }
}

Test(batch, refuses_what_leads_out) {
  static const char *const bad[] = {"/", "/etc", "..", "../x", "a/..", "a/../b", "a//b", "a/", ".", "./a"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    for (int link = 0; link < 2; link++) {
      gb_cp_batch batch = {0};
      gbcast_error err = {""};
      const gb_cp_entry entry = {.kind = link ? GB_CP_HARD_LINK : GB_CP_FILE,
                                 .path = link ? "a" : bad[i],
                                 .target = link ? bad[i] : ""};
      cr_assert(gb_cp_batch_add(&batch, &entry));
      cr_assert_eq(gb_cp_batch_read(&batch, &err), GBCAST_EINPUT, "%s", bad[i]);
      cr_assert_not_null(strstr(err.message, "leads out of the destination"));
      gb_cp_batch_free(&batch);
    }
}

/* A walk meets the blocks of a set, each with its place in its file. */
Test(batch, walk) {
  uint64_t seed = 3;
  for (int round = 0; round < ROUNDS; round++) {
    gb_cp_batch batch = {0};
    gbcast_error err;
    const uint32_t files = 1 + xorshift(&seed, 8);
    for (uint32_t i = 0; i < files; i++) {
      const gb_cp_entry entry = {.kind = xorshift(&seed, 4) == 0 ? GB_CP_DIRECTORY : GB_CP_FILE,
                                 .size = xorshift(&seed, 5 * (uint32_t)GB_CP_BLOCK),
                                 .path = "a",
                                 .target = ""};
      cr_assert(gb_cp_batch_add(&batch, &entry));
    }
    cr_assert_eq(gb_cp_batch_read(&batch, &err), GBCAST_OK);
    unsigned char *set = calloc(1, gb_cp_set_bytes(batch.blocks));
    uint64_t wanted = 0, met = 0, bytes = 0, last = 0;
    const uint32_t of = 1 + xorshift(&seed, 30);
    for (uint64_t b = 0; b < batch.blocks; b++)
      if (xorshift(&seed, of) == 0) {
        gb_cp_add(set, b);
        wanted++;
      }
    gb_cp_walk walk = {.batch = &batch, .set = set};
    for (gb_cp_place place; gb_cp_walk_next(&walk, &place); met++) {
      const gb_cp_entry *entry = &batch.entry[place.entry];
      cr_assert(gb_cp_in(set, place.block) && (met == 0 || place.block > last));
      cr_assert_eq(entry->kind, GB_CP_FILE);
      cr_assert_eq(place.offset, (place.block - entry->first) * GB_CP_BLOCK);
      cr_assert(place.length > 0 && place.length <= GB_CP_BLOCK &&
                place.offset + place.length <= entry->size);
      cr_assert(place.length == GB_CP_BLOCK || place.offset + place.length == entry->size);
      last = place.block;
      bytes += place.length;
    }
    cr_assert_eq(met, wanted);
    cr_assert_leq(bytes, wanted * GB_CP_BLOCK);
    free(set);
    gb_cp_batch_free(&batch);
  }
}
