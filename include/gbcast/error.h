/* gbcast/error.h: how every function of libgbcast-plan reports a failure.
 *
 * A function that can fail returns one of the codes below. When the code is not GBCAST_OK and the caller
 * passed an error object (NULL is allowed), `message` says what was found, where, and what was expected.
 * Outputs are then unchanged. */
#ifndef GBCAST_ERROR_H
#define GBCAST_ERROR_H

#if defined(__GNUC__)
#define GBCAST_API __attribute__((visibility("default")))
#else
#define GBCAST_API
#endif

enum gbcast_status {
  GBCAST_OK = 0,
  GBCAST_EINPUT = 1,  /* a file or a value cannot be used; the message begins FILE:LINE:COLUMN */
  GBCAST_EUSAGE = 2,  /* an unknown name, or a request that contradicts itself */
  GBCAST_EMEMORY = 3, /* out of memory */
};

typedef struct gbcast_error {
  char message[1024]; /* one line of UTF-8 without control characters, no newline at its end */
} gbcast_error;

#endif
