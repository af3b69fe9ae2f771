// Evidence: what the data said, as sums over rows of features w and outputs y. Additive, and free of the
// amplitude v and the noise s2, which enter only at read-out.  [derivation 2]
//   P = sum w w'    b = sum w y    h = sum w    n    sum_y    yy = sum y^2    tau = sum r, by level
// y is measured from the model's fixed offset. P lives in its lower triangle; nothing is ever subtracted from
// it.
#ifndef GPSTREAM_EVIDENCE_H
#define GPSTREAM_EVIDENCE_H

#include "../linear/growing.h"
#include "../linear/linalg.h"

namespace gpstream {

// What changes of points or kernel brought along, about rows that had left the look-back window by then.
// [derivation 10]
struct Carried {
  double tau = 0.0;   // their residual as the objective counts it: that of then, and the price of each move
  double lost = 0.0;  // the prices
  double norm = 0.0;  // a bound on the squared distance of their features from what they are about, under the
                      // present kernel
  double foreign =
      0.0;  // the number of rows whose features come from another kernel, for which there is no such bound
};

struct Evidence {
  GrowingMatrix P;
  GrowingVector b, h;
  double n = 0.0, sum_y = 0.0, yy = 0.0;
  // tau(m): residual of the rows whose feature has length m and can no longer grow (rows in the look-back
  // window keep their own)
  GrowingVector tau = GrowingVector(Vector::Zero(1));
  Carried carried;

  Index size() const { return b.size(); }

  // The part of `absorb` that needs no new memory but the work space of one product, taken before anything is
  // written.
  void add(const ConstMatrixView& A, const ConstVectorView& y) {
    if (A.size() == 0) return;
    add_outer(P.view(), A);
    b.view().noalias() += A * y;
    h.view() += A.rowwise().sum();
  }

  // The sums of other rows, under the same points.
  void add(const Evidence& other) {
    P.view().triangularView<Eigen::Lower>() += other.P.view();
    b.view() += other.b.view();
    h.view() += other.h.view();
  }
  static Evidence none(Index M) {
    Evidence out;
    out.P = GrowingMatrix(Matrix::Zero(M, M));
    out.b = out.h = GrowingVector(Vector::Zero(M));
    return out;
  }

  void count(const ConstVectorView& y) {
    n += static_cast<double>(y.size());
    sum_y += y.sum();
    yy += y.squaredNorm();
  }

  void reserve(Index M) {
    P.reserve(M, M);
    b.reserve(M);
    h.reserve(M);
    tau.reserve(M + 1);
  }

  // A point has joined: rows that are gone have 0 as their new entry, those in the window bring `row`,
  // `corner`, ...
  void append(const ConstVectorView& row, double corner, double b_new, double h_new) {
    const Index M = size();
    P.resize(M + 1, M + 1);
    MatrixView statistics = P.view();
    statistics.col(M).setZero();
    statistics.row(M).head(M) = row.transpose();
    statistics(M, M) = corner;
    b.push(b_new);
    h.push(h_new);
    tau.push(0.0);
  }

  void truncate(Index M) {
    P.resize(M, M);
    b.resize(M);
    h.resize(M);
    tau.resize(M + 1);
  }
};

}  // namespace gpstream

#endif
