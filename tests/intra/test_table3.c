/* The pipelined-broadcast paper's Table 3 against its formulas and the planner; bench/table3 prints it. */
#include "bench/table3.h"

#include <criterion/criterion.h>

/* All cells equal but one: 64 KiB on 1000 Mbit/s is 1024 in print, where formula (1) gives 4.360 ms with 512
 * and 4.458 ms with 1024. */
Test(table3, linear_tree) {
  gb_intra_model *formula_1 = gb_intra_table[gb_intra_find("linear-contention-free", GB_BCAST)].bcast_model;
  unsigned equal = 0;
  for (const table3_net *net = table3; net < table3 + 2; net++) {
    table3_tree tree = table3_tree_of(false);
    gbcast_platform *p = table3_platform(net);
    cr_assert_not_null(p);
    gb_lan lan = gb_lan_of(p, 0);
    for (unsigned row = 0; row < TABLE3_ROWS; row++) {
      uint64_t bytes = table3_message(row);
      bool odd = net == &table3[1] && bytes == 65536;
      uint64_t want = odd ? 512 : net->linear_model[row];
      table3_cell cell = table3_best(p, tree.intra, bytes);
      cr_expect_eq(cell.formula, want, "%s, %lu: formula %lu", net->name, bytes, cell.formula);
      cr_expect_eq(cell.planner, want, "%s, %lu: planner %lu", net->name, bytes, cell.planner);
      equal += cell.planner == net->linear_model[row];
      for (unsigned i = 0; table3_segment(i) <= bytes && i < TABLE3_SIZES; i++) {
        uint64_t segment = table3_segment(i);
        gbcast_plan *plan = table3_plan(p, tree.intra, bytes, segment);
        double closed = formula_1(&lan, 32, bytes, segment);
        cr_assert_float_eq(table3_formula(plan, &lan, bytes, segment), closed, 1e-9 * closed);
        cr_assert_float_eq(plan->predicted, closed, 1e-9 * closed);
        gbcast_plan_free(plan);
      }
    }
    gbcast_platform_free(p);
  }
  cr_assert_eq(equal, 17);
  gbcast_platform *p = table3_platform(&table3[1]);
  gb_lan lan = gb_lan_of(p, 0);
  cr_assert_float_eq(formula_1(&lan, 32, 65536, 512), 31 * 0.071e-3 + 127 * 0.017e-3, 1e-12);
  cr_assert_float_eq(formula_1(&lan, 32, 65536, 1024), 31 * 0.093e-3 + 63 * 0.025e-3, 1e-12);
  gbcast_platform_free(p);
}

Test(table3, binary_tree_is_at_most_one_step_off) {
  table3_tree tree = table3_tree_of(true);
  for (const table3_net *net = table3; net < table3 + 2; net++) {
    gbcast_platform *p = table3_platform(net);
    cr_assert_not_null(p);
    for (unsigned row = 0; row < TABLE3_ROWS; row++) {
      table3_cell cell = table3_best(p, tree.intra, table3_message(row));
      cr_assert_neq(cell.formula, 0);
      cr_expect_leq(table3_steps(cell.formula, net->binary_model[row]), 1, "%s, row %u: formula %lu",
                    net->name, row, cell.formula);
      cr_expect_leq(table3_steps(cell.planner, net->binary_model[row]), 1, "%s, row %u: planner %lu",
                    net->name, row, cell.planner);
    }
    gbcast_platform_free(p);
  }
}

/* Formula (2) by hand: seven hosts in a complete binary tree, the last one two right turns from the root:
 * 2 L + 4 g + 2 (X - 1) g. */
Test(table3, formula_2_by_hand) {
  static const char hosts[] = "n[1-7]\nplogp local size=1k gap=25us latency=68us\n";
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(hosts, sizeof hosts - 1, "text", &p, &err), GBCAST_OK, "%s",
               err.message);
  gb_lan lan = gb_lan_of(p, 0);
  gbcast_plan *plan = table3_plan(p, "binary", 10240, 1024);
  double want = 2 * 68e-6 + 4 * 25e-6 + 2 * 9 * 25e-6;
  cr_assert_float_eq(table3_formula(plan, &lan, 10240, 1024), want, 1e-12);
  cr_assert_float_eq(plan->predicted, want, 1e-12, "%.12g", plan->predicted);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}
