/* Prints Table 3 of the pipelined-broadcast paper (see bench/table3.h): its Model and Actual columns, and the
 * sizes that its formula and the planner choose among the same eight. */
#include "bench/table3.h"

typedef struct score {
  unsigned cells, equal, near; /* near: at most one step off */
} score;

static void count(score *s, uint64_t got, uint64_t want) {
  s->cells++;
  s->equal += got == want;
  s->near += table3_steps(got, want) <= 1;
}

static void tell(const char *what, const score *s) {
  printf("%-26s %u of %u cells equal the paper's model, %u at most one step off\n", what, s->equal, s->cells,
         s->near);
}

static bool print_tree(bool binary) {
  table3_tree tree = table3_tree_of(binary);
  score by_formula = {0}, by_planner = {0};
  for (const table3_net *net = table3; net < table3 + 2; net++) {
    gbcast_platform *p = table3_platform(net);
    if (!p)
      return false;
    printf("%s, %s on 4 switches\n%-10s %12s %12s %12s %12s\n", net->name, tree.intra, "message",
           "paper: model", tree.formula, "planner", "measured");
    for (unsigned row = 0; row < TABLE3_ROWS; row++) {
      uint64_t bytes = table3_message(row);
      uint64_t model = binary ? net->binary_model[row] : net->linear_model[row];
      uint64_t actual = binary ? net->binary_actual[row] : net->linear_actual[row];
      table3_cell cell = table3_best(p, tree.intra, bytes);
      if (cell.formula == 0) {
        gbcast_platform_free(p);
        return false;
      }
      printf("%6llu KiB %12llu %12llu %12llu %12llu\n", (unsigned long long)bytes / 1024,
             (unsigned long long)model, (unsigned long long)cell.formula, (unsigned long long)cell.planner,
             (unsigned long long)actual);
      count(&by_formula, cell.formula, model);
      count(&by_planner, cell.planner, model);
    }
    putchar('\n');
    gbcast_platform_free(p);
  }
  tell(tree.formula, &by_formula);
  tell("planner", &by_planner);
  putchar('\n');
  return true;
}

/* The cell of the linear tree in which the paper differs from its own formula and numbers. */
static bool print_odd_cell(void) {
  gbcast_platform *p = table3_platform(&table3[1]);
  if (!p)
    return false;
  gb_lan lan = gb_lan_of(p, 0);
  gb_intra_model *model = gb_intra_table[gb_intra_find("linear-contention-free", GB_BCAST)].bcast_model;
  printf(
      "64 KiB on %s, linear tree: formula (1) gives %.3f ms with 512 and %.3f ms with the %llu in print.\n\n",
      table3[1].name, 1e3 * model(&lan, 32, 65536, 512),
      1e3 * model(&lan, 32, 65536, table3[1].linear_model[3]), (unsigned long long)table3[1].linear_model[3]);
  gbcast_platform_free(p);
  return true;
}

int main(void) {
  printf("Segment sizes in bytes, the best of eight, for a broadcast to 32 hosts.\n");
  printf("\"paper: model\" and \"measured\" are what the paper prints.\n\n");
  return print_tree(false) && print_odd_cell() && print_tree(true) ? 0 : 1;
}
