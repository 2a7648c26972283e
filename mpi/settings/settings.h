/* The settings of a job: one table, from which come the environment variables, the keys of MPI_Info (the same
 * names in lower case), gbcast-plan --list-settings and the manual. A new one is a row there and a field
 * here.
 */
#ifndef GB_MPI_SETTINGS_SETTINGS_H
#define GB_MPI_SETTINGS_SETTINGS_H

#include <gbcast/error.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gb_settings {
  char *hosts;         /* NULL: no file */
  char *live;          /* NULL: no live values */
  char *plan;          /* files of plans to run, with colons between; NULL: none */
  char *inter, *intra; /* NULL: the planner chooses */
  char *sync;          /* of an all-to-all's phases; NULL: the planner chooses */
  char *stats;         /* the file of statistics; NULL: none */
  char *trace;         /* the file of trace events; NULL: none */
  double max_age;      /* s, of live values */
  double refresh;      /* s from one look at the weather to the next; 0: none */
  double objective;    /* 0: the least time; INFINITY: the least cost; or within so many s */
  uint64_t segment;    /* 0: the planner chooses */
  uint32_t lanes;      /* alike */
  int map_by_order;    /* 0 or 1 */
  int verbose;         /* 0 to 2 */
  int check;           /* 0 or 1 */
  int progress_thread; /* 0 or 1 */
  int disabled;        /* 0 or 1 */
} gb_settings;

typedef struct gb_setting gb_setting;

/* Puts a value into its field. GBCAST_EUSAGE names the setting and what it takes. */
typedef int gb_setting_reader(const gb_setting *setting, const char *value, gb_settings *out,
                              gbcast_error *err);

struct gb_setting {
  const char *name;     /* GBCAST_... */
  const char *value;    /* what it takes, without blanks */
  const char *fallback; /* its value when it is not given; NULL: its field is 0 */
  const char *meaning;  /* a sentence without its end */
  gb_setting_reader *read;
  size_t field; /* in gb_settings, for `read` */
};

/* In the order in which they are read: of two for one field the later counts. NULL: there are not so many. */
const gb_setting *gb_setting_at(size_t number);

/* Of this name, which is one. */
size_t gb_setting_number(const char *name);

/* The one that `name`, which begins with GBCAST_ in either case, is most like; NULL: it is like none. */
const gb_setting *gb_setting_nearest(const char *name);

/* Reports the environment's variables that begin with GBCAST_ and are none, each with the nearest one. */
void gb_settings_find_unknown(void (*report)(void *context, const char *message), void *context);

/* Of the environment; an empty value counts as not given. GBCAST_EUSAGE. */
int gb_setting_read(const gb_setting *setting, gb_settings *out, gbcast_error *err);

/* All as they are when none is given; to be released, even after an error. */
int gb_settings_init(gb_settings *out, gbcast_error *err);
void gb_settings_release(gb_settings *settings);

#endif
