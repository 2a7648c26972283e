/* Queries to the Network Weather Service, and the sockets that they need. */
#ifndef GB_NWS_CLIENT_CLIENT_H
#define GB_NWS_CLIENT_CLIENT_H

#include "nws/client/clock.h"
#include "nws/client/follow.h"
#include "nws/client/listen.h"
#include "nws/client/request_queue.h"
#include "nws/client/resolve.h"
#include "nws/client/settings.h"
#include "nws/client/socket.h"
#include "nws/client/survey.h"
#include "nws/client/unregister.h"
#include "nws/client/weather.h"

#endif
