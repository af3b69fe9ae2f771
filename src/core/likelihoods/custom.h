// A likelihood that is given by functions from elsewhere, log p(y | f) first of all, for all rows and nodes
// at once. Expectations are by the trapezoidal rule, and so are their slopes, as those of the normal density
// are known.  [derivation 20]
//   e = E log p      de/dm = E z log p / s      p = -2 de/ds2 = -E (z^2 - 1) log p / s2      f = m + s z
// Where log p is not concave p may come out negative; it is then 0, and the step as long as it helps.
#ifndef GPSTREAM_LIKELIHOODS_CUSTOM_H
#define GPSTREAM_LIKELIHOODS_CUSTOM_H

#include "custom_predictive.h"
#include "parameters.h"

namespace gpstream {

class Custom : public Likelihood {
 public:
  // As it is read from a file: without functions, which are missed when they are needed.
  explicit Custom(const LikelihoodSpec& spec, CustomFunctions functions = CustomFunctions())
      : numbers_(spec.numbers), functions_(std::move(functions)) {}

  LikelihoodSpec spec() const override { return {"custom", numbers_}; }
  double unit() const override { return functions_.unit; }
  std::string refuses(double y, double) const override { return refuses_infinite(y); }
  bool is_bound() const { return functions_.log_density != nullptr; }

  Latent start(const Responses& rows, double) const override {
    require_bound();
    const double variance = functions_.unit * functions_.unit;
    return start_of(rows, functions_.start(rows.y), Vector::Constant(rows.size(), variance));
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    require_bound();
    return std::make_unique<CustomPredictive>(at, functions_);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    require_bound();
    const double least = 1e-3 * functions_.unit;  // nearer nodes would see rounding
    const Nodes nodes(at, functions_.width, least);
    Vector values = functions_.log_density(nodes.spread(rows.y), nodes.f).cwiseMax(-1e100);
    // about the middle, which is the first node of a row
    Vector middle(rows.size());
    for (Index j = values.size(); j-- > 0;) middle(nodes.row[static_cast<std::size_t>(j)]) = values(j);
    values -= nodes.spread(middle);
    const Vector e = nodes.average(values), first = nodes.average(nodes.z.cwiseProduct(values)),
                 second = nodes.average((nodes.z.array().square() - 1.0).matrix().cwiseProduct(values));
    Sites out(rows.size(), site::columns);
    for (Index i = 0; i < rows.size(); ++i) {
      const double m = at.mean(i), s2 = at.variance(i), s = std::max(std::sqrt(s2), least);
      const double p = -second(i) / (s * s), to_here = 0.5 * p * (s * s - s2);
      const double weight = std::max(p, 0.0);
      put(out, i, middle(i) + e(i) + to_here, first(i) / s + weight * m, weight, m, s2);
    }
    return out;
  }

 private:
  void require_bound() const {
    require(is_bound(), "likelihood",
            "the likelihood of this model is a function of R, `log_density`, which is not at hand here.");
  }

  std::map<std::string, double> numbers_;
  CustomFunctions functions_;
};

}  // namespace gpstream

#endif
