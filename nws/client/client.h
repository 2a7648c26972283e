/* Queries to the Network Weather Service, and the sockets that they need. */
#ifndef GB_NWS_CLIENT_CLIENT_H
#define GB_NWS_CLIENT_CLIENT_H

#include "nws/client/listen.h"
#include "nws/client/socket.h"
#include "nws/client/weather.h"

#endif
