// Mean and standard deviation of each column of the rows so far, one row after the other, measured from the
// first row: far from 0, a running mean would lose the last digits of what a column varies by.
#ifndef GPSTREAM_LEARN_MOMENTS_H
#define GPSTREAM_LEARN_MOMENTS_H

#include <limits>

#include "../linear/types.h"

namespace gpstream {

struct Moments {
  double n = 0.0;
  Vector first, about, squares;  // the first row, the mean measured from it, squares about the mean

  explicit Moments(Index D = 0) : first(Vector::Zero(D)), about(Vector::Zero(D)), squares(Vector::Zero(D)) {}

  void add(const ConstMatrixView& X) {
    for (Index i = 0; i < X.rows(); ++i) {
      if (n == 0) first = X.row(i).transpose();
      n += 1.0;
      const Vector x = X.row(i).transpose() - first, away = x - about;
      about += away / n;
      squares += away.cwiseProduct(x - about);
    }
  }

  // Rows that were seen elsewhere.
  void merge(const Moments& other) {
    if (other.n == 0) return;
    if (n == 0) first = other.first;
    const double all = n + other.n;
    const Vector apart = (other.first - first) + (other.about - about);
    about += apart * (other.n / all);
    squares += other.squares + apart.cwiseAbs2() * (n * other.n / all);
    n = all;
  }

  // A row is taken out again.
  void remove(const ConstVectorView& row) {
    n -= 1.0;
    const Vector x = row - first, away = x - about;
    if (n > 0) about -= away / n;
    squares = (squares - away.cwiseProduct(x - about)).cwiseMax(0.0).eval();
  }

  Vector mean() const { return first + about; }

  // Has column d no spread so far, but for rounding?
  bool constant(Index d) const {
    return !(sd(d) > 4.0 * std::numeric_limits<double>::epsilon() * std::abs(first(d) + about(d)));
  }

  // What a column's lengthscale is measured against: its standard deviation; where it has no spread, its size,
  // 1 where that is 0.
  Vector scale() const {
    Vector out(squares.size());
    for (Index d = 0; d < out.size(); ++d) {
      const double size = std::abs(first(d) + about(d));
      out(d) = !constant(d) && std::isfinite(sd(d)) ? sd(d) : size > 0 ? size : 1.0;
    }
    return out;
  }

 private:
  double sd(Index d) const { return std::sqrt(squares(d) / std::max(n - 1.0, 1.0)); }
};

}  // namespace gpstream

#endif
