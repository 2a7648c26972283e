/* What keeps the phases of an all-to-all apart: the schemes of Table 5, and none. */
#include "plan/alltoall/alltoall.h"
#include "platform/text/text.h"

#include <string.h>

const gb_sync gb_sync_table[] = {
    {.name = "no-sync", .summary = "each host sends in the order of the phases"},
    {.name = "dummy", .dummies = true, .summary = "the same; idle hosts send to each other"},
    {.name = "sender-all",
     .signaller = GB_SIGNALLER_SENDER,
     .summary = "who sent tells the next sender on the same links"},
    {.name = "sender-partial",
     .blocks = true,
     .signaller = GB_SIGNALLER_SENDER,
     .summary = "the same, between blocks of N phases"},
    {.name = "receiver-all",
     .signaller = GB_SIGNALLER_RECEIVER,
     .summary = "who received tells the next sender on the same links"},
    {.name = "receiver-partial",
     .blocks = true,
     .signaller = GB_SIGNALLER_RECEIVER,
     .summary = "the same, between blocks of N phases"},
    {.name = "barrier-all", .barrier = true, .summary = "a barrier after each phase"},
    {.name = "barrier-partial-none",
     .blocks = true,
     .barrier = true,
     .summary = "a barrier after each block of N phases"},
    {.name = "barrier-partial-sender",
     .blocks = true,
     .signaller = GB_SIGNALLER_SENDER,
     .within = true,
     .barrier = true,
     .summary = "the same, and sender-all within blocks"},
    {.name = "barrier-partial-receiver",
     .blocks = true,
     .signaller = GB_SIGNALLER_RECEIVER,
     .within = true,
     .barrier = true,
     .summary = "the same, and receiver-all within blocks"},
    {.name = "paced",
     .paced = true,
     .signaller = GB_SIGNALLER_SENDER,
     .summary = "sender-all, but told in time: when the earlier one begins, to wait for as long as it takes"},
    {.name = "at-once", .at_once = true, .summary = "no phases: each host sends all at once"},
    {.name = "two-step",
     .blocks = true,
     .groups = true,
     .summary = "no phases: blocks go inside groups of N hosts, and then across, many together"},
    {.name = "native", .native = true, .summary = "what the MPI library does by itself"},
};
const size_t gb_sync_count = sizeof gb_sync_table / sizeof *gb_sync_table;

int gb_sync_read(const char *text, gb_sync_choice *choice, gbcast_error *err) {
  *choice = (gb_sync_choice){NULL, 1};
  if (text == NULL || strcmp(text, "auto") == 0) {
    return GBCAST_OK;
  }
  const char *colon = strchr(text, ':'), *why = NULL;
  const size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
  for (size_t i = 0; i < gb_sync_count && choice->sync == NULL; i++) {
    const char *name = gb_sync_table[i].name;
    choice->sync = strlen(name) == length && memcmp(name, text, length) == 0 ? &gb_sync_table[i] : NULL;
  }
  if (choice->sync == NULL) {
    const char *nearest = NULL;
    char hint[GB_HINT_TEXT];
    unsigned best = GB_FAR;
    for (size_t i = 0; i < gb_sync_count; i++)
      if (gb_nearer(text, length, gb_sync_table[i].name, &best))
        nearest = gb_sync_table[i].name;
    return gb_fail(err, GBCAST_EUSAGE, "unknown synchronisation '%s'%s; --list shows the names", text,
                   gb_hint(hint, nearest));
  }
  if (!choice->sync->blocks) {
    return colon == NULL ? GBCAST_OK
                         : gb_fail(err, GBCAST_EUSAGE, "found '%s', expected '%s', which has no blocks", text,
                                   choice->sync->name);
  }
  choice->block = choice->sync->groups ? GB_SYNC_BEST : GB_SYNC_BLOCK;
  if (colon != NULL && !gb_read_count(colon + 1, strlen(colon + 1), &choice->block, &why)) {
    return gb_fail(err, GBCAST_EUSAGE, "found '%s', expected '%s:' and a number of %s, at least 1", text,
                   choice->sync->name, choice->sync->groups ? "hosts" : "phases");
  }
  return GBCAST_OK;
}

bool gb_alltoall_needs_signal(const gb_alltoall_site *site, gb_sync_choice choice,
                              const gb_dependence *dependence) {
  const gb_message *before = &site->phases.message[dependence->before];
  const uint32_t *phase = site->phases.phase;
  const bool same_block = phase[dependence->before] / choice.block == phase[dependence->after] / choice.block;
  /* A host sends one message after the other without any signal. */
  return choice.sync->signaller != GB_SIGNALLER_NONE && same_block == choice.sync->within &&
         before->from != site->phases.message[dependence->after].from;
}

size_t gb_alltoall_signals(const gb_alltoall_site *site, gb_sync_choice choice) {
  size_t count = 0;
  for (size_t i = 0; i < site->order.count; i++) {
    count += gb_alltoall_needs_signal(site, choice, &site->order.dependence[i]);
  }
  return count;
}

uint32_t gb_alltoall_barriers(const gb_alltoall_site *site, gb_sync_choice choice) {
  return choice.sync->barrier && site->phases.count > 0 ? (site->phases.count - 1) / choice.block : 0;
}
