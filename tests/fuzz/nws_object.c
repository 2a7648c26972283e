/* A set of objects: taken apart and put together, it is a text that comes back from the same as itself. */
#include "fuzz.h"

#include "nws/wire/object.h"

#define MOST_NAME 200u

/* Without attributes whose names are too long for here. */
static void rebuild(gb_view set, gb_bytes *out) {
  gb_view object, name, value;
  while (gb_object_next(&set, &object)) {
    bool any = false;
    while (gb_object_attribute(&object, &name, &value)) {
      char copy[MOST_NAME + 1] = "";
      if (name.length > MOST_NAME || memchr(name.at, '\0', name.length) != NULL)
        continue;
      memcpy(copy, name.at, name.length);
      gb_object_add(out, copy, value);
      any = true;
    }
    if (any)
      gb_object_end(out);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gb_bytes first = {0}, second = {0};
  gb_view set = {(const char *)data, size}, value;
  (void)gb_object_get(set, "name", &value);
  rebuild(set, &first);
  rebuild(gb_bytes_view(&first), &second);
  must(first.size == second.size && (first.size == 0 || memcmp(first.data, second.data, first.size) == 0));
  gb_bytes_release(&first);
  gb_bytes_release(&second);
  return 0;
}
