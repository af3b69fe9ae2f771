// The objective elsewhere, and its gradient.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

// The parameters on the scale of the slopes, and back.
std::vector<double> flatten(const KernelSpec& k) {
  std::vector<double> out;
  for (const Parameter& one : make_kernel(k)->parameters())
    out.push_back(one.log ? std::log(one.value) : one.value);
  return out;
}
KernelPtr unflatten(const KernelSpec& k, const std::vector<double>& p) {
  const KernelPtr like = make_kernel(k);
  Vector values(like->parameter_count());
  for (std::size_t i = 0; i < p.size(); ++i)
    values(static_cast<Index>(i)) = like->parameters()[i].log ? std::exp(p[i]) : p[i];
  return make_kernel(like->with_parameters(values));
}

struct Point {
  std::vector<double> kernel;
  Matrix Z;
  double noise, mean;
};

Slope evaluate(const Objective& F, const KernelSpec& like, const Point& at) {
  return F(Place{unflatten(like, at.kernel), at.Z, at.noise, at.mean}, true, nothing);
}

// (F(p + h) - F(p - h)) / 2h, once extrapolated: the error is of order h^4
template <class Move>
double difference(const Objective& F, const KernelSpec& like, const Point& at, Move move, double h) {
  const auto slope = [&](double step) {
    Point up = at, down = at;
    move(up, step);
    move(down, -step);
    return (evaluate(F, like, up).objective - evaluate(F, like, down).objective) / (2 * step);
  };
  return (4 * slope(h) - slope(2 * h)) / 3;
}

struct Worst {
  double scale = 0, off = 0;
  void see(double analytic, double numeric) {
    scale = std::max(scale, std::abs(numeric));
    off = std::max(off, std::abs(analytic - numeric));
  }
};

// `points`: the step by which the points are moved, 0 to leave them
void check_gradient(const Objective& F, const KernelSpec& like, const Point& at, double points) {
  const Slope exact = evaluate(F, like, at);
  Worst worst;
  for (std::size_t i = 0; i < at.kernel.size(); ++i)
    worst.see(exact.kernel(static_cast<Index>(i)),
              difference(
                  F, like, at, [i](Point& p, double h) { p.kernel[i] += h; }, 1e-3));
  worst.see(exact.log_noise, difference(
                                 F, like, at, [](Point& p, double h) { p.noise *= std::exp(h); }, 1e-3));
  if (points > 0)
    for (Index i = 0; i < at.Z.rows(); ++i)
      for (Index d = 0; d < at.Z.cols(); ++d)
        worst.see(exact.Z(i, d), difference(
                                     F, like, at, [i, d](Point& p, double h) { p.Z(i, d) += h; }, points));
  check::report(worst.off <= 1e-6 * worst.scale, "gradient == differences", __FILE__, __LINE__,
                like.name + ": off by " + std::to_string(worst.off / worst.scale * 1e6) + " x 1e-6");
}

struct Data {
  Matrix X;
  Vector y;
};
Data data(Random& r, Index n, Index D) {
  Data d{r.matrix(n, D) * 2, Vector(n)};
  for (Index i = 0; i < n; ++i) d.y(i) = 3 + std::sin(2 * d.X(i, 0)) + 0.2 * r.normal();
  return d;
}

}  // namespace

TEST(
    "gradients are differences: every kernel, one lengthscale or many, old evidence, kernel changed "
    "[derivation 6]") {
  for (const std::string& name : names_by_distance())
    for (unsigned seed = 0; seed < 4; ++seed) {
      Random r(100 + seed);
      const Index D = 1 + seed % 3, lookback = seed % 2 ? 0 : 15;
      const KernelSpec before = random_kernel(name, D, r);
      std::vector<double> after = flatten(before);
      for (double& p : after) p += r.uniform(-0.3, 0.3);
      const Data past = data(r, 60, D), now = data(r, 20, D);
      StreamingGP gp = model(before, oips(0.5), 0.05, lookback, D, 2.5);
      stream(gp, past.X, past.y, 10);
      // the points: some that stay, some that moved, some on rows of the batch
      Matrix Z(gp.size() + 3, D);
      Z << gp.points(), now.X.topRows(3);
      for (Index i = 1; i < gp.size(); i += 2) Z.row(i).array() += 0.05 * r.normal();
      const bool kinked = name == "matern12";  // not differentiable where points coincide, curved nearby
      if (kinked) Z.array() += 0.013;
      const Objective F(gp, now.X, now.y);
      check_gradient(F, before, {after, Z, 0.08, 2.9}, kinked ? 1e-5 : 3e-4);
    }
}

TEST("with points on each other and on rows, lengthscales have their gradients; without old evidence too") {
  for (const std::string& name : names_by_distance()) {
    Random r(7);
    const KernelSpec k = random_kernel(name, 2, r);
    Data now = data(r, 40, 2);
    now.X.row(5) = now.X.row(4);
    StreamingGP gp = model(k, oips(0.6), 0.05, unlimited, 2);
    const Objective F(gp, now.X, now.y);
    check_gradient(F, k, {flatten(k), now.X.topRows(12), 0.1, 3.0}, 0);
  }
}

TEST("the objective elsewhere is the objective of the model rebased there, with the batch absorbed") {
  for (const Index lookback : {Index(0), Index(20), unlimited}) {
    Random r(3);
    const Data past = data(r, 80, 2), now = data(r, 15, 2);
    StreamingGP gp = model(simple("matern52", 0.9), oips(0.6), 0.05, lookback, 2, 3);
    stream(gp, past.X, past.y, 9);
    const Objective F(gp, now.X, now.y);
    Matrix Z = gp.points();
    Z.array() += 0.02;
    const KernelPtr kernel = make_kernel(simple("matern52", 0.7, 1.4));
    const Slope elsewhere = F(Place{kernel, Z, 0.07, 2.8}, false, nothing);
    StreamingGP moved = gp;
    moved.rebase(kernel, Z);
    moved.set_scale(1.4, 0.07, 2.8);
    moved.absorb(now.X, now.y, nothing);
    CHECK(std::abs(elsewhere.objective - moved.objective()) < 1e-9 * std::abs(moved.objective()));
    CHECK(elsewhere.Z.rows() == 0);

    // without a noise: the best one, so that its slope is 0 and no neighbour is better
    const double xi = 25;
    const Slope best =
        F(Place{make_kernel(simple("matern52", 0.7, xi)), Z, std::nullopt, 2.8}, false, nothing);
    const auto at = [&](double noise) {
      return F(Place{make_kernel(simple("matern52", 0.7, xi * noise)), Z, noise, 2.8}, false, nothing);
    };
    const Slope same = at(best.noise);
    CHECK(std::abs(same.objective - best.objective) < 1e-9 * std::abs(best.objective));
    CHECK(std::abs(same.log_noise + same.kernel(1)) < 1e-8);
    for (const double step : {-1e-3, 1e-3}) CHECK(at(best.noise * (1 + step)).objective < best.objective);
  }
}

TEST("a point that is refused has no gradient, and the others theirs") {
  Random r(9);
  const Data now = data(r, 30, 1);
  StreamingGP gp = model(simple("se", 0.8), oips(0.6), 0.05, 0, 1);
  const Objective F(gp, now.X, now.y);
  Matrix Z(4, 1), doubled(5, 1);
  Z << 0.2, 0.7, 1.1, 1.8;
  doubled << 0.2, 0.7, 0.7, 1.1, 1.8;
  const auto at = [&](const Matrix& points) {
    return F(Place{gp.state().kernel, points, 0.1, 3.0}, true, nothing);
  };
  const Slope once = at(Z), twice = at(doubled);
  CHECK(std::abs(once.objective - twice.objective) < 1e-12);
  CHECK(twice.Z(2, 0) == 0.0);
  CHECK(std::abs(once.Z(3, 0) - twice.Z(4, 0)) < 1e-10);
}
