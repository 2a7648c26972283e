/* The closed formulas against values worked out by hand. */
#include "intra/intra.h"

#include <criterion/criterion.h>
#include <math.h>

static void close_to(double got, double want, const char *what, unsigned hosts) {
  cr_assert(fabs(got - want) <= 1e-12 * fabs(want), "%s, P = %u: got %.17g, want %.17g", what, hosts, got,
            want);
}

static double model(const char *name, int operation, const gb_lan *lan, uint32_t hosts, uint64_t bytes,
                    uint64_t segment) {
  size_t at = gb_intra_find(name, operation);
  cr_assert(at < gb_intra_count, "%s", name);
  const gb_intra_algorithm *a = &gb_intra_table[at];
  return (operation == GB_BCAST ? a->bcast_model : a->scatter_model)(lan, hosts, bytes, segment);
}

/* o = 1, B = 10, L = 4: g(1) = 1.1, g(25) = 3.5, g(100) = 11; L with the receiver's overhead 5. */
static const gb_lan simple = {.latency = 4, .bandwidth = 10, .overhead = 1};

Test(intra_models, table_1_by_hand) {
  const struct {
    const char *name;
    double p2, p5, p8;
  } want[] = {
      /* m = 100, s = 25, k = 4; P = 2: log 1, 1; P = 5: 2, 3; P = 8: 3, 3 */
      {"flat", 16, 49, 82},
      {"flat-rendezvous", 28.2, 61.2, 94.2},
      {"flat-segmented", 19, 61, 103},
      {"chain", 16, 64, 112},
      {"chain-rendezvous", 28.2, 112.8, 197.4},
      {"chain-segmented", 19, 44.5, 70},
      {"binary", 27, 81, 81},
      {"binomial", 16, 37, 48},
      {"binomial-rendezvous", 28.2, 73.6, 84.6},
      {"binomial-segmented", 19, 43, 57},
      /* 0, 16, 27, 32 (16 + 16), 38, 43, 43, 48: the third of the root beside what the others send on */
      {"earliest", 16, 38, 48},
      {"linear-contention-free", 19, 44.5, 70},
      /* A = 1, 2, 3 levels of 5 + 2 * 3.5, then 3 * 2 * 3.5; three children: 1, 2, 2 of 15.5, then 31.5 */
      {"binary-contention-free", 33, 45, 57},
      {"binary-shared-links", 33, 45, 57},
      {"kary-contention-free", 33, 45, 57},
  };
  for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
    close_to(model(want[i].name, GB_BCAST, &simple, 2, 100, 25), want[i].p2, want[i].name, 2);
    close_to(model(want[i].name, GB_BCAST, &simple, 5, 100, 25), want[i].p5, want[i].name, 5);
    close_to(model(want[i].name, GB_BCAST, &simple, 8, 100, 25), want[i].p8, want[i].name, 8);
  }
}

Test(intra_models, table_2_by_hand) {
  close_to(model("flat", GB_SCATTER, &simple, 5, 100, 0), 4 * 11 + 5, "flat", 5);
  close_to(model("chain", GB_SCATTER, &simple, 5, 100, 0), 11 + 21 + 31 + 41 + 4 * 5, "chain", 5);
  close_to(model("binomial", GB_SCATTER, &simple, 5, 100, 0), 11 + 21 + 41 + 3 * 5, "binomial", 5);
  close_to(model("native", GB_SCATTER, &simple, 8, 100, 0), 11 + 21 + 41 + 3 * 5, "native", 8);
}

Test(intra_models, the_last_segment_may_be_short) {
  /* 101 bytes in segments of 25: k = 5 */
  close_to(model("chain-segmented", GB_BCAST, &simple, 5, 101, 25), 4 * 8.5 + 4 * 3.5, "chain-segmented", 5);
  close_to(model("flat-segmented", GB_BCAST, &simple, 5, 101, 25), 4 * 5 * 3.5 + 5, "flat-segmented", 5);
}

Test(intra_models, a_segment_of_zero_or_too_much_is_the_whole_message) {
  for (size_t i = 0; i < gb_intra_count; i++) {
    gb_intra_model *f = gb_intra_table[i].bcast_model;
    if (f != NULL) {
      double whole = f(&simple, 6, 100, 100);
      close_to(f(&simple, 6, 100, 0), whole, gb_intra_table[i].name, 6);
      close_to(f(&simple, 6, 100, 101), whole, gb_intra_table[i].name, 6);
      close_to(f(&simple, 6, 100, UINT64_MAX), whole, gb_intra_table[i].name, 6);
    }
  }
}

Test(intra_models, nobody_to_send_to_takes_no_time_and_extremes_stay_finite) {
  for (size_t i = 0; i < gb_intra_count; i++) {
    gb_intra_model *models[] = {gb_intra_table[i].bcast_model, gb_intra_table[i].scatter_model};
    for (int k = 0; k < 2; k++) {
      if (models[k] == NULL) {
        continue;
      }
      for (uint32_t hosts = 0; hosts < 2; hosts++) {
        double none = models[k](&simple, hosts, 1000, 10);
        cr_assert(none >= 0 && none <= 0, "%s", gb_intra_table[i].name);
      }
      double empty = models[k](&simple, 9, 0, 0), huge = models[k](&simple, 1048576, UINT64_MAX, 1);
      cr_assert(empty > 0 && isfinite(empty), "%s", gb_intra_table[i].name);
      cr_assert(huge > 1e18 && isfinite(huge), "%s: %g", gb_intra_table[i].name, huge);
    }
  }
}

Test(intra_models, native_follows_what_mpich_documents) {
  gb_lan lan = {.latency = 50e-6, .bandwidth = 125e6, .overhead = 2e-6};
  double fixed = 54e-6; /* o + L + o */
  close_to(model("native", GB_BCAST, &lan, 16, 12287, 0), 4 * (fixed + 12287 / 125e6), "short", 16);
  close_to(model("native", GB_BCAST, &lan, 7, 1 << 20, 0), 3 * (fixed + 1048576 / 125e6), "few", 7);
  double scatter = 4 * fixed + 15 * 4096 / 125e6; /* blocks of 4 KiB */
  close_to(model("native", GB_BCAST, &lan, 16, 65536, 0), 2 * scatter, "recursive doubling", 16);
  double long_scatter = 4 * fixed + 15 * 65536 / 125e6; /* blocks of 64 KiB */
  close_to(model("native", GB_BCAST, &lan, 16, 1 << 20, 0), long_scatter + 15 * (fixed + 65536 / 125e6),
           "ring", 16);
  double odd = 4 * fixed + 15 * 6000 / 125e6; /* 9 hosts, blocks of 6000 */
  odd -= (8 * 6000 - 48000) / 125e6;
  close_to(model("native", GB_BCAST, &lan, 9, 54000, 0), odd + 8 * (fixed + 6000 / 125e6), "ring of 9", 9);
}

Test(intra_models, measured_tables_replace_the_line) {
  gb_plogp_point point[] = {{.bytes = 100, .gap = 7, .latency = 3}, {.bytes = 200, .gap = 9, .latency = 1}};
  gb_plogp table = {.count = 2, .point = point};
  gb_lan lan = {.plogp = &table, .latency = 99, .bandwidth = 1e-9, .overhead = 99};
  close_to(model("flat", GB_BCAST, &lan, 4, 150, 0), 3 * 8 + 2, "flat", 4);
  close_to(model("chain-rendezvous", GB_BCAST, &lan, 4, 150, 0), 3 * (8 + 2 + 2 * 7 + 2 * 3),
           "chain-rendezvous", 4);
  close_to(model("binomial", GB_SCATTER, &lan, 4, 100, 0), 7 + 9 + 3 + 1, "binomial", 4);
}

Test(intra_models, the_table_is_complete) {
  const char *bcast[] = {"flat",
                         "flat-rendezvous",
                         "flat-segmented",
                         "chain",
                         "chain-rendezvous",
                         "chain-segmented",
                         "binary",
                         "binomial",
                         "binomial-rendezvous",
                         "binomial-segmented",
                         "earliest",
                         "linear-contention-free",
                         "binary-contention-free",
                         "kary-contention-free",
                         "binary-shared-links",
                         "two-tree",
                         "scatter-allgather",
                         "native"};
  const char *scatter[] = {"flat", "chain", "binomial", "native"};
  for (size_t i = 0; i < sizeof bcast / sizeof bcast[0]; i++) {
    cr_assert(gb_intra_find(bcast[i], GB_BCAST) < gb_intra_count, "%s", bcast[i]);
  }
  for (size_t i = 0; i < sizeof scatter / sizeof scatter[0]; i++) {
    cr_assert(gb_intra_find(scatter[i], GB_SCATTER) < gb_intra_count, "%s", scatter[i]);
  }
  cr_assert_eq(gb_intra_find("binary", GB_SCATTER), SIZE_MAX);
  cr_assert_eq(gb_intra_find("nothing", GB_BCAST), SIZE_MAX);
  for (size_t i = 0; i < gb_intra_count; i++) {
    const gb_intra_algorithm *a = &gb_intra_table[i];
    cr_assert(a->build != NULL && a->summary != NULL, "%s", a->name);
    cr_assert_eq((a->operations >> GB_BCAST & 1) != 0, a->bcast_model != NULL);
    cr_assert_eq((a->operations >> GB_SCATTER & 1) != 0, a->scatter_model != NULL);
  }
}
