/* Every kind of mistake, with the exact place that the message names. */
#include "platform/platform.h"

#include <criterion/criterion.h>
#include <string.h>

#ifndef GB_TEST_DATA
#define GB_TEST_DATA "tests/data"
#endif

typedef struct mistake {
  const char *text, *place, *word; /* the message begins with place and has word in it */
} mistake;

static void check(const mistake *m, size_t count) {
  for (size_t i = 0; i < count; i++) {
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    int status = gbcast_platform_parse(m[i].text, strlen(m[i].text), "h", &p, &err);
    cr_expect_eq(status, GBCAST_EINPUT, "accepted: %s", m[i].text);
    cr_expect_eq(strncmp(err.message, m[i].place, strlen(m[i].place)), 0, "%s\n%s", m[i].text, err.message);
    cr_expect_not_null(strstr(err.message, m[i].word), "%s\n%s", m[i].text, err.message);
    cr_expect_null(p);
    gbcast_platform_free(p);
  }
}
#define CHECK(list) check(list, sizeof(list) / sizeof *(list))

Test(platform_errors, text) {
  static const mistake list[] = {
      {"", "h:1:1: ", "found the end of the file, expected at least one host"},
      {"# nothing\n\n", "h:3:1: ", "expected at least one host"},
      {"a\r\n", "h:1:2: ", "carriage return"},
      {"a # \x01\n", "h:1:5: ", "0x01"},
      {"a\nb\x7f\n", "h:2:2: ", "0x7f"},
      {"\xef\xbb\xbf"
       "a\n",
       "h:1:1: ", "byte order mark"},
      {"a\nb foo=\xef\xbb\xbf"
       "c\n",
       "h:2:7: ", "byte order mark"},
      {"a\xff\n", "h:1:2: ", "UTF-8"},
  };
  CHECK(list);
  gbcast_error err = {""};
  gbcast_platform *p = NULL;
  cr_assert_eq(gbcast_platform_parse("ab\0c\n", 5, "h", &p, &err), GBCAST_EINPUT);
  cr_assert_eq(strncmp(err.message, "h:1:3: found a NUL", 18), 0, "%s", err.message);
  cr_assert_eq(gbcast_platform_parse("a\r", 2, "h", &p, NULL), GBCAST_EINPUT);
}

Test(platform_errors, hosts) {
  static const mistake list[] = {
      {"a:0\n", "h:1:3: ", "found '0'"},
      {"a:\n", "h:1:1: ", "found 'a:'"},
      {"a:x\n", "h:1:3: ", "found 'x'"},
      {"a slots=0\n", "h:1:9: ", "found '0'"},
      {"a:2 slots=2\n", "h:1:5: ", "found 'slots'"},
      {"a max_slots=0\n", "h:1:13: ", "found '0'"},
      {"a b\n", "h:1:3: ", "found 'b', expected key=value"},
      {"a b = \n", "h:1:6: ", "found the end of the line, expected a value for b="},
      {"a = b\n", "h:1:3: ", "found '='"},
      {"a=b\n", "h:1:2: ", "found '=b'"},
      {"fe80::1\n", "h:1:1: ", "[address]:slots"},
      {"[fe80::1\n", "h:1:1: ", "found '[fe80::1'"},
      {"[fe80::x]\n", "h:1:2: ", "IPv6"},
      {"[fe80::1]x\n", "h:1:10: ", "found 'x'"},
      {"@a\n", "h:1:1: ", "user@host"},
      {"u@\n", "h:1:1: ", "user@host"},
      {"u@v@a\n", "h:1:4: ", "found '@a'"},
      {"a,b\n", "h:1:2: ", "found ',b'"},
      {"^a\n", "h:1:1: ", "found '^a'"},
      {"n[0-\n", "h:1:1: ", "found 'n[0-'"},
      {"n[]\n", "h:1:3: ", "found ']'"},
      {"n[1,]\n", "h:1:5: ", "found ']'"},
      {"n[3-1]\n", "h:1:3: ", "found '3-1'"},
      {"n[1-016]\n", "h:1:3: ", "found '1-016'"},
      {"n]0\n", "h:1:2: ", "found ']0'"},
      {"n[0-99999999999]\n", "h:1:1: ", "at most 1048576"},
      {"n[0-9999999999999999999999]\n", "h:1:", "at most 18 digits"},
      {"n[0-1048575]\nm\n", "h:2:1: ", "found 'm', expected at most 1048576 hosts"},
      {"a[0-1023]b[0-1023]c[0-1]\n", "h:1:1: ", "at most 1048576"},
      {"a:2147483647\nb\n", "h:2:1: ", "slots in all"},
      {"alice@a\nbob@a\n", "h:2:1: ", "'bob'"},
      {"a switch=s\n", "h:1:10: ", "found 's'"},
      {"a.x cluster=y\n", "h:1:13: ", "found 'y'"},
      {"h slot=3\n", "h:1:3: ", "found 'slot', expected slots="},
      {"h slots=2 count=3\n", "h:1:11: ", "only one count"},
      {"h:2 cpu=3\n", "h:1:5: ", "only one count"},
      {"h slots=\"3\"\n", "h:1:9: ", "found '\"3\"'"},
      {"joe@h username=joe\n", "h:1:16: ", "only one user"},
      {"h username=^joe\n", "h:1:12: ", "name of a user"},
      {"h username=\"\"\n", "h:1:12: ", "name of a user"},
      {"rank 0=h1 slot=0\n", "h:1:1: ", "found 'rank', expected a host: this is a line of a rankfile"},
      {"h1\nrank  12 = h1 slots=0:1-2\n", "h:2:1: ", "rankfile"},
      {"+n0\n", "h:1:1: ", "found '+n0', expected a host by name"},
      {"+e:3\n", "h:1:1: ", "expected a host by name"},
      {"^joe@h1\n", "h:1:1: ", "found '^joe', expected the name of a user"},
      {"joe@^h1\n", "h:1:5: ", "found '^h1', expected a host by name"},
      {"joe@+n1 slots=2\n", "h:1:5: ", "expected a host by name"},
      {"/* a\nb\n", "h:1:1: ", "found a comment without an end"},
      {"a\n /* b /* c\n", "h:2:2: ", "found a comment without an end"},
      {"a */\n", "h:1:3: ", "found '*/'"},
  };
  CHECK(list);
}

/* No host has such a name: something else was meant. */
Test(platform_errors, bytes_of_names) {
  static const mistake list[] = {
      {"2*h1\n", "h:1:2: ", "found '*h1', expected the names of hosts, which have letters, digits"},
      {"h1:*\n", "h:1:4: ", "found '*'"},
      {"a\nh/1\n", "h:2:2: ", "found '/1'"},
      {"h1;h2\n", "h:1:3: ", "found ';h2'"},
      {"\"h1\" slots=3\n", "h:1:1: ", "found '\"h1\"'"},
      {"'h1'\n", "h:1:1: ", "found ''h1''"},
      {"h1|h2\n", "h:1:3: ", "found '|h2'"},
      {"h$HOST\n", "h:1:2: ", "found '$HOST'"},
      {"h{1-2}\n", "h:1:2: ", "found '{1-2}'"},
      {"h1\\\n", "h:1:3: ", "found '\\\\'"},
      {"h\xc2\x9b", "h:1:2: ", "found '\\xc2\\x9b'"},
      {"cluster c\xe2\x80\xae", "h:1:9: ", "found 'c\\xe2\\x80\\xae'"},
      {"h?[1-2]\n", "h:1:2: ", "found '?[1-2]'"},
      {"h[1-2]!\n", "h:1:7: ", "found '!'"},
      {"-np 4\n", "h:1:1: ", "found '-np', expected the name of a host"},
      {"--- \n- h1\n", "h:1:1: ", "found '---'"},
      {"joe*@h1\n", "h:1:4: ", "found '*', expected the name of a user"},
      {"[fe80::1%et/0]\n", "h:1:12: ", "found '/0'"},
      {"a+b\n", "h:1:2: ", "found '+b'"},
      {"h[1-4:2]\n", "h:1:6: ", "found ':2]', expected a number or a range"},
  };
  CHECK(list);
}

Test(platform_errors, clusters_and_switches) {
  static const mistake list[] = {
      {"cluster\n", "h:1:8: ", "found the end of the line, expected the name of a cluster"},
      {"cluster a=b\n", "h:1:9: ", "found 'a=b'"},
      {"cluster a x\n", "h:1:11: ", "found 'x'"},
      {"cluster a\n", "h:1:9: ", "found 'a' without hosts"},
      {"cluster a\nb\n\ncluster a\n", "h:4:9: ", "line 1"},
      {"b\ncluster a\nc\n", "h:1:1: ", "found 'b', expected a cluster line"},
      {"cluster a latency=5\nb\n", "h:1:19: ", "found '5'"},
      {"cluster a latency=0us\nb\n", "h:1:19: ", "above 0"},
      {"cluster a latency=-1us\nb\n", "h:1:19: ", "found '-1us'"},
      {"cluster a latency=1e99s\nb\n", "h:1:19: ", "found '1e99s'"},
      {"cluster a latency=nans\nb\n", "h:1:19: ", "found 'nans'"},
      {"cluster a latency=1,5us\nb\n", "h:1:19: ", "found '1,5us'"},
      {"cluster a latency= 5us\nb\n", "h:1:11: ", "right behind"},
      {"cluster a latency=5us latency=6us\nb\n", "h:1:23: ", "only once"},
      {"cluster a bandwidth=1Gbps\nb\n", "h:1:21: ", "found '1Gbps'"},
      {"cluster a bandwidth=0B/s\nb\n", "h:1:21: ", "above 0"},
      {"cluster a wan-bandwidth=1\nb\n", "h:1:25: ", "found '1'"},
      {"cluster a contention=-1\nb\n", "h:1:22: ", "found '-1', expected a number from 0 to 100"},
      {"cluster a contention=30%\nb\n", "h:1:22: ", "found '30%'"},
      {"cluster a contention=100.001\nb\n", "h:1:22: ", "found '100.001'"},
      {"cluster a contention=nan\nb\n", "h:1:22: ", "found 'nan'"},
      {"cluster a egress=0.09\nb\n", "h:1:18: ", "found '0.09', expected a price with its unit (USD/GB"},
      {"cluster a egress=2000USD/GB\nb\n", "h:1:18: ", "expected a price up to 1000USD/GB"},
      {"cluster a egress=-1USD/GB\nb\n", "h:1:18: ", "found '-1USD/GB'"},
      {"cluster a hire=1USD\nb\n", "h:1:16: ", "expected a price with the unit USD/h"},
      {"cluster a hire=2000000USD/h\nb\n", "h:1:16: ", "expected a price up to 1080000USD/h"},
      {"cluster a relay relay\nb\n", "h:1:17: ", "relay only once"},
      {"cluster a relay=yes\nb\n", "h:1:11: ", "found 'relay=yes', expected relay, without blanks"},
      {"cluster a relais\nb\n", "h:1:11: ", "found 'relais', expected relay"},
      {"cluster a overhead=-2us\nb\n", "h:1:20: ", "found '-2us'"},
      {"cluster a leader=c\nb\n", "h:1:18: ", "found 'c', expected a host of cluster 'a'"},
      {"cluster a\nx\nb cluster=c\n", "h:3:11: ", "found 'c'"},
      {"cluster a\nx\nx cluster=b\ncluster b\ny\nlink a b latency=1s bandwidth=1B/s\n", "h:3:1: ", "line 2"},
      {"switch s\na\nswitch t\na\n", "h:4:1: ", "found 'a' on 't', expected 's'"},
      {"switch s\nswitch s\na\n", "h:2:8: ", "line 1"},
      {"switch s uplink=t\na\n", "h:1:17: ", "found 't'"},
      {"switch s uplink=t\nswitch t uplink=s\na\n", "h:2:17: ", "cycle"},
      {"switch s uplink=s\na\n", "h:1:17: ", "cycle"},
      {"switch s\na.x\nb.y\n", "h:3:1: ", "one group"},
      {"switch s uplink=t\na.x\nswitch t\nb.y\n", "h:1:17: ", "one group"},
      {"a.x\nb.y\nswitch s\n", "h:3:8: ", "found 's' without hosts"},
      {"switch s\ncluster a\nb\n", "h:1:1: ", "a cluster line above it"},
      {"topology\na\n", "h:1:9: ", "slurm=FILE"},
      {"topology slurm=/nonexistent/t.conf\na\n",
       "h:1:16: /nonexistent/t.conf:1:1: ", "cannot open: No such file"},
  };
  CHECK(list);
}

#define AB "cluster a\nx\ncluster b\ny\n"
#define LINK "latency=1ms bandwidth=1MB/s\n"
#define POINT "size=1 gap=1us latency=1us\n"

Test(platform_errors, links) {
  static const mistake list[] = {
      {AB, "h:3:9: ", "cannot be reached from 'a'"},
      {AB "link a -> b " LINK, "h:3:9: ", "'a' cannot be reached from 'b'"},
      {AB "link a\n", "h:5:7: ", "found the end of the line"},
      {AB "link a ->\n", "h:5:10: ", "found the end of the line"},
      {AB "link a->b " LINK, "h:5:6: ", "blanks around"},
      {AB "link a a " LINK, "h:5:8: ", "found 'a', expected another cluster"},
      {AB "link a c " LINK, "h:5:8: ", "found 'c'"},
      {AB "link a b latency=1ms\n", "h:5:21: ", "expected bandwidth="},
      {AB "link a b bandwidth=1B/s\n", "h:5:24: ", "expected latency="},
      {AB "link a b " LINK "link b a " LINK, "h:6:8: ", "only once"},
      {AB "link a -> b " LINK "link a -> b " LINK, "h:6:11: ", "only once"},
      {AB "link a b injection=0s " LINK, "h:5:20: ", "above 0"},
      {"cluster a\nx\nlink a z " LINK, "h:3:8: ", "found 'z'"},
  };
  CHECK(list);
}

Test(platform_errors, plogp) {
  static const mistake list[] = {
      {"a\nplogp local size=1 gap=1us\n", "h:2:27: ", "expected latency="},
      {"a\nplogp local size=0 gap=1us latency=1us\n", "h:2:18: ", "found '0'"},
      {"a\nplogp local size=1.5 gap=1us latency=1us\n", "h:2:18: ", "found '1.5'"},
      {"a\nplogp local size=9999999999G gap=1us latency=1us\n", "h:2:18: ", "found '9999999999G'"},
      {"a\nplogp local size=1 gap=0us latency=1us\n", "h:2:24: ", "above 0"},
      {"a\nplogp local size=1k gap=1us latency=1us\nplogp local size=1024 gap=1us latency=1us\n",
       "h:3:18: ", "'1024'"},
      {"a\nplogp other " POINT, "h:2:7: ", "found 'other'"},
      {AB "link a b " LINK "plogp a b " POINT "plogp a -> b " POINT, "h:7:19: ", "only once"},
      {"a.x\nb.y\nplogp x y " POINT, "h:3:9: ", "expected a link"},
      {AB "cluster c\nz\nlink a b " LINK "link b c " LINK "plogp a c " POINT, "h:9:9: ", "expected a link"},
  };
  CHECK(list);
}

Test(platform_errors, files) {
  gbcast_error err = {""};
  gbcast_platform *p = NULL;
  cr_assert_eq(gbcast_platform_read("/nonexistent", &p, &err), GBCAST_EINPUT);
  cr_assert_str_eq(err.message, "/nonexistent:1:1: cannot open: No such file or directory");
  cr_assert_eq(gbcast_platform_read("/", &p, &err), GBCAST_EINPUT);
  cr_assert_eq(gbcast_platform_read(GB_TEST_DATA "/platforms/platform-topology-bad.txt", &p, &err),
               GBCAST_EINPUT);
  cr_assert_not_null(strstr(err.message, "bad.txt:2:18: platform-topology-bad.conf:2:18: found 'Blocks'"),
                     "%s", err.message);
  cr_assert_null(p);
}
