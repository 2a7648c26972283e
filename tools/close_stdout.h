/* Output that could not be written. */
#ifndef GB_TOOLS_CLOSE_STDOUT_H
#define GB_TOOLS_CLOSE_STDOUT_H

/* For atexit: the help, the version and all other output end here, so that a full disk is not silent. Ends
 * the process with status 1 then, after a message that begins with GBCAST_PROGRAM. */
void close_stdout(void);

#endif
