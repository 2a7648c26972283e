/* CRC-32C (Castagnoli), as of iSCSI: RFC 3720, section 12.1 and appendix B.4. */
#ifndef GB_NWS_STORE_CRC32C_H
#define GB_NWS_STORE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continues from the checksum of the preceding bytes; 0 at the beginning. */
uint32_t gb_crc32c(uint32_t before, const void *data, size_t size);

#endif
