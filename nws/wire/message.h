/* The messages of the Network Weather Service 2.x as plain data, and their bytes. No I/O.
 *
 *      +---------+--------+------+----------------
 *      | version | number | size | body of `size`        3 x u32, then the body
 *      +---------+--------+------+----------------
 *
 * FORE_FORECAST alone says size 0 and has a body all the same. */
#ifndef GB_NWS_WIRE_MESSAGE_H
#define GB_NWS_WIRE_MESSAGE_H

#include "nws/wire/bytes.h"

#define GB_NWS_VERSION 0x02000000u
#define GB_NWS_HEADER_BYTES 12u
#define GB_NWS_STATE_BYTES 152u
#define GB_NWS_NAME_MOST 127u /* bytes of a series' name */
#define GB_NWS_HOST_MOST 69u  /* bytes of machine:port */

enum gb_nws_number {
  GB_NWS_STORE_STATE = 100,
  GB_NWS_STATE_STORED,
  GB_NWS_FETCH_STATE,
  GB_NWS_STATE_FETCHED,
  GB_NWS_AUTOFETCH_BEGIN,
  GB_NWS_AUTOFETCH_ACK,
  GB_NWS_MEMORY_CLEAN,
  GB_NWS_MEMORY_CLEANED,
  GB_NWS_MEMORY_FAILED = 199,
  GB_NWS_HOST_TEST = 200,
  GB_NWS_HOST_TEST_RESULT,
  GB_NWS_HOST_DIAGNOSTICS,
  GB_NWS_HOST_DIAGNOSTICS_ACK,
  GB_NWS_HOST_DIE,
  GB_NWS_HOST_DYING,
  GB_NWS_HOST_REGISTER,
  GB_NWS_HOST_REGISTERED,
  GB_NWS_HOST_REFUSED = 298,
  GB_NWS_HOST_FAILED = 299,
  GB_NWS_CLIQUE_DIE = 401,
  GB_NWS_CLIQUE_TOKEN_ACK,
  GB_NWS_CLIQUE_TOKEN_FWD,
  GB_NWS_TCP_HANDSHAKE = 411,
  GB_NWS_FORE_DATA = 500,
  GB_NWS_FORE_FORECAST,
  GB_NWS_FORE_SERIES,
  GB_NWS_METHODS_ASK,
  GB_NWS_METHODS_TELL,
  GB_NWS_FORE_FAIL = 599,
  GB_NWS_ACTIVITY_START = 600,
  GB_NWS_ACTIVITY_STARTED,
  GB_NWS_ACTIVITY_STOP,
  GB_NWS_ACTIVITY_STOPPED,
  GB_NWS_SENSOR_FAILED = 699,
  GB_NWS_NS_REGISTER = 700,
  GB_NWS_NS_REGISTERED,
  GB_NWS_NS_SEARCH,
  GB_NWS_NS_SEARCHED,
  GB_NWS_NS_UNREGISTER,
  GB_NWS_NS_UNREGISTERED,
  GB_NWS_NS_FAILED = 799,
  GB_NWS_TCP_BW_REQ = 800,
  GB_NWS_IPERF_ASK = 850, /* between sensors of gbcast */
};

enum gb_nws_host_type { GB_NWS_FORECASTER, GB_NWS_MEMORY, GB_NWS_NAME_SERVER, GB_NWS_SENSOR };

typedef struct gb_nws_state { /* of STORE_STATE, FETCH_STATE and STATE_FETCHED */
  char id[GB_NWS_NAME_MOST + 1];
  uint32_t record_size, record_count;
  double sequence, time_out; /* s */
  gb_view records;           /* record_size * record_count bytes; empty in FETCH_STATE */
} gb_nws_state;

typedef struct gb_nws_host_info { /* of HOST_TEST_RESULT */
  char name[GB_NWS_HOST_MOST + 1];
  uint32_t type; /* enum gb_nws_host_type */
  char name_server[GB_NWS_HOST_MOST + 1];
  bool healthy;
} gb_nws_host_info;

typedef struct gb_nws_fore_series { /* of FORE_SERIES, which asks for one series at a time */
  bool more_to_come;
  uint32_t at_most;
  char forecast_name[GB_NWS_NAME_MOST + 1];
  char memory[GB_NWS_HOST_MOST + 1];
  char series[GB_NWS_NAME_MOST + 1];
} gb_nws_fore_series;

typedef struct gb_nws_forecast_pair { /* of one measurement: the forecast for the next */
  double time, measurement;
  struct {
    double forecast, error; /* mae: mean absolute error; mse: mean squared error */
    uint32_t method;
  } mae, mse;
} gb_nws_forecast_pair;

#define GB_NWS_FORECAST_PAIR_BYTES 56u
#define GB_NWS_MEASUREMENT_BYTES 16u

typedef struct gb_nws_forecast { /* of FORE_FORECAST, for one series */
  char name[GB_NWS_NAME_MOST + 1];
  uint32_t count;
  gb_view pairs; /* as bytes, newest first: gb_nws_forecast_at */
} gb_nws_forecast;

typedef struct gb_nws_fore_data { /* of FORE_DATA: measurements to forecast from */
  bool more_to_come;
  uint32_t at_most;
  char forecast_name[GB_NWS_NAME_MOST + 1];
  uint32_t count;
  gb_view measurements; /* as bytes, newest first: time and value, an f64 each */
} gb_nws_fore_data;

enum { GB_CLIQUE_MOST = 100 }; /* members */

typedef struct gb_token_id {
  double generated; /* s since 1970, when the clique was defined; 0: a member started that was told of it */
  double instance;  /* grows whenever a token is made in place of one that is lost */
  uint32_t leader;  /* the member that made it; of two made alike, the higher one's wins */
} gb_token_id;

typedef struct gb_token { /* of CLIQUE_DIE, CLIQUE_TOKEN_FWD and CLIQUE_TOKEN_ACK */
  char name[32];          /* of the clique */
  gb_token_id id;
  char skill[32], options[64];
  double period, time_out; /* s */
  uint32_t count;          /* members */
  struct {
    uint32_t address, port;
  } member[GB_CLIQUE_MOST]; /* those behind the last are written as 0, and read as they come */
} gb_token;

typedef struct gb_nws_message {
  uint32_t number; /* tells which member of the union counts; none for messages without a body */
  union {
    gb_nws_state state;
    gb_nws_host_info host;
    gb_nws_fore_series series;
    gb_nws_forecast forecast;
    gb_nws_fore_data data;
    gb_token token;
    struct { /* NS_REGISTER */
      gb_view object;
      uint32_t seconds; /* 0: for ever */
    } registration;
    struct { /* TCP_BW_REQ, bytes */
      uint32_t experiment, buffer, message;
    } experiment;
    struct { /* TCP_HANDSHAKE; port 0: go on with this connection */
      uint32_t address;
      uint16_t port;
    } handshake;
    struct { /* ACTIVITY_START */
      gb_view name, control, skill, options;
    } activity;
    uint32_t word; /* MEMORY_CLEAN (s), HOST_DIAGNOSTICS */
    gb_view text;  /* AUTOFETCH_BEGIN, HOST_DIE, HOST_REGISTER, METHODS_TELL, ACTIVITY_STOP, NS_SEARCH,
                      NS_SEARCHED, NS_UNREGISTER: without the NUL that ends it on the wire; what follows
                      a NUL does not count. An empty one in HOST_DIE is no password. */
  };
} gb_nws_message;

/* Appends the message, header and body, to `out`. Texts in fields are cut to what the field holds, others at
 * their first NUL. What no receiver could read sets out->failed, as running out of memory does: an unknown
 * number, records or pairs that are not as long as their count says, a token with too many members or with
 * times that are not finite. */
void gb_nws_encode(gb_bytes *out, const gb_nws_message *message);

/* A complete message of `size` bytes, header included, as gb_nws_frame has found it. Its texts point into the
 * bytes. False, and only out->number is set: an unknown number, or a body that does not fit the number to the
 * byte. Counts have been checked against the bytes that came, so what they ask room for is no more than a few
 * times `size`; FETCH_STATE alone counts what is wanted, as the peer pleases.
 *
 * What a peer may do: say another version, leave out the NUL behind a string that ends its body, fill fields
 * with anything behind the NUL. */
bool gb_nws_decode(const unsigned char *bytes, size_t size, gb_nws_message *out);

/* Looks for the first message in the `have` bytes that have come so far. GB_NWS_WHOLE: *size bytes are one
 * message. GB_NWS_PART: *size bytes, more than `have`, are wanted before the next look (more may turn out to
 * be needed then). GB_NWS_TOO_LONG: a message of more than `most` bytes, which nobody should wait for; *size
 * is left alone. Numbers that nobody knows are framed like others, by the size they say. */
enum gb_nws_framing { GB_NWS_PART, GB_NWS_WHOLE, GB_NWS_TOO_LONG, GB_NWS_INVALID };
enum gb_nws_framing gb_nws_frame(const unsigned char *bytes, size_t have, size_t most, size_t *size);

/* Both: finds and decodes the first message. GB_NWS_INVALID: *size bytes that are none. The caller drops
 * them. */
enum gb_nws_framing gb_nws_next(const gb_bytes *in, size_t most, gb_nws_message *out, size_t *size);

/* Pair `index` (below count) of a forecast; 0 is the newest. */
gb_nws_forecast_pair gb_nws_forecast_at(const gb_nws_forecast *forecast, uint32_t index);

/* ---- Records, the measurements of a memory ----
 *
 * Fixed-width text, "%11.0f %20.5f", 32 bytes each. Independent of the locale. */

#define GB_NWS_RECORD_BYTES 32u

typedef struct gb_measurement {
  double time; /* s since 1970, UTC; rounded to whole seconds when written */
  double value;
} gb_measurement;

/* Writes 32 bytes, no NUL, rounded as printf does. False, and nothing written: a time or value that is not
 * finite or does not fit its columns (11 and 20, of which 6 are for the decimals). */
bool gb_record_write(gb_measurement measurement, char out[GB_NWS_RECORD_BYTES]);

/* The records of a state, which gb_nws_decode gave, sorted newest first (a memory may give them in another
 * order), those of one time in the order in which they came; for the caller to free, NULL: out of memory. Of
 * a record, whatever its width, the first two words are read; blanks, other white space and NUL end a word.
 * It is left out when they are not both finite decimal numbers of at most 112 bytes. */
gb_measurement *gb_records_read(const gb_nws_state *state, uint32_t *count);

#endif
