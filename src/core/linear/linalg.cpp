#include "linalg.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "machine.h"
#include "reflections.h"
#include "require.h"
#include "vector/algebra.h"
#include "vector/lanes.h"

namespace gpstream {

namespace {

// One vector needs no back end, only the width of the processor's own.
bool in_wide_vectors(Index size) { return size >= 16 && vector::available(); }

}  // namespace

void solve_lower(const ConstMatrixView& L, VectorView b) {
#if GPSTREAM_WIDE
  if (in_wide_vectors(b.size())) return vector::solve_lower(b.size(), L.data(), L.outerStride(), b.data());
#endif
  if (b.size() > 0) L.triangularView<Eigen::Lower>().solveInPlace(b);
}

void solve_lower_transposed(const ConstMatrixView& L, VectorView b) {
#if GPSTREAM_WIDE
  if (in_wide_vectors(b.size()))
    return vector::solve_lower_transposed(b.size(), L.data(), L.outerStride(), b.data());
#endif
  if (b.size() > 0) L.triangularView<Eigen::Lower>().transpose().solveInPlace(b);
}

namespace {

// S <- S + a a' (lower triangle)
void add_outer_of_one(MatrixView S, const ConstVectorView& a) {
#if GPSTREAM_WIDE
  if (in_wide_vectors(a.size())) return vector::add_outer(a.size(), a.data(), S.data(), S.outerStride());
#endif
  S.selfadjointView<Eigen::Lower>().rankUpdate(a);
}

}  // namespace

int threads_for(double operations) {
  return operations < 5e7 || backend().own_threads ? 1 : wanted().threads;
}

void solve_lower(const ConstMatrixView& L, MatrixView B) {
  if (B.cols() <= few_columns) {
    for (Index j = 0; j < B.cols(); ++j) solve_lower(L, VectorView(B.col(j)));
  } else if (B.rows() > 0) {
    backend_for(B.rows()).solve_lower(L, B);
  }
}

void solve_lower_transposed(const ConstMatrixView& L, MatrixView B) {
  if (B.cols() <= few_columns) {
    for (Index j = 0; j < B.cols(); ++j) solve_lower_transposed(L, VectorView(B.col(j)));
  } else if (B.rows() > 0) {
    backend_for(B.rows()).solve_lower_transposed(L, B);
  }
}

void multiply_transposed(const ConstMatrixView& R, const ConstMatrixView& B, MatrixView out) {
  if (B.size() > 0) backend_for(B.rows()).multiply_transposed(R, B, out);
}

void multiply(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) {
  if (out.size() == 0) return;
  if (A.cols() == 0) {
    out.setZero();
    return;
  }
  backend_for(std::min(A.rows(), A.cols())).multiply(A, B, out);
}

void add_outer(MatrixView S, const ConstMatrixView& A) {
  if (A.size() == 0) return;
  if (A.cols() == 1) return add_outer_of_one(S, A.col(0));
  backend_for(A.rows()).add_outer(S, A);
}

Matrix lower_factor(const Matrix& R) {
  const Index M = R.cols();
  const Eigen::HouseholderQR<Matrix> qr(R);
  Matrix C = qr.matrixQR().topRows(M).triangularView<Eigen::Upper>().transpose();
  for (Index j = 0; j < M; ++j)
    if (C(j, j) < 0) C.col(j) = -C.col(j);
  return C;
}

void cholesky_update(MatrixView C, VectorView w) {
  const Index M = C.rows();
#if GPSTREAM_WIDE
  if (in_wide_vectors(M)) return vector::cholesky_update(M, C.data(), C.outerStride(), w.data());
#endif
  for (Index j = 0; j < M; ++j) {
    const double before = C(j, j), after = std::hypot(before, w(j));
    const double c = after / before, s = w(j) / before, inverse = before / after;
    const Index below = M - j - 1;
    C(j, j) = after;
    C.col(j).tail(below) = (C.col(j).tail(below) + s * w.tail(below)) * inverse;
    w.tail(below) = c * w.tail(below) - s * C.col(j).tail(below);
  }
}

double log_determinant(const ConstMatrixView& C) {
  return C.rows() == 0 ? 0.0 : 2.0 * C.diagonal().array().log().sum();
}

Matrix symmetric(const ConstMatrixView& S) { return S.selfadjointView<Eigen::Lower>(); }

Eigensystem eigensystem(const ConstMatrixView& S) {
  if (S.rows() == 0) return {Vector(0), Matrix(0, 0)};
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(S);
  require(solver.info() == Eigen::Success, "not_pd", "the eigenvalues of the evidence could not be found.");
  return {solver.eigenvalues().cwiseMax(0.0), solver.eigenvectors()};
}

Matrix lower(const ConstMatrixView& L) { return L.triangularView<Eigen::Lower>(); }

void Reflection::turn_columns(MatrixView A) const {
  auto some = A.middleCols(at, v.size());
  const Vector along = some * v;
  some.noalias() -= along * v.transpose();
}

std::vector<Reflection> triangularise(MatrixView L, const std::vector<Index>& last) {
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

namespace {

// Q'A for four columns at a time: one alone would wait for each of its sums.
void turn_rows(const Reflection* first, const Reflection* last, MatrixView A) {
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

}  // namespace

void turn_both(const std::vector<Reflection>& Q, MatrixView S) {
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
