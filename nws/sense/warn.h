/* Warnings to the operator of the sensor. */
#ifndef GB_NWS_SENSE_WARN_H
#define GB_NWS_SENSE_WARN_H

/* A line on standard error. */
__attribute__((format(printf, 1, 2))) void gb_sense_warn(const char *format, ...);

#endif
