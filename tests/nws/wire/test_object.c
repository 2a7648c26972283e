/* Objects and sets of them as text. */
#include "nws/wire/object.h"

#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdio.h>

static bool is_text(gb_view text, const char *expected) {
  return gb_view_is(text, expected);
}

Test(nws_object, sets_are_taken_apart) {
  gb_view set = gb_view_of("name:vm:8050\tobjectclass:nwsHost\t\tx:\tno colon\ty:1, 2\t\tlast:one"), object,
          name, value;
  cr_assert(gb_object_next(&set, &object));
  cr_expect(is_text(object, "name:vm:8050\tobjectclass:nwsHost\t\t"));
  cr_assert(gb_object_attribute(&object, &name, &value));
  cr_expect(is_text(name, "name") && is_text(value, "vm:8050"));
  cr_assert(gb_object_attribute(&object, &name, &value));
  cr_expect(is_text(name, "objectclass") && is_text(value, "nwsHost"));
  cr_expect_not(gb_object_attribute(&object, &name, &value));
  cr_assert(gb_object_next(&set, &object));
  cr_expect(gb_object_get(object, "x", &value) && value.length == 0);
  cr_expect(gb_object_get(object, "y", &value) && is_text(value, "1, 2"));
  cr_expect_not(gb_object_get(object, "no colon", &value));
  cr_expect_not(gb_object_get(object, "last", &value));
  cr_assert(gb_object_next(&set, &object));
  cr_expect(is_text(object, "last:one"));
  cr_expect_not(gb_object_next(&set, &object));
}

Test(nws_object, odd_texts) {
  static const struct {
    const char *text;
    unsigned objects, attributes;
  } row[] = {{"", 0, 0},
             {"\t", 0, 0},
             {"\t\t\t\t\t", 0, 0},
             {"a", 1, 0},
             {"a:b", 1, 1},
             {"a:b\t", 1, 1},
             {"a:b\t\t\t\tc:d", 2, 2},
             {"\t\ta:b\t\t", 1, 1},
             {"a:b\t\t\tc:d", 2, 2},
             {":\t:\t\t:", 2, 3},
             {"a:1\ta:2\t\t", 1, 2}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    gb_view set = gb_view_of(row[i].text), object, name, value;
    unsigned objects = 0, attributes = 0;
    for (; gb_object_next(&set, &object); objects++)
      while (gb_object_attribute(&object, &name, &value))
        attributes++;
    cr_expect(objects == row[i].objects && attributes == row[i].attributes, "'%s': %u objects, %u attributes",
              row[i].text, objects, attributes);
  }
  gb_view nothing = {NULL, 0}, object, value;
  cr_expect_not(gb_object_next(&nothing, &object));
  cr_expect_not(gb_object_get(nothing, "name", &value));
}

Test(nws_object, first_of_a_name_counts_and_names_are_whole) {
  gb_view value;
  gb_view object = gb_view_of("hostname:1\tname:2\tname:3\tNAME:4\t\t");
  cr_expect(gb_object_get(object, "name", &value) && is_text(value, "2"));
  cr_expect_not(gb_object_get(object, "nam", &value));
  cr_expect_not(gb_object_get(object, "me", &value));
}

Test(nws_object, what_would_break_the_text_becomes_blank) {
  gb_bytes out = {0};
  gb_object_add(&out, "a", (gb_view){"x\ty\0z:", 6});
  gb_object_add(&out, "b", (gb_view){NULL, 0});
  gb_object_end(&out);
  cr_expect(is_text(gb_bytes_view(&out), "a:x y z:\tb:\t\t"));
  gb_bytes_release(&out);
}

#define MOST 6u

typedef struct made {
  char name[MOST][8], value[MOST][16];
  size_t length[MOST];
  unsigned count;
} made;

static void make(uint64_t *seed, made *m, gb_bytes *out) {
  static const char alphabet[] = "ab:, \t";
  m->count = 1 + xorshift(seed, MOST - 1);
  for (unsigned i = 0; i < m->count; i++) {
    (void)snprintf(m->name[i], sizeof m->name[i], "n%u", xorshift(seed, 4));
    m->length[i] = xorshift(seed, sizeof m->value[i]);
    for (size_t j = 0; j < m->length[i]; j++)
      m->value[i][j] = alphabet[xorshift(seed, sizeof alphabet)]; /* its NUL too */
    gb_object_add(out, m->name[i], (gb_view){m->value[i], m->length[i]});
    for (size_t j = 0; j < m->length[i]; j++)
      if (m->value[i][j] == '\t' || m->value[i][j] == '\0')
        m->value[i][j] = ' ';
  }
  gb_object_end(out);
}

Test(nws_object, random_ones_come_back) {
  uint64_t seed = 5;
  for (unsigned round = 0; round < 5000; round++) {
    made object[4];
    gb_bytes out = {0};
    unsigned count = xorshift(&seed, 5);
    for (unsigned i = 0; i < count; i++)
      make(&seed, &object[i], &out);
    gb_view set = gb_bytes_view(&out), text, name, value;
    for (unsigned i = 0; i < count; i++) {
      cr_assert(gb_object_next(&set, &text));
      for (unsigned j = 0; j < object[i].count; j++) {
        cr_assert(gb_object_attribute(&text, &name, &value));
        cr_assert(gb_view_is(name, object[i].name[j]));
        cr_assert(value.length == object[i].length[j] &&
                  memcmp(value.at, object[i].value[j], value.length) == 0);
      }
      cr_assert_not(gb_object_attribute(&text, &name, &value));
    }
    cr_assert_not(gb_object_next(&set, &text));
    gb_bytes_release(&out);
  }
}
