/* gbcast-doctor: what is wrong with an installation and with a job. Each subject prints its findings, a line
 * each: all is well, or what to do. Nothing here needs MPI. */
#ifndef GB_TOOLS_DOCTOR_DOCTOR_H
#define GB_TOOLS_DOCTOR_DOCTOR_H

#include "mpi/settings/settings.h"
#include "platform/platform.h"
#include <limits.h>

enum gb_verdict {
  GB_WELL,
  GB_WARN, /* it works, but not as well as it could */
  GB_FAIL  /* it does not work */
};

enum { GB_DOCTOR_MOST = 3, GB_DOCTOR_PATH = PATH_MAX }; /* lines of one kind; bytes of a path */

typedef struct gb_doctor {
  unsigned bad; /* findings other than GB_WELL */
  unsigned mistakes;
  const char *hosts;            /* the hosts file, or NULL */
  gbcast_platform *platform;    /* NULL: there is none that can be used */
  gb_settings settings;         /* of the environment */
  char **launcher;              /* of a job, with its options; its end is a NULL */
  char bin[GB_DOCTOR_PATH];     /* the folder of this program */
  char preload[GB_DOCTOR_PATH]; /* libgbcast-pmpi.so; "": not found */
} gb_doctor;

/* Prints a finding about `subject`, a word, on standard output. */
__attribute__((format(printf, 4, 5))) void gb_doctor_say(gb_doctor *d, enum gb_verdict level,
                                                         const char *subject, const char *format, ...);

/* Whether the line is such a finding, which another process has printed: prints and counts it. */
bool gb_doctor_repeat(gb_doctor *d, const char *line);

/* The checks, in the order in which they are made. */
void gb_doctor_library(gb_doctor *d);  /* the libraries, and the launcher */
void gb_doctor_settings(gb_doctor *d); /* GBCAST_...; they name the hosts file if no option does */
void gb_doctor_hosts(gb_doctor *d);    /* the hosts file, and a plan */
void gb_doctor_tcp(gb_doctor *d);
void gb_doctor_job(gb_doctor *d); /* a broadcast, and the links */

/* ---- TCP's settings of a machine ---- */

typedef struct gb_tcp {
  double receive, send; /* the most bytes of a socket's buffers; 0: not known */
  bool starts_slowly;   /* after a pause */
} gb_tcp;

/* folder: /proc/sys/net/ipv4. */
gb_tcp gb_tcp_read(const char *folder);

/* What they cost on the links of d->platform. */
void gb_tcp_judge(gb_doctor *d, const gb_tcp *tcp);

/* ---- Commands ---- */

/* Runs a command without standard input, and sets *output to what it prints on stdout, a line end, and what
 * it prints on stderr, to be freed; NULL: out of memory. Ends it after so many seconds. Returns its exit
 * status, 127: it cannot be found, or -1: it could not be started, or was ended. */
int gb_doctor_run(char *const *command, unsigned seconds, char **output);

#endif
