// Factors of intervals, learned from their misses.
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "../../src/core/learn/calibration.h"
#include "../../src/core/likelihoods/normal.h"
#include "check.h"

using namespace gpstream;

namespace {

constexpr std::size_t levels = Calibration::levels;
using Half = std::array<double, levels>;

Half halves(const Calibration& c) {
  Half out = c.log_factors();
  for (std::size_t l = 0; l < levels; ++l) out[l] = c.z[l] * std::exp(out[l]);
  return out;
}

// The error of row i of a block, given what is served there: what an adversary may know.
using Stream = std::function<double(Index block, Index i, const Half& half)>;

Vector next_block(const Stream& stream, const Half& half, Index block, Index rows) {
  Vector errors(rows);
  for (Index i = 0; i < rows; ++i) errors(i) = stream(block, i, half);
  return errors;
}

Calibration after(const Stream& stream, Index rows, Index size = 50) {
  Calibration c;
  for (Index block = 0; block < rows / size; ++block) c.see(next_block(stream, halves(c), block, size));
  return c;
}

struct Noise {
  std::mt19937_64 engine;
  std::normal_distribution<double> normal;
  explicit Noise(unsigned seed) : engine(seed) {}
  double operator()() { return normal(engine); }
  Vector rows(Index n) {
    return Vector::NullaryExpr(n, [this](Index) { return normal(engine); });
  }
};

Half log_factors_of(double sd, Index rows, unsigned seed) {
  Noise noise(seed);
  return after([&](Index, Index, const Half&) { return sd * noise(); }, rows).log_factors();
}

// All that is said in words, row by row, with every error kept.
struct Naive {
  std::vector<double> all;
  Half v{};
  double step(std::size_t l) const {
    const double n = static_cast<double>(all.size()), a = Calibration::miss[l];
    const double spread = std::sqrt(a * (1 - a));
    return n == 0 ? 0.02 : std::min(0.02, std::max(0.001, 0.01 / std::pow(n / 100, 0.6)) / spread);
  }
  Half half() const {
    double largest = 0;
    const std::size_t slot = all.size() / 50, whole = all.size() % 50 == 0 ? slot : slot + 1;
    for (std::size_t i = whole > 20 ? 50 * (whole - 20) : 0; i < all.size(); ++i)
      largest = std::max(largest, std::abs(all[i]));
    Half out{};
    for (std::size_t l = 0; l < levels; ++l) {
      const double a = Calibration::miss[l], z = Calibration::z[l];
      const double d = std::sqrt(2 * step(l) * std::sqrt(a * (1 - a)));
      const double w = v[l] > d ? v[l] - d : v[l] < -d ? v[l] + d : 0;
      const double cap = largest == 0 ? 0 : std::max(0.0, std::log(largest / z));
      out[l] = z * std::exp(std::min(w, std::max(cap, w - std::log(4.0))));
      if (l > 0) out[l] = std::max(out[l], out[l - 1]);
    }
    return out;
  }
  void see(const Vector& errors) {
    const Half served = half();
    for (std::size_t l = 0; l < levels; ++l) {
      double sum = 0;
      for (Index i = 0; i < errors.size(); ++i)
        sum += (std::abs(errors(i)) > served[l] ? 1 : 0) - Calibration::miss[l];
      v[l] = std::max(-std::log(16.0), v[l] + step(l) * sum);
    }
    all.insert(all.end(), errors.data(), errors.data() + errors.size());
  }
};

}  // namespace

TEST("the levels are those of the normal distribution") {
  for (std::size_t l = 0; l < levels; ++l)
    CHECK(std::abs(Calibration::z[l] - normal_quantile(1 - Calibration::miss[l] / 2)) < 1e-14);
}

TEST("[derivation 14] half-widths and debts are those of a transcription, blocks of any size") {
  Noise noise(1);
  Calibration c;
  Naive naive;
  for (Index block = 0; block < 400; ++block) {
    const double sd = block % 60 < 20 ? 6 : block % 60 < 40 ? 0.1 : 1;
    const Vector errors = sd * noise.rows(block * 37 % 120);
    c.see(errors);
    naive.see(errors);
    const Half served = halves(c), expected = naive.half();
    for (std::size_t l = 0; l < levels; ++l) {
      CHECK(std::abs(served[l] / expected[l] - 1) < 1e-10);
      CHECK(std::abs(c.debt[l] - naive.v[l]) < 1e-10);
    }
    CHECK(c.sound() && c.rows == static_cast<double>(naive.all.size()));
  }
}

// The bound of the section: the misses of any stream whose errors are at most R, and from below while the
// debt is above its floor.
TEST("[derivation 14] no stream makes a level miss more often, or less, than the bound allows") {
  const double R = 50;
  Noise noise(2);
  std::vector<Stream> streams;
  for (std::size_t l = 0; l < levels; ++l) {
    // always a little beyond, as far as it goes
    streams.push_back([=](Index, Index, const Half& half) { return std::min(R, 1.0001 * half[l]); });
    // blocks that all miss, and blocks that are all covered
    streams.push_back([=](Index block, Index, const Half& half) {
      return (block % 2 == 0 ? 1.0001 : 0.9999) * std::clamp(half[l], 0.4, 0.99 * R);
    });
    // between this level and the next, then just below: half-widths are driven across each other
    streams.push_back([=](Index block, Index, const Half& half) {
      const double upper = half[std::min(l + 1, levels - 1)];
      return std::clamp(block % 2 == 0 ? 0.5 * (half[l] + upper) : 0.9999 * half[l], 0.4, R);
    });
    // quiet until the level is narrow, then as large as possible until it is wide
    auto loud = std::make_shared<bool>(false);
    streams.push_back([=](Index, Index, const Half& half) {
      if (half[l] > 0.9 * R) *loud = false;
      if (half[l] < 0.3 * Calibration::z[l]) *loud = true;
      return *loud ? R : 0.12;
    });
  }
  streams.push_back([&](Index, Index, const Half&) { return std::min(R, std::abs(noise())); });
  streams.push_back([&](Index block, Index, const Half&) { return block % 40 == 7 ? R : 0.3; });
  streams.push_back([&](Index, Index, const Half&) { return std::min(R, std::exp(2 * noise())); });

  const double least = std::log(16.0);
  int cases = 0, never_at_floor = 0;
  for (Index size : {1, 50, 200}) {
    const double b = static_cast<double>(size);
    for (const Stream& stream : streams) {
      Calibration c;
      Half sum{}, upper{};
      for (std::size_t l = 0; l < levels; ++l)
        upper[l] = std::log(R / c.z[l]) + std::log(4.0) + c.chance(l) + c.step(l) * b * (1 - c.miss[l]);
      std::array<bool, levels> above{true, true, true, true, true};
      bool bounded = true, not_more = true, not_less = true, ordered = true;
      for (Index block = 0; block < (size == 1 ? 20000 : 100000 / size); ++block) {
        const Half half = halves(c);
        const Vector errors = next_block(stream, half, block, size);
        Half step;
        for (std::size_t l = 0; l < levels; ++l) step[l] = c.step(l);
        c.see(errors);
        for (std::size_t l = 0; l < levels; ++l) {
          sum[l] += static_cast<double>((errors.array().abs() > half[l]).count()) - c.miss[l] * b;
          above[l] = above[l] && c.debt[l] > -least;
          bounded = bounded && c.debt[l] <= upper[l];
          not_more = not_more && sum[l] <= (upper[l] + least) / step[l];
          not_less = not_less && (!above[l] || sum[l] >= -(upper[l] + least) / step[l]);
          ordered = ordered && (l == 0 || half[l] >= half[l - 1] * (1 - 1e-14));
        }
      }
      cases += levels;
      never_at_floor += static_cast<int>(std::count(above.begin(), above.end(), true));
      CHECK(bounded);
      CHECK(not_more);
      CHECK(not_less);
      CHECK(ordered);
      CHECK(c.sound());
    }
  }
  CHECK(3 * never_at_floor > 2 * cases);  // most have something to say about too few misses
}

TEST("where the model is right the factors are 1, or nearly so") {
  const Index streams = 60;
  for (const auto& [rows, most] : {std::pair<Index, double>{100, 0.05}, {1000, 0.05}, {10000, 0.03}}) {
    Half squares{};
    for (Index s = 0; s < streams; ++s) {
      const Half log_factor = log_factors_of(1, rows, static_cast<unsigned>(100 + s));
      for (std::size_t l = 0; l < levels; ++l) squares[l] += log_factor[l] * log_factor[l] / streams;
    }
    for (double square : squares) CHECK(std::sqrt(square) < most);
  }
  Noise noise(3);
  int ones = 0;
  for (int s = 0; s < 100; ++s)
    ones += after([&](Index, Index, const Half&) { return noise(); }, 100).log_factors() == Half{};
  CHECK(ones > 70);  // exactly 1 at every level
}

TEST("a model that is too narrow or too wide by 2 gets the factor 2 or 1/2") {
  for (double sd : {2.0, 0.5}) {
    Half mean{};
    for (unsigned s = 0; s < 10; ++s) {
      const Half log_factor = log_factors_of(sd, 20000, 200 + s);
      for (std::size_t l = 0; l < levels; ++l) mean[l] += log_factor[l] / 10;
    }
    for (double one : mean) CHECK(std::abs(one - std::log(sd)) < 0.04);
  }
  // and soon, where it is dangerous
  for (double one : log_factors_of(2, 1000, 5)) CHECK(one > std::log(1.5));
}

TEST("one huge block does not make intervals huge, and what was seen of it is forgotten after 1000 rows") {
  Noise noise(4);
  const Stream stream = [&](Index block, Index, const Half&) { return block == 0 ? 1e12 : noise(); };
  for (double one : after(stream, 50).log_factors()) CHECK(one > 0.3 && one <= 1);
  const Calibration c = after(stream, 1050);
  CHECK(*std::max_element(c.largest.begin(), c.largest.end()) < 10);
  const Half log_factor = c.log_factors();
  CHECK(log_factor[4] < std::log(5 / c.z[4]) && log_factor[4] < c.debt[4] - 0.1);
  // the debt is owed still: more than four times below it nothing is served
  Calibration owed;
  owed.debt.fill(5);
  for (std::size_t l = 0; l < levels; ++l)
    CHECK(std::abs(owed.log_factors()[l] - (5 - owed.chance(l) - std::log(4.0))) < 1e-14);
}

TEST("after any number of rows that were all covered, misses are answered before long") {
  const Calibration quiet = after([](Index, Index, const Half&) { return 0.0; }, 200000, 200);
  for (double one : quiet.debt) CHECK(one == -std::log(16.0));
  Calibration c = quiet;
  for (int block = 0; block < 100; ++block) {
    c.see(Vector::Constant(50, 3.0));
    if (block == 19) CHECK(halves(c)[3] > 2.4);  // 1000 rows
  }
  for (double half : halves(c)) CHECK(half > 2.4);
}

TEST("half-widths do not fall with the level, at the five or between, and the factor is constant outside") {
  Noise noise(6);
  for (int trial = 0; trial < 200; ++trial) {
    Calibration c;
    c.rows = 100.0 * trial;
    for (double& one : c.debt) one = std::max(-2.0, 1.5 * noise());
    for (double& one : c.largest) one = std::abs(noise());
    double last = 0;
    for (double level = 0.005; level < 1; level += 0.005) {
      const double half = normal_quantile((1 + level) / 2) * std::exp(c.log_factor(level));
      CHECK(half >= last * (1 - 1e-12));
      last = half;
    }
    const Half served = c.log_factors();
    for (std::size_t l = 0; l < levels; ++l) CHECK(std::abs(c.log_factor(1 - c.miss[l]) - served[l]) < 1e-12);
    CHECK(c.log_factor(0.1) == served[0] && c.log_factor(0.999) == served[4]);
  }
  CHECK_THROWS(Calibration().log_factor(1), "input");
  CHECK_THROWS(Calibration().log_factor(std::nan("")), "input");
}

TEST("as plain values and back, and a stream goes on from there as if nothing had happened") {
  Noise noise(7);
  Calibration c = after([&](Index, Index, const Half&) { return 3 * noise(); }, 1234, 2);
  Calibration back = Calibration::of(c.values());
  CHECK(back == c && back.sound() && !(back == Calibration()));
  const Vector errors = noise.rows(77);
  c.see(errors);
  back.see(errors);
  CHECK(back == c);
  c.see(Vector());
  CHECK(back == c);  // no rows, no change

  for (std::size_t i = 0; i < Calibration::fields; ++i)
    for (double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -3.0}) {
      std::array<double, Calibration::fields> values = c.values();
      values[i] = bad;
      CHECK(!Calibration::of(values).sound());
    }
}

TEST("a block that cannot be scored changes nothing") {
  Calibration c;
  Vector errors = Vector::Ones(3);
  errors(1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(c.see(errors), "nonfinite");
  CHECK_THROWS(c.see(Vector::Zero(201)), "input");
  CHECK(c == Calibration());
}
