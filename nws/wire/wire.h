/* The bytes of the Network Weather Service: messages, objects, records and their texts. No I/O. */
#ifndef GB_NWS_WIRE_WIRE_H
#define GB_NWS_WIRE_WIRE_H

#include "nws/wire/address.h"
#include "nws/wire/bytes.h"
#include "nws/wire/message.h"
#include "nws/wire/object.h"

#endif
