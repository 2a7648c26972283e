/* LU factors of a small matrix, with the largest pivot of each column (Golub and Van Loan, algorithm 3.4.1).
 * L has ones on its diagonal and lies below that of U. */
#include "inter/packing.h"

static double size(double x) {
  return x < 0 ? -x : x;
}

static void swap(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

bool gb_lu_factor(double *m, uint32_t k, uint32_t *exchange) {
  for (uint32_t c = 0; c < k; c++) {
    uint32_t best = c;
    for (uint32_t r = c + 1; r < k; r++)
      if (size(m[(size_t)r * k + c]) > size(m[(size_t)best * k + c]))
        best = r;
    exchange[c] = best;
    if (!(size(m[(size_t)best * k + c]) > 0))
      return false;
    for (uint32_t j = 0; j < k && best != c; j++)
      swap(&m[(size_t)c * k + j], &m[(size_t)best * k + j]);
    for (uint32_t r = c + 1; r < k; r++) {
      double *row = &m[(size_t)r * k];
      if (row[c] == 0)
        continue;
      row[c] /= m[(size_t)c * k + c];
      for (uint32_t j = c + 1; j < k; j++)
        row[j] -= row[c] * m[(size_t)c * k + j];
    }
  }
  return true;
}

void gb_lu_solve(const double *m, uint32_t k, const uint32_t *exchange, double *b) {
  for (uint32_t r = 0; r < k; r++)
    swap(&b[r], &b[exchange[r]]);
  for (uint32_t r = 0; r < k; r++)
    for (uint32_t below = r + 1; below < k; below++)
      b[below] -= m[(size_t)below * k + r] * b[r];
  for (uint32_t r = k; r-- > 0;) {
    for (uint32_t j = r + 1; j < k; j++)
      b[r] -= m[(size_t)r * k + j] * b[j];
    b[r] /= m[(size_t)r * k + r];
  }
}

void gb_lu_solve_transposed(const double *m, uint32_t k, const uint32_t *exchange, double *b) {
  for (uint32_t r = 0; r < k; r++) {
    for (uint32_t j = 0; j < r; j++)
      b[r] -= m[(size_t)j * k + r] * b[j];
    b[r] /= m[(size_t)r * k + r];
  }
  for (uint32_t r = k; r-- > 0;)
    for (uint32_t below = r + 1; below < k; below++)
      b[r] -= m[(size_t)below * k + r] * b[below];
  for (uint32_t r = k; r-- > 0;)
    swap(&b[r], &b[exchange[r]]);
}
