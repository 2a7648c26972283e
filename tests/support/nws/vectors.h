/* Messages that programs of NWS 2.0.5 sent or took, byte for byte, in tests/data/nws/vectors. */
#ifndef GB_TESTS_SUPPORT_NWS_VECTORS_H
#define GB_TESTS_SUPPORT_NWS_VECTORS_H

#include "nws/wire/message.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define NWS_VECTOR_MOST 4096u

typedef struct nws_vector {
  const char *name;
  uint32_t number;
  size_t size;
} nws_vector;

static const nws_vector nws_vectors[] = {
    {"01_ns_register_req", GB_NWS_NS_REGISTER, 167},
    {"02_ns_registered_rep", GB_NWS_NS_REGISTERED, 12},
    {"03_ns_search_req", GB_NWS_NS_SEARCH, 94},
    {"04_ns_searched_rep", GB_NWS_NS_SEARCHED, 208},
    {"04b_ns_searched_empty_rep", GB_NWS_NS_SEARCHED, 13},
    {"05_store_req_sensor", GB_NWS_STORE_STATE, 196},
    {"06_state_stored_rep", GB_NWS_STATE_STORED, 12},
    {"07_fetch_req", GB_NWS_FETCH_STATE, 164},
    {"08_state_fetched_rep", GB_NWS_STATE_FETCHED, 228},
    {"08a_state_fetched_newest_first_rep", GB_NWS_STATE_FETCHED, 260},
    {"09_memory_failed_rep", GB_NWS_MEMORY_FAILED, 12},
    {"09b_state_fetched_empty_rep", GB_NWS_STATE_FETCHED, 164},
    {"10_host_test_req", GB_NWS_HOST_TEST, 12},
    {"10_host_test_result_rep", GB_NWS_HOST_TEST_RESULT, 160},
    {"11_ns_register_sensor_req", GB_NWS_NS_REGISTER, 167},
    {"12_store_req_bw_sensor", GB_NWS_STORE_STATE, 196},
    {"13_tcp_bw_req", GB_NWS_TCP_BW_REQ, 24},
    {"14_tcp_handshake_rep", GB_NWS_TCP_HANDSHAKE, 18},
    {"15_fore_series_req", GB_NWS_FORE_SERIES, 350},
    {"16_fore_forecast_rep", GB_NWS_FORE_FORECAST, 200},
    {"17_methods_tell_rep", GB_NWS_METHODS_TELL, 353},
    {"18_autofetch_begin_req", GB_NWS_AUTOFETCH_BEGIN, 74},
    {"19_autofetch_ack_rep", GB_NWS_AUTOFETCH_ACK, 12},
};

#define NWS_VECTORS (sizeof nws_vectors / sizeof *nws_vectors)

/* The bytes of the vector of this name; returns how many. */
static inline size_t nws_vector_read(const char *name, unsigned char bytes[NWS_VECTOR_MOST]) {
  char path[1024];
  snprintf(path, sizeof path, GB_TEST_DATA "/nws/vectors/%s.bin", name);
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s", path);
  size_t size = fread(bytes, 1, NWS_VECTOR_MOST, file);
  fclose(file);
  return size;
}

#endif
