// Likelihood: how an observation comes from f. To the core it is a function from what was observed, and from
// what is known of f there, to sites; with the one law
//   E_q[site] = e(mean, variance),    de/dmean = (ga - om mean) / phi,    de/dvariance = -om / (2 phi)
// everything built on sites works for it.  [derivation 2, 20]
#ifndef GPSTREAM_LIKELIHOOD_H
#define GPSTREAM_LIKELIHOOD_H

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

// A name and parameters: a plain value, as it is saved.
struct LikelihoodSpec {
  std::string name;
  std::map<std::string, double> numbers = {};

  bool operator==(const LikelihoodSpec& other) const {
    return name == other.name && numbers == other.numbers;
  }
};

// A parameter that can be learned: positive, looked for by its logarithm unless said.
struct LikelihoodParameter {
  std::string name;
  double value, lower, upper;
  bool log = true;
};

// What is thought of a latent function beforehand.
struct LatentScale {
  double variance, mean;
  // of further outputs: their noise, and the prior variances of their trends over that of the kernel; where
  // they are not said, those of the first
  std::optional<double> noise = {};
  std::optional<Vector> trend = {};
};

constexpr double typical_noise = 0.1;  // of the variance of outputs, before anything is learned

class Likelihood {
 public:
  virtual ~Likelihood() = default;
  virtual LikelihoodSpec spec() const = 0;
  std::string name() const { return spec().name; }

  // How often a row counts the log of the dispersion; 0: there is none, and phi is 1.
  virtual double kappa() const { return 0.0; }
  // How many functions are behind an observation? Sites, means and variances of several stand one function
  // after the other, and what is expected of a row is the sum of what is of its sites.
  virtual Index latents() const { return 1; }
  // What to begin with for those after the first, which has this variance.
  virtual std::vector<LatentScale> others(double) const { return {}; }
  // The dispersion to begin with, of outputs with this variance.
  virtual double typical_dispersion(double) const { return 1.0; }
  // The variance of the noise, on the scale of f: residual variances and changes of f are compared with it.
  virtual double noise_variance(double phi) const { return phi; }
  // Are sites what they are wherever f is?
  virtual bool fixed() const { return false; }
  // Is y on the scale of f, so that both can be measured from elsewhere?
  virtual bool location() const { return false; }
  // Is a site, wherever it was made, below the log density for every f? (Otherwise at the f it was made for.)
  virtual bool bounds() const { return false; }
  // The standard deviation that f may be thought to have beforehand, where y cannot tell.
  virtual double unit() const { return 1.0; }
  // Is a second number observed with y?
  virtual bool pairs() const { return false; }
  // What is wrong with an observation; empty: nothing.
  virtual std::string refuses(double y, double more) const = 0;

  virtual std::vector<LikelihoodParameter> parameters() const { return {}; }
  // What each row says of them.
  virtual Vector telling(const Responses& rows, const Latent& at, double phi) const;

  // Somewhere to begin for rows of which nothing is known.
  virtual Latent start(const Responses& rows, double phi) const = 0;

  // What new observations may be, from the latent function there. `more`: as in Responses.
  virtual PredictivePtr predictive(const Latent& at, const Vector& more, double phi) const = 0;

  // The sites of rows for f as it is thought to be.
  virtual Sites sites(const Responses& rows, const Latent& at, double phi) const;

 protected:
  // Of rows that count once.
  virtual Sites unit_sites(const Responses& rows, const Latent& at, double phi) const = 0;

  // Sites without dispersion, by the law: slope g - p m and curvature p of e, which is the value there.
  static void put(Sites& out, Index i, double e, double g, double p, double m, double s2);

 private:
  static Sites weighed(const Responses& rows, Sites out);
};

using LikelihoodPtr = std::shared_ptr<const Likelihood>;

// E_q[site] of each row.
Vector expected_sites(const Sites& S, const Latent& at, double phi, double kappa);

}  // namespace gpstream

#endif
