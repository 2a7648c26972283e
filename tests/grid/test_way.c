/* One direction of an emulated link, against its rules, for random packets in simulated time. */
#include "tests/unit/xorshift.h"
#include "way.h"

#include <criterion/criterion.h>
#include <stdlib.h>
