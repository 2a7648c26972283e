/* A program of a user: plans for a hosts file and prints the plan's hash. It is C++, too. */
#include <gbcast/plan.h>
#include <inttypes.h>

int main(int argc, char **argv) {
  gbcast_platform *platform = NULL;
  gbcast_plan *plan = NULL;
  static gbcast_request request; /* zero: the planner chooses */
  gbcast_error err;
  request.bytes = 1 << 20;
  int status = argc == 2 ? gbcast_platform_read(argv[1], &platform, &err) : 2;
  if (status == 0)
    status = gbcast_plan_make(platform, &request, &plan, &err);
  if (status == 0)
    status = gbcast_plan_check(plan, &err);
  if (status == 0)
    printf("%016" PRIx64 "\n", gbcast_plan_hash(plan));
  gbcast_plan_free(plan);
  gbcast_platform_free(platform);
  return status;
}
