/* The reader of JSON: what it takes and refuses, held against jansson, and where it says an error is. */
#include "plan/show/json_read.h"
#include "tests/support/random_platform.h"
#include <jansson.h>
#include <math.h>

static int read_text(const char *text, size_t length, gb_json_document *d, gbcast_error *err) {
  return gb_json_read(text, length, "x.json", d, err);
}

static void expect_refused(const char *text, const char *message) {
  gb_json_document d;
  gbcast_error err = {""};
  cr_assert_eq(read_text(text, strlen(text), &d, &err), GBCAST_EINPUT, "%s is taken", text);
  cr_expect_str_eq(err.message, message, "%s: %s", text, err.message);
}

Test(json_read, says_where_and_what) {
  expect_refused("", "x.json:1:1: found the end of the file, expected a value");
  expect_refused("{\n  \"a\" 1}", "x.json:2:7: found '1', expected ':'");
  expect_refused("{\n  a: 1}", "x.json:2:3: found 'a', expected a key in quotes");
  expect_refused("{\"a\": 1,}", "x.json:1:9: found '}', expected a key in quotes");
  expect_refused("{\"a\": 1 \"b\": 2}", "x.json:1:9: found '\"', expected ',' or '}'");
  expect_refused("[1 2]", "x.json:1:4: found '2', expected ',' or ']'");
  expect_refused("[1,]", "x.json:1:4: found ']', expected a value");
  expect_refused("[1}", "x.json:1:3: found '}', expected ',' or ']'");
  expect_refused("1 2", "x.json:1:3: found '2', expected the end of the file");
  expect_refused("[01]", "x.json:1:2: found '01', expected a value");
  expect_refused("[truely]", "x.json:1:2: found 'truely', expected a value");
  expect_refused("[\"a\nb\"]",
                 "x.json:1:4: found the byte 10, expected the rest of a string of UTF-8 and a '\"'");
  expect_refused("[\"\xff\"]",
                 "x.json:1:3: found the byte 255, expected the rest of a string of UTF-8 and a '\"'");
  expect_refused("[\"\\x\"]", "x.json:1:4: found 'x', expected one of \"\\/bfnrtu behind a backslash");
  expect_refused(
      "[\"\\ud800\"]",
      "x.json:1:4: found 'ud800', expected four hexadecimal digits of a character that is not zero");
  expect_refused("1e999", "x.json:1:1: found '1e999', expected a number below 1.8e308");
  char deep[80];
  memset(deep, '[', sizeof deep);
  deep[79] = '\0';
  expect_refused(deep, "x.json:1:65: found '[', expected at most 64 arrays and objects within each other");
}

/* The same value, all the way down. */
static void expect_same(const gb_json_document *d, const gb_json *mine, json_t *other, const char *text) {
  size_t i = 0;
  switch (mine->kind) {
  case GB_JSON_NULL:
    cr_assert(json_is_null(other), "%s", text);
    break;
  case GB_JSON_BOOL:
    cr_assert(json_is_boolean(other) && json_is_true(other) == (mine->number != 0), "%s", text);
    break;
  case GB_JSON_NUMBER:
    cr_assert(json_is_number(other) && json_number_value(other) == mine->number, "%s", text);
    break;
  case GB_JSON_STRING:
    cr_assert(json_is_string(other), "%s", text);
    cr_assert_str_eq(json_string_value(other), mine->text);
    break;
  case GB_JSON_ARRAY:
    cr_assert(json_is_array(other) && json_array_size(other) == mine->count, "%s", text);
    for (const gb_json *v = gb_json_at(d, mine->first); v != NULL; v = gb_json_at(d, v->next), i++)
      expect_same(d, v, json_array_get(other, i), text);
    cr_assert_eq(i, mine->count);
    break;
  case GB_JSON_OBJECT:
    cr_assert(json_is_object(other) && json_object_size(other) == mine->count, "%s", text);
    for (const gb_json *v = gb_json_at(d, mine->first); v != NULL; v = gb_json_at(d, v->next), i++)
      expect_same(d, v, json_object_get(other, v->key), text);
    cr_assert_eq(i, mine->count);
    break;
  }
}

/* Both take a text or both refuse it. jansson refuses an object with a key twice by this flag; this reader
 * does so where it looks for the key, and texts are made without. */
static bool agree(const char *text, size_t length) {
  gb_json_document d;
  gbcast_error err = {""};
  json_error_t why;
  json_t *other = json_loadb(text, length, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &why);
  const int status = read_text(text, length, &d, &err);
  cr_assert_eq(status == GBCAST_OK, other != NULL, "'%.*s': %s, jansson: %s", (int)length, text, err.message,
               why.text);
  if (status == GBCAST_OK) {
    expect_same(&d, d.value, other, text);
    gb_json_release(&d);
  }
  json_decref(other);
  return status == GBCAST_OK;
}

Test(json_read, takes_what_jansson_takes) {
  static const char *const text[] = {"null",
                                     " true ",
                                     "false",
                                     "\"\"",
                                     "0",
                                     "-0",
                                     "-0.5e-3",
                                     "1E+2",
                                     "1.",
                                     ".5",
                                     "+1",
                                     "-",
                                     "1e",
                                     "0x10",
                                     "00",
                                     "[]",
                                     "[ ]",
                                     "{}",
                                     "{ }",
                                     "[1,2]",
                                     "[,]",
                                     "{,}",
                                     "{\"a\"}",
                                     "[1",
                                     "{\"a\":",
                                     "\"",
                                     "\"\\",
                                     "\"\\u12",
                                     "nul",
                                     "True",
                                     "NaN",
                                     "Infinity",
                                     "\"\\ud83d\\ude00\"",
                                     "\"\\ud83d\"",
                                     "\"\\ude00\"",
                                     "\"\\ud83d\\u0041\"",
                                     "\"\\u0041\\u00e9\\u20ac\\n\\\"\\/\"",
                                     "\"\xc3\xa9\"",
                                     "\"\xc3\"",
                                     "\"\xed\xa0\x80\"",
                                     "\"\xc0\x80\"",
                                     "\xef\xbb\xbf[]",
                                     "[1] x",
                                     "{\"a\": {\"b\": [null, true, {\"c\": []}]}}",
                                     "\t\r\n [ \n1 , 2 ] \n",
                                     "1e308",
                                     "-1e400",
                                     "9007199254740993",
                                     "0.1",
                                     "[1,,2]",
                                     "// c\n1",
                                     "'a'",
                                     "[\"a\tb\"]",
                                     "\"\x7f\""};
  unsigned taken = 0;
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    taken += agree(text[i], strlen(text[i]));
  cr_assert_eq(taken, 22, "%u", taken);
  agree("[1]\0", 4);
  agree("\"a\0b\"", 5);
  agree("\"\\u0000\"", 8);
}

/* A text of random values, then one byte of it changed at a time. */
static void write_value(gb_random *r, FILE *out, unsigned depth) {
  static const char *const plain[] = {"null",     "true", "false",    "0",
                                      "-12.5e-3", "\"\"", "\"n0.a\"", "\"\\u00e9\\\\ \xe2\x82\xac\"",
                                      "1048576",  "0.1"};
  const uint32_t kind = random_below(r, depth == 0 ? 10 : 14);
  if (kind < 10) {
    fputs(plain[kind], out);
    return;
  }
  const uint32_t count = random_below(r, 4);
  fputs(kind < 12 ? "[ " : "{", out);
  for (uint32_t i = 0; i < count; i++) {
    fputs(i == 0 ? "" : ",\n ", out);
    if (kind >= 12)
      fprintf(out, "\"k%u\" : ", i);
    write_value(r, out, depth - 1);
  }
  fputs(kind < 12 ? "]" : " }", out);
}

Test(json_read, of_random_texts, .timeout = 60) {
  gb_random r = {2026};
  static const char bytes[] = "{}[]\",:0-e.\\u \n\x01\xc3t";
  unsigned taken = 0, refused = 0;
  for (int round = 0; round < 3000; round++) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    write_value(&r, out, 4);
    fclose(out);
    cr_assert(agree(text, length), "%s", text);
    const uint32_t at = random_below(&r, (uint32_t)length);
    text[at] = bytes[random_below(&r, sizeof bytes - 1)];
    const bool good = agree(text, length);
    taken += good;
    refused += !good;
    free(text);
  }
  cr_assert(taken > 50 && refused > 50, "taken %u, refused %u", taken, refused);
}

static int fields(const char *text, gb_json_field *field, size_t count, gbcast_error *err) {
  gb_json_document d;
  cr_assert_eq(read_text(text, strlen(text), &d, err), GBCAST_OK, "%s", err->message);
  int status = gb_json_fields(&d, d.value, field, count, err);
  gb_json_release(&d);
  return status;
}

Test(json_read, members) {
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"[]", "x.json:1:1: expected an object"},
      {"{\"x\": 1}", "x.json:1:1: found no \"n\", which is needed here"},
      {"{\"n\": 1, \"n\": 2}", "x.json:1:15: \"n\" is given twice"},
      {"{\"n\": \"1\"}", "x.json:1:7: \"n\": expected a whole number from 1 to 8"},
      {"{\"n\": 0}", "x.json:1:7: \"n\": expected a whole number from 1 to 8"},
      {"{\"n\": 9}", "x.json:1:7: \"n\": expected a whole number from 1 to 8"},
      {"{\"n\": 1.5}", "x.json:1:7: \"n\": expected a whole number from 1 to 8"},
      {"{\"n\": 1, \"t\": -1}", "x.json:1:15: \"t\": expected a number, at least 0, or null"},
      {"{\"n\": 1, \"b\": 1}", "x.json:1:15: \"b\": expected true or false"},
  };
  for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
    uint64_t n = 0;
    double t = 7;
    bool b = false;
    gb_json_field field[] = {{"n", GB_JSON_AN_INTEGER, &n, .required = true, .least = 1, .most = 8},
                             {"t", GB_JSON_A_TIME, &t, .required = false},
                             {"b", GB_JSON_A_SWITCH, &b, .required = false}};
    gbcast_error err = {""};
    if (i < sizeof bad / sizeof *bad) {
      cr_assert_eq(fields(bad[i].text, field, 3, &err), GBCAST_EINPUT, "%s", bad[i].text);
      cr_expect_str_eq(err.message, bad[i].message);
    } else {
      cr_assert_eq(fields("{\"z\": [], \"n\": 8, \"t\": null, \"b\": true}", field, 3, &err), GBCAST_OK);
      cr_expect(n == 8 && isnan(t) && b);
    }
  }
}
