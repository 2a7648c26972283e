/* ~/.nwsrc, the environment and addresses. */
#include "nws/client/settings.h"

#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct told {
  char text[4096];
} told;

static void tell(void *context, const char *message) {
  told *t = context;
  size_t length = strlen(t->text);
  (void)snprintf(t->text + length, sizeof t->text - length, "%s\n", message);
}

static void starts(const char **at, const char *line) {
  cr_assert_eq(strncmp(*at, line, strlen(line)), 0, "found\n%s\nexpected\n%s", *at, line);
  *at = strchr(*at, '\n') + 1;
}

static void is(const gb_nws_settings *s, const char *name, const char *value) {
  const char *found = gb_nws_setting(s, name);
  cr_assert(found != NULL && strcmp(found, value) == 0, "%s is '%s'", name, found != NULL ? found : "(none)");
}

static gb_nws_settings parsed(const char *text, size_t length, told *t) {
  gb_nws_settings s = {0};
  *t = (told){""};
  cr_assert_eq(gb_nws_settings_parse(&s, text, length, "rc", tell, t), GBCAST_OK);
  return s;
}

Test(nws_settings, lines) {
  static const char text[] = "# NAME_SERVER = comment\n"
                             "  # another\n\n"
                             "NAME_SERVER = ns.example.org:8091\n"
                             "MEMORY_PORT=9050\r\n"
                             "\tSENSOR_MEMORY\t=\tm   # a comment\n"
                             "MEMORY_DIR = \"/a b/\\\"c\\\"\\\\\"\n"
                             "EMPTY = \"\"\n"
                             "TWICE = first\n"
                             "TWICE = second\n"
                             "LAST = without-line-feed";
  told t;
  gb_nws_settings s = parsed(text, strlen(text), &t);
  cr_assert_str_eq(t.text, "");
  is(&s, "NAME_SERVER", "ns.example.org:8091");
  is(&s, "MEMORY_PORT", "9050");
  is(&s, "SENSOR_MEMORY", "m");
  is(&s, "MEMORY_DIR", "/a b/\"c\"\\");
  is(&s, "EMPTY", "");
  is(&s, "TWICE", "second");
  is(&s, "LAST", "without-line-feed");
  cr_assert_eq(s.count, 8); /* of which one is there twice */
  cr_assert_null(gb_nws_setting(&s, "NO_SUCH_SETTING"));
  gb_nws_settings_release(&s);
}

Test(nws_settings, bad_lines_are_told_and_passed_over) {
  static const char text[] = "A = 1\n"
                             "B\n"
                             "C 3\n"
                             " = 4\n"
                             "D =\n"
                             "E = two words\n"
                             "F = \"no end\n"
                             "G = \"end\\\n"
                             "H = \"x\" y\n"
                             "I = 9\n";
  told t;
  gb_nws_settings s = parsed(text, strlen(text), &t);
  const char *at = t.text;
  starts(&at, "rc:2:2: expected = behind the name; the line is passed over\n");
  starts(&at, "rc:3:3: expected =");
  starts(&at, "rc:4:2: expected the name of a setting");
  starts(&at, "rc:5:4: expected a value");
  starts(&at, "rc:6:9: expected the end of the line");
  starts(&at, "rc:7:12: expected a quote");
  starts(&at, "rc:8:10: expected a quote");
  starts(&at, "rc:9:9: expected the end of the line");
  cr_assert_str_eq(at, "");
  cr_assert_eq(s.count, 2);
  is(&s, "A", "1");
  is(&s, "I", "9");
  gb_nws_settings_release(&s);
}

Test(nws_settings, any_bytes) {
  static const char some[] = "A=\"\\# \t\n\r\0\xff";
  uint64_t seed = 5;
  for (uint32_t round = 0; round < 20000; round++) {
    char text[64];
    uint32_t length = xorshift(&seed, sizeof text);
    for (uint32_t i = 0; i < length; i++)
      text[i] = some[xorshift(&seed, sizeof some - 1)];
    told t;
    gb_nws_settings s = parsed(text, length, &t);
    gb_nws_settings_release(&s);
  }
}

Test(nws_settings, home_and_environment, .timeout = 60) {
  char home[] = "/tmp/gbcast-nwsrc-XXXXXX", path[64];
  cr_assert_not_null(mkdtemp(home));
  (void)setenv("HOME", home, 1);
  (void)unsetenv("NAME_SERVER");
  (void)unsetenv("NAME_SERVER_PORT");
  gb_nws_settings s;
  gb_nws_address a;
  gbcast_error err = {""};
  told t = {""};
  cr_assert_eq(gb_nws_settings_read(&s, tell, &t), GBCAST_OK); /* no file */
  cr_assert_eq(gb_nws_setting_name_server(&s, NULL, &a, &err), GBCAST_EUSAGE);
  gb_nws_settings_release(&s);
  (void)snprintf(path, sizeof path, "%s/.nwsrc", home);
  FILE *rc = fopen(path, "w");
  fputs("NAME_SERVER = Ns.Example\nNAME_SERVER_PORT = 8099\n?\n", rc);
  fclose(rc);
  cr_assert_eq(gb_nws_settings_read(&s, tell, &t), GBCAST_OK);
  cr_assert(strstr(t.text, "/.nwsrc:3:2: expected =") != NULL, "%s", t.text);
  cr_assert_eq(gb_nws_setting_name_server(&s, NULL, &a, &err), GBCAST_OK);
  cr_assert(strcmp(a.host, "ns.example") == 0 && a.port == 8099);
  (void)setenv("NAME_SERVER", "other:1234", 1); /* goes first */
  cr_assert_eq(gb_nws_setting_name_server(&s, NULL, &a, &err), GBCAST_OK);
  cr_assert(strcmp(a.host, "other") == 0 && a.port == 1234);
  cr_assert_eq(gb_nws_setting_name_server(&s, "third", &a, &err), GBCAST_OK);
  cr_assert(strcmp(a.host, "third") == 0 && a.port == 8099);
  cr_assert_eq(gb_nws_setting_name_server(&s, ":80", &a, &err), GBCAST_EUSAGE);
  (void)setenv("NAME_SERVER_PORT", "80990", 1);
  cr_assert_eq(gb_nws_setting_name_server(&s, NULL, &a, &err), GBCAST_EINPUT);
  cr_assert(strstr(err.message, "NAME_SERVER_PORT: found '80990'") != NULL, "%s", err.message);
  (void)setenv("NAME_SERVER", "[::1]", 1);
  (void)unsetenv("NAME_SERVER_PORT");
  cr_assert_eq(gb_nws_setting_name_server(&s, NULL, &a, &err), GBCAST_EINPUT);
  cr_assert(strstr(err.message, "'[::1]' for NAME_SERVER") != NULL, "%s", err.message);
  gb_nws_settings_release(&s);
  (void)unlink(path);
  cr_assert_eq(mkfifo(path, 0600), 0); /* nobody writes into it; what cannot be read is told */
  t.text[0] = '\0';
  cr_assert_eq(gb_nws_settings_read(&s, tell, &t), GBCAST_OK);
  cr_assert(strstr(t.text, "/.nwsrc:1:1: found no regular file") != NULL, "%s", t.text);
  gb_nws_settings_release(&s);
  (void)unlink(path);
  (void)rmdir(home);
}

static bool reads(const char *text, const char *host, uint16_t port) {
  gb_nws_address a;
  char back[GB_NWS_ADDRESS_TEXT];
  if (!gb_nws_address_read(gb_view_of(text), 8090, &a))
    return false;
  gb_nws_address_write(&a, back);
  gb_nws_address again;
  cr_assert(gb_nws_address_read(gb_view_of(back), 1, &again) && gb_nws_address_same(&a, &again), "%s", back);
  return strcmp(a.host, host) == 0 && a.port == port;
}

Test(nws_settings, addresses) {
  char longest[GB_MAX_NAME + 2];
  memset(longest, 'a', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  cr_assert(!reads(longest, longest, 8090));
  longest[GB_MAX_NAME] = '\0';
  cr_assert(reads(longest, longest, 8090));
  cr_assert(reads("host", "host", 8090));
  cr_assert(reads("HOST.Example.org:1", "host.example.org", 1));
  cr_assert(reads("10.0.0.1:65535", "10.0.0.1", 65535));
  static const char *const bad[] = {"",
                                    ":8090",
                                    "host:",
                                    "host:0",
                                    "host:65536",
                                    "host:+1",
                                    "host:8x",
                                    "h:1:2",
                                    "[::1]:80",
                                    "::1",
                                    "a b",
                                    "a/b",
                                    "host:-1",
                                    "h\tost",
                                    "h\xc3\xa9",
                                    "a\n",
                                    "host:999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    cr_assert(!gb_nws_address_read(gb_view_of(bad[i]), 8090, &(gb_nws_address){"", 0}), "%s", bad[i]);
}
