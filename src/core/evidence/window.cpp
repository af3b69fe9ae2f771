#include "window.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "../kernels/diagonal.h"
#include "trend.h"

namespace gpstream {

Vector apart(const Kernel& kernel, const ConstMatrixView& X, const ConstVectorView& r, double most) {
  if (!(most < std::numeric_limits<double>::infinity())) return Vector();
  const Diagonal own(kernel, X);
  Vector out(X.rows());
  for (Index i = 0; i < X.rows(); ++i) out(i) = r(i) > most * own(i);
  return out;
}

void silence(const ConstVectorView& apart, Sites& sites) {
  for (Index i = 0; i < apart.size(); ++i)
    if (apart(i) != 0) sites.row(i).setZero();
}

Vector Fading::shares(const Vector& t) const {
  return t.unaryExpr([this](double one) { return share(one); });
}

Fading Fading::after(const Vector& t) const {
  Fading out = *this;
  if (t.size() > 0) out.now = std::max(now, t.maxCoeff());
  return out;
}

double Fading::left(const Fading& later) const {
  return fades() && std::isfinite(now) ? std::exp2((now - later.now) / half_life) : 1.0;
}

double Fading::in_rows() const {
  return column == by_rows ? half_life : std::numeric_limits<double>::infinity();
}

Index Trend::active() const { return (ratio.array() > 0).count(); }

Matrix Trend::at(const ConstMatrixView& X) const {
  Matrix out(X.rows(), size());
  out.col(0).setOnes();
  for (Index j = 1; j < size(); ++j)
    out.col(j) = (X.col(columns[static_cast<std::size_t>(j - 1)]).array() - centre(j - 1)) / scale(j - 1);
  return out;
}

Matrix Trend::spread() const {
  Matrix out = Matrix::Zero(size(), active());
  for (Index j = 0, at = 0; j < size(); ++j)
    if (ratio(j) > 0) out(j, at++) = std::sqrt(ratio(j));
  return out;
}

Matrix Trend::features(const ConstMatrixView& X) const {
  if (active() == 0) return Matrix(0, X.rows());
  return (at(X) * spread()).transpose();
}

Vector Trend::slopes(Index d) const {
  Vector rise = Vector::Zero(size());
  for (Index j = 1; j < size(); ++j)
    if (columns[static_cast<std::size_t>(j - 1)] == d) rise(j) += 1.0 / scale(j - 1);
  return spread().transpose() * rise;
}

bool Trend::fits(Index D) const {
  const Index q = size();
  if (centre.size() != q - 1 || scale.size() != q - 1 || ratio.size() != q) return false;
  if (untold < 0 || untold > q - 1) return false;
  for (const Index column : columns)
    if (column < 0 || column >= D) return false;
  return centre.allFinite() && scale.allFinite() && (scale.array() > 0).all() && ratio.allFinite() &&
         (ratio.array() >= 0).all();
}

Window::Window(Index limit, Index D, Index M, bool told) : limit_(limit), D_(D), told_(told ? 3 : 0) {
  rows_.reserve(fields(), 1);  // an empty window is not a null pointer
  rows_.resize(fields(), 0);
  W_.reserve(std::max<Index>(M, 1), 1);
  W_.resize(M, 0);
}

Matrix Window::inputs(Index count) const { return rows_.view().block(0, first_, D_, count).transpose(); }

Vector Window::outputs(Index count) const { return rows_.view().row(D_).segment(first_, count).transpose(); }

Vector Window::residuals(Index count) const {
  return rows_.view().row(D_ + 1).segment(first_, count).transpose();
}

Vector Window::apart(Index count) const {
  return rows_.view().row(D_ + 2 + site::columns).segment(first_, count).transpose();
}

Vector Window::times(Index count) const {
  return rows_.view().row(D_ + 3 + site::columns).segment(first_, count).transpose();
}

Responses Window::responses() const {
  Responses out{outputs()};
  if (told_ == 0) return out;
  const Matrix told = this->told();
  out.weights = told.col(0);
  out.more = told.col(1);
  out.offset = told.col(2);
  return out;
}

Matrix Window::told() const { return rows_.view().bottomRows(told_).rightCols(size()).transpose(); }

Sites Window::own_sites(Index count) const {
  return rows_.view().block(D_ + 2, first_, site::columns, count).transpose();
}

Sites Window::said_sites(Index count) const {
  Sites out = own_sites(count);
  if (apart_ > 0) silence(apart(count), out);
  return out;
}

Sites Window::sites(Index count, const Fading& fading) const {
  if (!fading.fades()) return said_sites(count);
  return fading.shares(times(count)).asDiagonal() * said_sites(count);
}

ConstMatrixView Window::features() const { return W_.view().rightCols(size()); }

Window Window::without(const Span& rows) const {
  return picked({0, rows.from}, {rows.from + rows.count, size() - rows.from - rows.count});
}

void Window::reserve(Index M, Index incoming) {
  if (first_ > 0 && first_ >= size()) compact();
  const Index cols = rows_.cols() + incoming;
  rows_.reserve(fields(), cols);
  W_.reserve(M, cols);
}

void Window::extend(const ConstVectorView& fresh) {
  const Index M = W_.rows();
  W_.resize(M + 1, W_.cols());
  W_.view().row(M).tail(size()) = fresh.transpose();
  MatrixView stored = rows_.view();
  for (Index i = 0; i < size(); ++i) {
    double& r = stored(D_ + 1, first_ + i);
    r = std::max(r - fresh(i) * fresh(i), 0.0);
  }
}

void Window::truncate(Index M, const ConstVectorView& residuals) {
  W_.resize(M, W_.cols());
  rows_.view().row(D_ + 1).tail(size()) = residuals.transpose();
}

void Window::push(const ConstMatrixView& X, const ConstVectorView& y, const ConstVectorView& r,
                  const Sites& sites, const ConstMatrixView& A, const ConstVectorView& apart,
                  const ConstVectorView& times, const Matrix& told) {
  const Index B = X.rows(), at = rows_.cols();
  rows_.resize(fields(), at + B);
  W_.resize(A.rows(), at + B);
  MatrixView stored = rows_.view();
  stored.block(0, at, D_, B) = X.transpose();
  stored.row(D_).tail(B) = y.transpose();
  stored.row(D_ + 1).tail(B) = r.transpose();
  stored.block(D_ + 2, at, site::columns, B) = sites.transpose();
  stored.row(D_ + 3 + site::columns).tail(B) = times.transpose();
  stored.row(D_ + 2 + site::columns).tail(B).setZero();
  if (told_ > 0) stored.bottomRows(told_).rightCols(B) = told.transpose();
  W_.view().rightCols(B) = A;
  if (apart.size() == 0) return;
  stored.row(D_ + 2 + site::columns).tail(B) = apart.transpose();
  apart_ += static_cast<Index>(apart.sum());
}

void Window::drop(Index count) {
  if (apart_ > 0) apart_ -= static_cast<Index>(apart(count).sum());
  first_ += count;
}

void Window::remove(Index i) {
  if (rows_.view()(D_ + 2 + site::columns, first_ + i) != 0) --apart_;
  for (Index j = first_ + i; j > first_; --j) {
    rows_.view().col(j) = rows_.view().col(j - 1);
    W_.view().col(j) = W_.view().col(j - 1);
  }
  ++first_;
}

void Window::set_sites(const Sites& sites) {
  rows_.view().block(D_ + 2, first_, site::columns, size()) = sites.transpose();
}

void Window::set_apart(const ConstVectorView& apart) {
  rows_.view().row(D_ + 2 + site::columns).tail(size()) = apart.transpose();
  apart_ = static_cast<Index>(apart.sum());
}

void Window::weigh_down(double keep) {
  set_sites(keep * own_sites());
  if (told_ > 0) rows_.view().row(fields() - told_).tail(size()) *= keep;
}

void Window::set_times(const ConstVectorView& times) {
  rows_.view().row(D_ + 3 + site::columns).tail(size()) = times.transpose();
}

void Window::set_outputs(const ConstVectorView& y) { rows_.view().row(D_).tail(size()) = y.transpose(); }

void Window::set_weights(const ConstVectorView& weights) {
  rows_.view().row(fields() - told_).tail(size()) = weights.transpose();
}

void Window::set_features(const ConstMatrixView& W, const ConstVectorView& r) {
  Window again(limit_, D_, W.rows(), tells());
  again.reserve(W.rows(), size());
  again.push(inputs(), outputs(), r, own_sites(), W, apart(), times(), told());
  again.fading_ = fading_;
  *this = std::move(again);
}

Window Window::picked(const Span& a, const Span& b) const {
  Window out(limit_, D_, W_.rows(), tells());
  out.fading_ = fading_;
  out.reserve(W_.rows(), a.count + b.count);
  out.rows_.resize(fields(), a.count + b.count);
  out.W_.resize(W_.rows(), a.count + b.count);
  const auto pick = [&](const auto& all, MatrixView into) {
    into << all.middleCols(first_ + a.from, a.count), all.middleCols(first_ + b.from, b.count);
  };
  pick(rows_.view(), out.rows_.view());
  pick(W_.view(), out.W_.view());
  if (apart_ > 0) out.apart_ = static_cast<Index>(out.apart().sum());
  return out;
}

void Window::compact() {
  const Index keep = size();
  for (Index j = 0; j < keep; ++j) {
    rows_.view().col(j) = rows_.view().col(first_ + j);
    W_.view().col(j) = W_.view().col(first_ + j);
  }
  rows_.resize(rows_.rows(), keep);
  W_.resize(W_.rows(), keep);
  first_ = 0;
}

}  // namespace gpstream
