// Mean and standard deviation of each column of the rows so far, one row after the other.
#ifndef GPSTREAM_LEARN_MOMENTS_H
#define GPSTREAM_LEARN_MOMENTS_H

#include "../linear/types.h"

namespace gpstream {

struct Moments {
  double n = 0.0;
  Vector mean, squares;  // squares about the mean

  explicit Moments(Index D = 0) : mean(Vector::Zero(D)), squares(Vector::Zero(D)) {}

  void add(const ConstMatrixView& X) {
    for (Index i = 0; i < X.rows(); ++i) {
      n += 1.0;
      const Vector away = X.row(i).transpose() - mean;
      mean += away / n;
      squares += away.cwiseProduct(X.row(i).transpose() - mean);
    }
  }

  // Rows that were seen elsewhere.
  void merge(const Moments& other) {
    if (other.n == 0) return;
    const double all = n + other.n;
    const Vector apart = other.mean - mean;
    mean += apart * (other.n / all);
    squares += other.squares + apart.cwiseAbs2() * (n * other.n / all);
    n = all;
  }

  // A row is taken out again.
  void remove(const ConstVectorView& x) {
    n -= 1.0;
    const Vector away = x - mean;
    if (n > 0) mean -= away / n;
    squares = (squares - away.cwiseProduct(x - mean)).cwiseMax(0.0).eval();
  }

  // What a column's lengthscale is measured against: its standard deviation; where it hardly varies, its
  // size.
  Vector scale() const {
    Vector out = (squares / std::max(n - 1.0, 1.0)).cwiseSqrt();
    for (Index d = 0; d < out.size(); ++d)
      if (!(out(d) > 1e-7 * std::abs(mean(d)) && std::isfinite(out(d))))
        out(d) = std::max(std::abs(mean(d)), 1e-3);
    return out;
  }
};

}  // namespace gpstream

#endif
