/* The registry of gbcast-nws serve against one that keeps a plain list; its bounds. */
#include "tests/support/nws/naive_store.h"

Test(serve_registry, as_a_plain_list) {
  static naive_store n;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed * 0x9E3779B97F4A7C15u;
    double now = 1000;
    random_change c;
    gb_nws_registry r = {0};
    gb_nws_memory none = {0};
    n = (naive_store){0};
    for (int step = 0; step < 400; step++, now += xorshift(&state, 8) * 0.25) {
      make_random_change(&c, &state, now);
      if (c.kind != REGISTER && c.kind != UNREGISTER)
        continue;
      naive_change(&n, &c, now);
      gb_nws_registry_expire(&r, now);
      if (c.kind == UNREGISTER)
        gb_nws_registry_forget(&r, gb_view_of(c.object));
      else
        cr_assert(gb_nws_registry_put(&r, gb_view_of(c.object), c.seconds > 0 ? now + c.seconds : 0, 0));
      assert_same_state(&n, &r, &none, now, "after a change");
      assert_same_state(&n, &r, &none, now + 10, "later"); /* nobody has swept */
    }
    gb_nws_registry_release(&r);
    cr_assert_eq(r.bytes, 0);
  }
}

Test(serve_registry, bounds) {
  gb_nws_registry r = {.count_most = 2};
  gb_view a = gb_view_of("name:a\t\t"), b = gb_view_of("name:b\t\t"), c = gb_view_of("name:c\t\t");
  cr_assert(gb_nws_registry_has_room(&r, a) && gb_nws_registry_put(&r, a, 0, 0));
  cr_assert(gb_nws_registry_has_room(&r, b) && gb_nws_registry_put(&r, b, 5, 0));
  cr_assert_not(gb_nws_registry_has_room(&r, c));
  cr_assert(gb_nws_registry_has_room(&r, a), "a refresh needs no room");
  gb_nws_registry_expire(&r, 5);
  cr_assert(gb_nws_registry_has_room(&r, c));
  r.count_most = 0;
  r.bytes_most = a.length + 1;
  cr_assert_not(gb_nws_registry_has_room(&r, c));
  gb_nws_registry_release(&r);
}

Test(serve_registry, what_is_an_object) {
  static const struct {
    const char *text;
    bool is;
  } texts[] = {{"name:x\t\t", true},
               {"name:x\tport:1\t\t", true},
               {"", false},
               {"\t\t", false},
               {"name:x\t", false},
               {"name:x\t\t\t", false},
               {"name:x\t\tname:y\t\t", false},
               {"port:1\t\t", false},
               {"name:\t\t", false},
               {"\tname:x\t\t", false}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    cr_assert_eq(gb_nws_registry_is_object(gb_view_of(texts[i].text)), texts[i].is, "'%s'", texts[i].text);
  cr_assert_not(gb_nws_registry_is_object((gb_view){"name:x\0y\t\t", 10}));
  static char many[GB_REGISTRY_TEXT_MOST + 2];
  memset(many, 'x', sizeof many - 1);
  memcpy(many, "name:", 5);
  memcpy(many + GB_REGISTRY_TEXT_MOST - 2, "\t\t", 2);
  cr_assert(gb_nws_registry_is_object((gb_view){many, GB_REGISTRY_TEXT_MOST}));
  memcpy(many + GB_REGISTRY_TEXT_MOST - 2, "x\t\t", 3);
  cr_assert_not(gb_nws_registry_is_object((gb_view){many, GB_REGISTRY_TEXT_MOST + 1}));
}

/* Numbers that a damaged or foreign log gives twice must not hide an object. */
Test(serve_registry, a_number_twice) {
  gb_nws_registry r = {0};
  cr_assert(gb_nws_registry_put(&r, gb_view_of("name:a\t\t"), 0, 7));
  cr_assert(gb_nws_registry_put(&r, gb_view_of("name:b\t\t"), 0, 3));
  cr_assert(gb_nws_registry_put(&r, gb_view_of("name:c\t\t"), 0, 7));
  static const char *const order[] = {"name:b\t\t", "name:a\t\t", "name:c\t\t"};
  uint64_t next = 0;
  for (int i = 0; i < 3; i++) {
    const gb_registered *object = gb_nws_registry_from(&r, next, 0);
    cr_assert_not_null(object);
    cr_assert(gb_view_is(object->indexed.key, order[i]));
    next = object->indexed.number + 1;
  }
  cr_assert_null(gb_nws_registry_from(&r, next, 0));
  gb_nws_registry_release(&r);
}

/* A log that says so can use all numbers up; then nothing is taken in that could not be found again. */
Test(serve_registry, no_number_left) {
  gb_nws_registry r = {0};
  gb_view last = gb_view_of("name:a\t\t"), other = gb_view_of("name:b\t\t");
  cr_assert(gb_nws_registry_put(&r, last, 5, GB_INDEX_LAST));
  cr_assert_gt(gb_nws_registry_number(&r, other, 0), GB_INDEX_LAST);
  cr_assert_not(gb_nws_registry_put(&r, other, 0, 0));
  cr_assert_not(gb_nws_registry_put(&r, other, 0, GB_INDEX_LAST));
  cr_assert_eq(r.index.count, 1);
  cr_assert(gb_nws_registry_put(&r, last, 0, 0));
  cr_assert_eq(gb_nws_registry_number(&r, last, 9), GB_INDEX_LAST);
  gb_nws_registry_release(&r);
}

/* Ten thousand objects: as many steps as they are, not their square (which would take minutes here). */
Test(serve_registry, many, .timeout = 60) {
  gb_nws_registry r = {0};
  char text[64];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 100000; i++) {
      (void)snprintf(text, sizeof text, "name:n%d\t\t", i * 7919 % 100000);
      cr_assert(gb_nws_registry_put(&r, gb_view_of(text), 10.0 * (round + 1), 0));
    }
    cr_assert_eq(r.index.count, 100000);
    if (round == 1)
      gb_nws_registry_expire(&r, 100);
  }
  gb_nws_registry_release(&r);
}

/* Who comes and goes for years leaves nothing behind. */
Test(serve_registry, coming_and_going) {
  gb_nws_registry r = {0};
  char text[64];
  for (int i = 0; i < 20000; i++) {
    (void)snprintf(text, sizeof text, "name:n%d\t\t", i);
    cr_assert(gb_nws_registry_put(&r, gb_view_of(text), i % 100 == 0 ? 0 : i + 10, 0));
    gb_nws_registry_expire(&r, i);
    cr_assert_leq(r.index.used, 2 * r.index.count + 66);
  }
  cr_assert_eq(r.index.count, 200 + 10);
  gb_nws_registry_release(&r);
}
