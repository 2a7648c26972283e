/* A hosts file: it is read or refused with its place; what was read prints and can be planned on. Whatever
 * topology file it names has the same few switches. */
#include "planned.h"

static const char switches[] = "SwitchName=s0 Nodes=a,b,h[0-3]\n"
                               "SwitchName=s1 Nodes=c,n[0-3].a\n"
                               "SwitchName=top Switches=s[0-1]\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beside.text = switches;
  beside.length = strlen(switches);
  check_hosts((const char *)data, size, data, size);
  return 0;
}
