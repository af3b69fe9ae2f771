// Reflections of a few neighbouring coordinates each, one after the other: Q = H_1 H_2 ... makes a lower
// factor that has lost some rows triangular again.
#ifndef GPSTREAM_REFLECTIONS_H
#define GPSTREAM_REFLECTIONS_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg.h"

namespace gpstream {

// I - v v', v'v = 2, on some consecutive coordinates.
struct Reflection {
  Index at;
  Vector v;

  void turn_columns(MatrixView A) const {
    auto some = A.middleCols(at, v.size());
    const Vector along = some * v;
    some.noalias() -= along * v.transpose();
  }
};

// L, whose row i has entries up to column `last[i]`, becomes lower triangular with a positive diagonal.
inline std::vector<Reflection> triangularise(MatrixView L, const std::vector<Index>& last) {
  std::vector<Reflection> out;
  for (Index i = 0; i < L.rows(); ++i) {
    Vector x = L.row(i).segment(i, last[static_cast<std::size_t>(i)] - i + 1).transpose();
    const double others = x.tail(x.size() - 1).squaredNorm(), norm = x.norm();
    if (others == 0 && x(0) > 0) continue;
    x(0) = x(0) > 0 ? -others / (x(0) + norm) : x(0) - norm;  // without cancellation
    x *= std::sqrt(2.0) / x.norm();
    out.push_back({i, std::move(x)});
    out.back().turn_columns(L.bottomRows(L.rows() - i));
    L(i, i) = norm;
    L.row(i).segment(i + 1, out.back().v.size() - 1).setZero();
  }
  return out;
}

// Q'A for four columns at a time: one alone would wait for each of its sums.
inline void turn_rows(const Reflection* first, const Reflection* last, MatrixView A) {
  for (const Reflection* one = first; one != last; ++one) {
    const Index k = one->v.size();
    const double* v = one->v.data();
    if (A.cols() == 4) {
      double *a = &A(one->at, 0), *b = &A(one->at, 1), *c = &A(one->at, 2), *d = &A(one->at, 3);
      double along[4] = {};
      for (Index i = 0; i < k; ++i) {
        along[0] += v[i] * a[i], along[1] += v[i] * b[i];
        along[2] += v[i] * c[i], along[3] += v[i] * d[i];
      }
      for (Index i = 0; i < k; ++i) {
        a[i] -= along[0] * v[i], b[i] -= along[1] * v[i];
        c[i] -= along[2] * v[i], d[i] -= along[3] * v[i];
      }
    } else {
      for (Index j = 0; j < A.cols(); ++j) {
        auto some = A.col(j).segment(one->at, k);
        some -= one->v.dot(some) * one->v;
      }
    }
  }
}

// S <- Q'S Q, in the lower triangle. What a reflection does to the rows of columns before it has no effect on
// any other column, and comes at the end: a few columns at a time stay in the cache.
inline void turn_both(const std::vector<Reflection>& Q, MatrixView S) {
  const Index M = S.rows();
  for (const Reflection& one : Q) {
    const Index k = one.v.size();
    one.turn_columns(S.bottomRows(M - one.at - k));
    Matrix square = symmetric(S.block(one.at, one.at, k, k));
    for (int both = 0; both < 2; ++both) {
      const Vector along = square * one.v;
      square -= along * one.v.transpose();
      square.transposeInPlace();
    }
    S.block(one.at, one.at, k, k).triangularView<Eigen::Lower>() = square;
  }
  const Reflection *next = Q.data(), *end = next + Q.size();
  for (Index c = 0; c < M; c += 4) {
    const Index columns = std::min<Index>(4, M - c);
    for (Index j = 0; j < columns; ++j)  // those that begin among these columns
      for (const Reflection* one = next; one != end && one->at < c + columns; ++one)
        if (one->at > c + j) turn_rows(one, one + 1, S.middleCols(c + j, 1));
    while (next != end && next->at < c + columns) ++next;
    turn_rows(next, end, S.middleCols(c, columns));
  }
}

}  // namespace gpstream

#endif
