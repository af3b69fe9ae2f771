// What one row of a stream needs, at the width of AVX2 and FMA: a solve for one vector, and updates by one.
// All of these wait for memory, so that they take several columns of the matrix in one pass over the vector.
#ifndef GPSTREAM_VECTOR_RANK_ONE_H
#define GPSTREAM_VECTOR_RANK_ONE_H

#include <cmath>

#include "tile.h"

#if GPSTREAM_WIDE
namespace gpstream {
namespace vector {

// b <- L^-1 b
GPSTREAM_AVX2_FMA inline void solve_lower(Index n, const double* L, Index ldl, double* b) {
  for (Index j = 0; j < n; j += 4) {
    const Index columns = n - j < 4 ? n - j : 4;
    const double* square = L + j * (ldl + 1);
    double x[4] = {};
    for (Index c = 0; c < columns; ++c) {
      double sum = b[j + c];
      for (Index k = 0; k < c; ++k) sum -= square[c + k * ldl] * x[k];
      b[j + c] = x[c] = sum / square[c * (ldl + 1)];
    }
    const __m256d x0 = _mm256_set1_pd(x[0]), x1 = _mm256_set1_pd(x[1]), x2 = _mm256_set1_pd(x[2]),
                  x3 = _mm256_set1_pd(x[3]);
    const double *l0 = L + j * ldl, *l1 = l0 + ldl, *l2 = l1 + ldl, *l3 = l2 + ldl;
    Index i = j + 4;
    for (; i + 4 <= n; i += 4) {
      const __m256d p =
          _mm256_fmadd_pd(_mm256_loadu_pd(l1 + i), x1, _mm256_mul_pd(_mm256_loadu_pd(l0 + i), x0));
      const __m256d q =
          _mm256_fmadd_pd(_mm256_loadu_pd(l3 + i), x3, _mm256_mul_pd(_mm256_loadu_pd(l2 + i), x2));
      _mm256_storeu_pd(b + i, _mm256_sub_pd(_mm256_loadu_pd(b + i), _mm256_add_pd(p, q)));
    }
    for (; i < n; ++i) b[i] -= (l0[i] * x[0] + l1[i] * x[1]) + (l2[i] * x[2] + l3[i] * x[3]);
  }
}

// b <- L^-T b
GPSTREAM_AVX2_FMA inline void solve_lower_transposed(Index n, const double* L, Index ldl, double* b) {
  for (Index end = n; end > 0;) {
    const Index columns = end % 4 == 0 ? 4 : end % 4,
                j = end - columns;  // the odd ones first: from then on by fours
    double sum[4] = {};
    if (columns == 4) {
      __m256d s0 = _mm256_setzero_pd(), s1 = s0, s2 = s0, s3 = s0;
      const double *l0 = L + j * ldl, *l1 = l0 + ldl, *l2 = l1 + ldl, *l3 = l2 + ldl;
      Index i = end;
      for (; i + 4 <= n; i += 4) {
        const __m256d x = _mm256_loadu_pd(b + i);
        s0 = _mm256_fmadd_pd(_mm256_loadu_pd(l0 + i), x, s0);
        s1 = _mm256_fmadd_pd(_mm256_loadu_pd(l1 + i), x, s1);
        s2 = _mm256_fmadd_pd(_mm256_loadu_pd(l2 + i), x, s2);
        s3 = _mm256_fmadd_pd(_mm256_loadu_pd(l3 + i), x, s3);
      }
      const __m256d s01 = _mm256_hadd_pd(s0, s1), s23 = _mm256_hadd_pd(s2, s3);
      _mm256_storeu_pd(
          sum, _mm256_add_pd(_mm256_permute2f128_pd(s01, s23, 0x20), _mm256_permute2f128_pd(s01, s23, 0x31)));
      for (; i < n; ++i)
        for (Index c = 0; c < 4; ++c) sum[c] += L[i + (j + c) * ldl] * b[i];
    }
    for (Index c = columns - 1; c >= 0; --c) {
      double x = b[j + c] - sum[c];
      for (Index k = c + 1; k < columns; ++k) x -= L[j + k + (j + c) * ldl] * b[j + k];
      b[j + c] = x / L[(j + c) * (ldl + 1)];
    }
    end = j;
  }
}

// S <- S + a a', lower triangle
GPSTREAM_AVX2_FMA inline void add_outer(Index n, const double* a, double* S, Index lds) {
  for (Index j = 0; j < n; ++j) {
    double* s = S + j * lds;
    const __m256d aj = _mm256_set1_pd(a[j]);
    Index i = j;
    for (; i + 4 <= n; i += 4)
      _mm256_storeu_pd(s + i, _mm256_fmadd_pd(aj, _mm256_loadu_pd(a + i), _mm256_loadu_pd(s + i)));
    for (; i < n; ++i) s[i] += a[j] * a[i];
  }
}

// One plane rotation takes w(j) into the diagonal; the rest of the column and of w follow.
struct Rotation {
  double s, cosine, inverse;
  GPSTREAM_TILE Rotation(double& diagonal, double w) {
    const double before = diagonal;
    diagonal = std::sqrt(before * before + w * w);
    s = w / before;
    cosine = diagonal / before;
    inverse = before / diagonal;
  }
  GPSTREAM_TILE void apply(double& c, double& w) const {
    c = (c + s * w) * inverse;
    w = cosine * w - s * c;
  }
  GPSTREAM_TILE void apply(__m256d& c, __m256d& w) const {
    const __m256d all = _mm256_set1_pd(s);
    c = _mm256_mul_pd(_mm256_fmadd_pd(all, w, c), _mm256_set1_pd(inverse));
    w = _mm256_fnmadd_pd(all, c, _mm256_mul_pd(_mm256_set1_pd(cosine), w));
  }
};

// C C' <- C C' + w w' for a lower factor C; w is used up
GPSTREAM_AVX2_FMA inline void cholesky_update(Index n, double* C, Index ldc, double* w) {
  Index j = 0;
  for (; j + 2 <= n; j += 2) {
    double *c = C + j * ldc, *d = c + ldc;
    const Rotation first(c[j], w[j]);
    first.apply(c[j + 1], w[j + 1]);
    const Rotation second(d[j + 1], w[j + 1]);
    Index i = j + 2;
    for (; i + 4 <= n; i += 4) {
      __m256d x = _mm256_loadu_pd(w + i), p = _mm256_loadu_pd(c + i), q = _mm256_loadu_pd(d + i);
      first.apply(p, x);
      second.apply(q, x);
      _mm256_storeu_pd(c + i, p);
      _mm256_storeu_pd(d + i, q);
      _mm256_storeu_pd(w + i, x);
    }
    for (; i < n; ++i) {
      first.apply(c[i], w[i]);
      second.apply(d[i], w[i]);
    }
  }
  if (j < n) Rotation(C[j * (ldc + 1)], w[j]);
}

}  // namespace vector
}  // namespace gpstream
#endif

#endif
