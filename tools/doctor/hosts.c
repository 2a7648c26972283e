/* The settings of the environment, the hosts file, and the plan that they lead to. */
#include "tools/doctor/doctor.h"
#include <gbcast/plan.h>
#include <stdlib.h>

enum { BYTES = 1 << 20 };

static void fail_setting(void *context, const char *message) {
  gb_doctor_say(context, GB_FAIL, "settings", "%s", message);
}

void gb_doctor_settings(gb_doctor *d) {
  const unsigned before = d->bad;
  const gb_setting *s;
  gbcast_error err = {""};
  gb_settings_find_unknown(fail_setting, d);
  if (gb_settings_init(&d->settings, &err) != GBCAST_OK)
    fail_setting(d, err.message);
  for (size_t i = 0; (s = gb_setting_at(i)) != NULL; i++)
    if (gb_setting_read(s, &d->settings, &err) != GBCAST_OK)
      fail_setting(d, err.message);
  if (d->settings.disabled)
    gb_doctor_say(d, GB_WARN, "settings", "GBCAST_DISABLE=1 passes all calls on to MPI: unset it");
  if (d->bad == before)
    gb_doctor_say(d, GB_WELL, "settings", "no mistake in the variables GBCAST_...");
  d->hosts = d->hosts != NULL ? d->hosts : d->settings.hosts;
}

static void tell_mistake(void *context, const char *message) {
  gb_doctor *d = context;
  if (d->mistakes++ < GB_DOCTOR_MOST)
    gb_doctor_say(d, GB_FAIL, "hosts", "%s", message);
}

static void check_plan(gb_doctor *d) {
  const gb_settings *s = &d->settings;
  if (d->platform->slot_count < 2)
    return;
  const gbcast_request request = {.bytes = BYTES,
                                  .inter = s->inter,
                                  .intra = s->intra,
                                  .segment = s->segment,
                                  .lanes = s->lanes,
                                  .chosen_only = true};
  gbcast_error err = {""};
  gbcast_plan *plan = NULL;
  if (gbcast_plan_make(d->platform, &request, &plan, &err) == GBCAST_OK)
    gb_doctor_say(d, GB_WELL, "plan", "a broadcast of 1 MiB to all slots takes %.3g ms",
                  gbcast_plan_predicted(plan) * 1e3);
  else
    gb_doctor_say(d, GB_FAIL, "plan", "%s", err.message);
  gbcast_plan_free(plan);
}

void gb_doctor_hosts(gb_doctor *d) {
  const char *warning;
  size_t warnings = 0;
  gbcast_error err = {""};
  if (d->hosts == NULL) {
    gb_doctor_say(d, GB_WARN, "hosts",
                  "no hosts file, without which all calls of unmodified programs are passed on to MPI: set "
                  "GBCAST_HOSTS or give --hosts=FILE; 'mpiexec -ppn 1 gbcast-probe -o FILE' writes one");
    return;
  }
  if (gb_platform_check(d->hosts, tell_mistake, d, &d->platform, &err) != GBCAST_OK) {
    if (d->mistakes == 0) /* it cannot be read */
      tell_mistake(d, err.message);
    if (d->mistakes > GB_DOCTOR_MOST)
      gb_doctor_say(d, GB_FAIL, "hosts", "%u more: 'gbcast-plan --check %s' prints all",
                    d->mistakes - GB_DOCTOR_MOST, d->hosts);
    d->platform = NULL;
    return;
  }
  for (; (warning = gbcast_platform_warning(d->platform, warnings)) != NULL; warnings++)
    if (warnings < GB_DOCTOR_MOST)
      gb_doctor_say(d, GB_WARN, "hosts", "%s", warning);
  if (d->platform->assumed_mesh && d->platform->cluster_count > 1)
    gb_doctor_say(d, GB_WARN, "hosts",
                  "%s says nothing about the links between its sites: 'mpiexec -ppn 1 -f %s gbcast-probe "
                  "--hosts=%s -o FILE' measures them",
                  d->hosts, d->hosts, d->hosts);
  gb_doctor_say(d, GB_WELL, "hosts", "%s, hosts: %u, slots: %u, sites: %u", d->hosts,
                gbcast_platform_hosts(d->platform), gbcast_platform_slots(d->platform),
                gbcast_platform_clusters(d->platform));
  check_plan(d);
}
