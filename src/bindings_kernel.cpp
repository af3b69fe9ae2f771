// Kernels: convert, call, return.
#include "classed.h"
#include "convert.h"
#include "core/kernels/kernels.h"
#include "core/learn/heuristics.h"

using namespace gpstream;

// [[Rcpp::export(rng = false)]]
std::vector<std::string> core_kernel_names() {
  std::vector<std::string> names;
  for (const auto& one : kernel_registry()) names.push_back(one.first);
  return names;
}

// One entry a parameter, in the order of slopes; `log`: slopes are taken by its logarithm.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_kernel_parameters(Rcpp::List kernel) {
  return classed([&] {
    Rcpp::CharacterVector name;
    Rcpp::NumericVector value, lower, upper;
    Rcpp::LogicalVector log;
    for (const Parameter& one : make_kernel(kernel_spec(kernel))->parameters()) {
      name.push_back(one.name);
      value.push_back(one.value);
      lower.push_back(one.lower);
      upper.push_back(one.upper);
      log.push_back(one.log);
    }
    return Rcpp::List::create(_["name"] = name, _["value"] = value, _["lower"] = lower, _["upper"] = upper,
                              _["log"] = log);
  });
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_kernel_matrix(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x,
                                   const Eigen::Map<Eigen::MatrixXd> z) {
  return classed([&]() -> Matrix {
    const KernelPtr k = make_kernel(kernel_spec(kernel));
    require(k->fits(x.cols()) && x.cols() == z.cols(), "dimension",
            "kernel and inputs differ in their number of columns.");
    Matrix out(x.rows(), z.rows());
    const Index step = std::max<Index>(1, 1000000 / std::max<Index>(x.rows(), 1));
    for (Index from = 0; from < z.rows(); from += step) {
      check_interrupt();
      const Index count = std::min(step, z.rows() - from);
      MatrixView part = out.middleCols(from, count);
      k->value(x, z.middleRows(from, count), part);
      part *= k->variance();
    }
    return out;
  });
}

// k(x, x) of each row.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_kernel_diagonal(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x) {
  return classed([&]() -> Vector {
    const KernelPtr k = make_kernel(kernel_spec(kernel));
    require(k->fits(x.cols()), "dimension", "kernel and inputs differ in their number of columns.");
    Vector out(x.rows());
    k->diagonal(x, out);
    return k->variance() * out;
  });
}

// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_kernel_radius(Rcpp::List kernel, double rho, int columns) {
  return classed([&] {
    const std::optional<Vector> radius = make_kernel(kernel_spec(kernel))->radius(rho, columns);
    require(radius.has_value(), "parameter",
            "this kernel has no radius: its correlation is not a decreasing function of the distance.");
    return *radius;
  });
}

// The kernel with what is open taken from rows: see R/kernel-specs.R.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_kernel_resolve(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x, double variance) {
  return classed([&] { return kernel_list(resolve(given_kernel(kernel), x, variance)); });
}

// What is left open: anything, the amplitude as a whole, what the evidence alone cannot tell.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_kernel_open(Rcpp::List kernel) {
  return classed([&] {
    const GivenKernel given = given_kernel(kernel);
    return Rcpp::List::create(_["any"] = !is_resolved(given), _["amplitude"] = open_amplitude(given),
                              _["shape"] = open_shape(given));
  });
}

// The median distance between rows.
// [[Rcpp::export(rng = false)]]
double core_typical_distance(const Eigen::Map<Eigen::MatrixXd> x) {
  return classed([&] { return typical_distance(x); });
}
