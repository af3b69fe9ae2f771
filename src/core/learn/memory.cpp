#include "memory.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "../evidence/fading.h"
#include "../linear/require.h"
#include "ages.h"
#include "moments.h"
#include "spread.h"

namespace gpstream {

namespace {

constexpr double rows_to_learn_from = 200;

}  // namespace

Sample aged(Sample rows, const Fading& fading) {
  if (!fading.fades() || rows.size() == 0) return rows;
  const Vector times = fading.column == Fading::by_rows ? rows.numbers : Vector(rows.X.col(fading.column));
  const Vector age = (times.array() - times.maxCoeff()).matrix() / fading.half_life;
  const double enough = std::min(rows_to_learn_from, 0.999 * rows.count());
  const auto counts = [&](double power) { return Vector((power * age.array() * std::log(2.0)).exp()); };
  double low = 0.0, high = 1.0;
  if (counts(high).sum() >= enough)
    low = high;
  else
    for (int step = 0; step < 40; ++step) {
      const double middle = 0.5 * (low + high);
      (counts(middle).sum() >= enough ? low : high) = middle;
    }
  rows.shares = counts(low).cwiseMax(1e-10);
  return rows;
}

std::vector<Index> spread_rows(Index n, Index most) {
  std::vector<Index> out(static_cast<std::size_t>(std::min(n, most)));
  const bool all = n <= most;
  const double by = all || most < 2 ? 1.0 : static_cast<double>(n - 1) / static_cast<double>(most - 1);
  for (std::size_t i = 0; i < out.size(); ++i)
    // counted from 1 before it is rounded, halves to the even: so R does, and its tests know the rows
    out[i] = all ? static_cast<Index>(i)
                 : static_cast<Index>(std::nearbyint(1.0 + static_cast<double>(i) * by)) - 1;
  if (!all && most > 1) out.back() = n - 1;
  return out;
}

Matrix rows_of(const ConstMatrixView& X, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), X.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = X.row(rows[static_cast<std::size_t>(i)]);
  return out;
}

Vector entries_of(const ConstVectorView& y, const std::vector<Index>& rows) {
  Vector out(static_cast<Index>(rows.size()));
  for (Index i = 0; i < out.size(); ++i) out(i) = y(rows[static_cast<std::size_t>(i)]);
  return out;
}

Vector Sample::output(Index k) const { return k == 0 ? y : Vector(told.others.col(k - 1)); }

Sample of_output(const Sample& rows, Index k) {
  if (rows.outputs() == 1) return rows;
  const Vector y = rows.output(k);
  std::vector<Index> seen;
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isnan(y(i))) seen.push_back(i);
  Sample out{rows_of(rows.X, seen), entries_of(y, seen), entries_of(rows.weights, seen)};
  if (rows.numbers.size() > 0) out.numbers = entries_of(rows.numbers, seen);
  if (rows.shares.size() > 0) out.shares = entries_of(rows.shares, seen);
  return out;
}

bool varies(const Vector& y) { return y.size() > 0 && y.maxCoeff() > y.minCoeff(); }

bool varies(const Sample& rows) {
  for (Index k = 0; k < rows.outputs(); ++k)
    if (varies(of_output(rows, k).y)) return true;
  return false;
}

Sample both(const Sample& a, const Sample& b) {
  Sample out{Matrix(a.size() + b.size(), b.X.cols()), Vector(a.size() + b.size()),
             Vector(a.size() + b.size())};
  out.X << a.X, b.X;
  out.y << a.y, b.y;
  out.weights << a.weights, b.weights;
  out.told = {joined(a.told.more, a.size(), b.told.more, b.size(), 1.0),
              joined(a.told.offset, a.size(), b.told.offset, b.size(), 0.0)};
  out.told.others.resize(b.told.others.cols() > 0 ? out.size() : 0, b.told.others.cols());
  if (b.told.others.cols() > 0) out.told.others << a.told.others, b.told.others;
  return out;
}

Sample part_of(const Sample& all, Index most) {
  const std::vector<Index> some = spread_rows(all.size(), most);
  Sample out{rows_of(all.X, some), entries_of(all.y, some), entries_of(all.weights, some)};
  if (all.told.more.size() > 0) out.told.more = entries_of(all.told.more, some);
  if (all.told.offset.size() > 0) out.told.offset = entries_of(all.told.offset, some);
  if (all.told.others.size() > 0) out.told.others = rows_of(all.told.others, some);
  return out;
}

Sample piece_of(const Sample& all, Index from, Index count) {
  Sample out{all.X.middleRows(from, count), all.y.segment(from, count), all.weights.segment(from, count)};
  out.told = all.told.part(from, count);
  return out;
}

Moments::Moments(Index D) : first(Vector::Zero(D)), about(Vector::Zero(D)), squares(Vector::Zero(D)) {}

void Moments::add(const ConstMatrixView& X) {
  for (Index i = 0; i < X.rows(); ++i) {
    if (n == 0) first = X.row(i).transpose();
    n += 1.0;
    const Vector x = X.row(i).transpose() - first, away = x - about;
    about += away / n;
    squares += away.cwiseProduct(x - about);
  }
}

void Moments::merge(const Moments& other) {
  if (other.n == 0) return;
  if (n == 0) first = other.first;
  const double all = n + other.n;
  const Vector apart = (other.first - first) + (other.about - about);
  about += apart * (other.n / all);
  squares += other.squares + apart.cwiseAbs2() * (n * other.n / all);
  n = all;
}

void Moments::remove(const ConstVectorView& row) {
  n -= 1.0;
  const Vector x = row - first, away = x - about;
  if (n > 0) about -= away / n;
  squares = (squares - away.cwiseProduct(x - about)).cwiseMax(0.0).eval();
}

bool Moments::constant(Index d) const {
  return !(sd(d) > 4.0 * std::numeric_limits<double>::epsilon() * std::abs(first(d) + about(d)));
}

Vector Moments::scale() const {
  Vector out(squares.size());
  for (Index d = 0; d < out.size(); ++d) {
    const double size = std::abs(first(d) + about(d));
    out(d) = !constant(d) && std::isfinite(sd(d)) ? sd(d) : size > 0 ? size : 1.0;
  }
  return out;
}

std::uint64_t scattered(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

Memory::Memory(Index limit, double seen, double origin, const Matrix& rows, std::vector<double> parts,
               Index others)
    : limit_(limit),
      D_(rows.rows() - 3 - others),
      others_(others),
      seen_(seen),
      origin_(origin),
      parts_(std::move(parts)),
      rows_(rows) {}

Memory Memory::after(double rows, Index limit, Index D) {
  return Memory(limit, rows, rows, Matrix(D + 3, 0));
}

void Memory::add(const Sample& batch) {
  for (Index i = 0; i < batch.size(); ++i) {
    const Index at = rows_.cols();
    rows_.resize(fields(), at + 1);
    rows_.view().col(at).head(D_ + 3) << seen_, batch.y(i), batch.weights(i), batch.X.row(i).transpose();
    if (others_ > 0) rows_.view().col(at).tail(others_) = batch.told.others.row(i).transpose();
    seen_ += 1.0;
    if (at + 1 >= limit_ + latest()) prune();
  }
}

void Memory::merge(const Memory& other) {
  const Index at = rows_.cols(), more = other.rows_.cols();
  limit_ = std::min(limit_, other.limit_);
  rows_.resize(fields(), at + more);
  rows_.view().rightCols(more) = other.rows_.view();
  rows_.view().row(0).tail(more).array() += seen_;
  for (const double part : other.parts_)
    if (part > 0 || seen_ > 0) parts_.push_back(seen_ + part);
  seen_ += other.seen_;
  prune();
}

void Memory::go_on(const Memory& next) {
  require(next.origin_ == seen_ && next.D_ == D_ && next.others_ == others_ && next.parts_ == parts_, "input",
          "parts of a stream are put together in their order.");
  const Index at = rows_.cols(), more = next.rows_.cols();
  rows_.resize(fields(), at + more);
  rows_.view().rightCols(more) = next.rows_.view();
  seen_ = next.seen_;
  prune();
}

void Memory::set_limit(Index limit) {
  limit_ = limit;
  prune();
}

void Memory::remove(const ConstVectorView& x, double y, const RowVector& others) {
  MatrixView stored = rows_.view();
  const Index n = rows_.cols();
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (Index i = 0; i < n; ++i) {
    bool found = same(stored(1, i), y) && (stored.col(i).segment(3, D_).array() == x.array()).all();
    for (Index k = 0; k < others_ && found; ++k) found = same(stored(D_ + 3 + k, i), others(k));
    if (!found) continue;
    for (Index j = i; j + 1 < n; ++j) stored.col(j) = stored.col(j + 1);
    return rows_.resize(fields(), n - 1);
  }
}

void Memory::start_from(double origin) {
  origin_ = origin;
  prune();
}

Sample Memory::newest(Index count) const {
  const std::vector<Index> all = kept();
  const Index some = std::min<Index>(count, static_cast<Index>(all.size()));
  return sample({all.end() - some, all.end()});
}

Sample Memory::part(Index most) const {
  const std::vector<Index> all = kept();
  if (static_cast<Index>(all.size()) <= most) return sample(all);
  const std::set<Ticket> best = tickets(all, most / block);
  std::vector<Index> out;
  for (const Index i : all)
    if (best.count(ticket(i)) > 0) out.push_back(i);
  return sample(out);
}

Memory::Ticket Memory::ticket(Index i) const {
  const double number = rows_.view()(0, i);
  const auto next = std::upper_bound(parts_.begin(), parts_.end(), number);
  const double first = *std::prev(next);
  const auto own = static_cast<std::uint64_t>(number - first) / static_cast<std::uint64_t>(block);
  const std::uint64_t hash = scattered(own);
  double key = 0.0;
  if (std::isfinite(half_life_)) {
    const double u = (static_cast<double>(hash >> 11) + 0.5) * 0x1p-53;
    const double t = first + static_cast<double>(own * static_cast<std::uint64_t>(block));
    key = std::log(-std::log1p(-u)) - t * std::log(2.0) / half_life_;
  }
  return {key, hash, static_cast<std::uint64_t>(next - parts_.begin()), own};
}

std::set<Memory::Ticket> Memory::tickets(const std::vector<Index>& of, Index count) const {
  std::set<Ticket> out;
  for (const Index i : of) {
    out.insert(ticket(i));
    if (static_cast<Index>(out.size()) > count) out.erase(std::prev(out.end()));
  }
  return out;
}

std::vector<Index> Memory::kept() const {
  std::vector<Index> all;
  for (Index i = 0; i < rows_.cols(); ++i)
    if (rows_.view()(0, i) >= origin_) all.push_back(i);
  if (whole()) return all;
  const std::set<Ticket> best = tickets(all, (limit_ - latest()) / block);
  const double recent = seen_ - static_cast<double>(latest());
  std::vector<Index> out;
  for (const Index i : all)
    if (rows_.view()(0, i) >= recent || best.count(ticket(i)) > 0) out.push_back(i);
  return out;
}

void Memory::prune() {
  const std::vector<Index> stay = kept();
  MatrixView stored = rows_.view();
  for (std::size_t i = 0; i < stay.size(); ++i) stored.col(static_cast<Index>(i)) = stored.col(stay[i]);
  rows_.resize(fields(), static_cast<Index>(stay.size()));
}

Sample Memory::sample(const std::vector<Index>& which) const {
  const Index n = static_cast<Index>(which.size());
  Sample out{Matrix(n, D_), Vector(n), Vector(n), Vector(n)};
  out.told.others.resize(others_ > 0 ? n : 0, others_);
  for (Index i = 0; i < n; ++i) {
    const auto row = rows_.view().col(which[static_cast<std::size_t>(i)]);
    out.y(i) = row(1);
    out.weights(i) = row(2);
    out.numbers(i) = 1.0 + row(0);
    out.X.row(i) = row.segment(3, D_).transpose();
    if (others_ > 0) out.told.others.row(i) = row.tail(others_).transpose();
  }
  return out;
}

}  // namespace gpstream
