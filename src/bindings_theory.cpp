// Theory: convert, call, return.
#include "classed.h"
#include "convert.h"
#include "core/kernels/kernels.h"
#include "core/points/pivoted.h"
#include "core/theory/theory.h"

using namespace gpstream;

// The error of the Nystrom approximation, and the number of points it rests on: those of z that others do not
// give already.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector core_nystrom_error(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x,
                                       const Eigen::Map<Eigen::MatrixXd> z, std::string norm) {
  return classed([&] {
    const KernelPtr k = make_kernel(kernel_spec(kernel));
    std::vector<Index> kept;
    const Basis basis = given_basis(*k, z, check_interrupt, kept);
    const NystromResidual residual(*k, basis, x, check_interrupt);
    const double error = norm == "trace"       ? residual.trace()
                         : norm == "frobenius" ? residual.frobenius()
                                               : residual.spectral();
    return Rcpp::NumericVector::create(_["error"] = k->variance() * error,
                                       _["points"] = static_cast<double>(kept.size()));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List core_kernel_spectrum(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x, double most_rank,
                                double most_entries) {
  return classed([&] {
    const KernelSpectrum out =
        kernel_spectrum(*make_kernel(kernel_spec(kernel)), x, most_rank, most_entries, check_interrupt);
    const Rcpp::NumericVector values = Rcpp::wrap(out.values);
    return Rcpp::List::create(_["values"] = values, _["rounding"] = out.rounding, _["left"] = out.left);
  });
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_dpp_factor(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x, double t) {
  return classed([&] { return dpp_factor(*make_kernel(kernel_spec(kernel)), x, t, check_interrupt); });
}

// One set for each column of `u`, uniform numbers.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_dpp_draw(const Eigen::Map<Eigen::MatrixXd> factor, const Eigen::Map<Eigen::MatrixXd> u) {
  return classed([&] {
    Rcpp::List sets(u.cols());
    for (Index i = 0; i < u.cols(); ++i) {
      check_interrupt();
      const std::vector<Index> rows = dpp_draw(factor, u.col(i));
      Rcpp::IntegerVector set(rows.begin(), rows.end());
      for (int& row : set) ++row;
      sets[i] = set;
    }
    return sets;
  });
}
