// One family's search: L-BFGS on the exact evidence times the prior.
#ifndef GPSTREAM_LEARN_CLIMB_H
#define GPSTREAM_LEARN_CLIMB_H

#include "lbfgs.h"
#include "outputs.h"

namespace gpstream {

// Exact evidences, one an output, and the variances that these are measured in: outputs are independent given
// the kernel, so that what rows say of it is the sum.
struct Evidences {
  std::vector<ExactEvidence> each;
  std::vector<double> variance;
};

// From theta to the best that is found in so many steps.
inline Found climb(Evidences& evidence, const OutputUnknowns& unknowns, const Vector& theta, int steps,
                   Checkpoint check) {
  const auto value = [&](const Vector& at, Vector& slope) {
    try {
      const std::vector<Chosen> here = unknowns.at(at);
      std::vector<ExactSlope> out;
      double sum = 0.0;
      for (std::size_t k = 0; k < here.size(); ++k) {
        out.push_back(evidence.each[k](*make_kernel(here[k].kernel), here[k].noise, here[k].trend,
                                       evidence.variance[k]));
        sum += out[k].value;
      }
      slope = unknowns.slope(out);
      return sum + unknowns.add_prior(at, slope);
    } catch (const std::exception&) {  // parameters beyond the number range, say
      return std::nan("");
    }
  };
  Vector lower(unknowns.size()), upper(unknowns.size());
  for (Index i = 0; i < unknowns.size(); ++i) {
    lower(i) = unknowns.all()[static_cast<std::size_t>(i)].lower;
    upper(i) = unknowns.all()[static_cast<std::size_t>(i)].upper;
  }
  SearchOptions options;
  options.steps = steps;
  return maximise(value, theta, lower, upper, options, check);
}

// All lengthscales times a factor, the rest as it starts.
inline Vector start_at(const OutputUnknowns& unknowns, double factor) {
  Vector theta(unknowns.size());
  for (Index i = 0; i < theta.size(); ++i) {
    const Unknown& one = unknowns.all()[static_cast<std::size_t>(i)];
    theta(i) = one.start + (one.length ? std::log(factor) : 0.0);
  }
  return theta;
}

// Short and long lengthscales, the best of some that are far shorter, down to the spacing of so many rows in
// so many columns, and where the family ended the last time.
inline std::vector<Vector> starts_of(const Family& family, Evidences& evidence,
                                     const OutputUnknowns& unknowns,
                                     const std::map<std::string, Vector>& last, double spacing,
                                     Checkpoint check) {
  std::vector<Vector> out{start_at(unknowns, 0.5)};
  if (const Vector longer = start_at(unknowns, 2.0); longer != out.front()) {  // lengthscales are looked for
    out.push_back(longer);
    Found best{longer, -std::numeric_limits<double>::infinity(), 0, false};
    for (const double factor : {0.15, 0.05, 0.015}) {
      if (factor < spacing) break;
      Found one = climb(evidence, unknowns, start_at(unknowns, factor), 0, check);
      if (one.value > best.value) best = std::move(one);
    }
    if (best.evaluations > 0) out.push_back(best.at);
  }
  const auto found = last.find(family.name);
  if (found != last.end() && found->second.size() == unknowns.size()) out.push_back(found->second);
  return out;
}

}  // namespace gpstream

#endif
