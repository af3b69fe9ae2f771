#include "convert.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "gpstream_types.h"
#include "core/learn/given.h"
#include "core/select/selector.h"

namespace gpstream {

double number(const Rcpp::List& list, const char* name) {
  const Vector value = entry<Vector>(list, name);
  require(value.size() == 1 && !std::isnan(value(0)), "corrupt",
          std::string("`") + name + "` in the state must be one number.");
  return value(0);
}

namespace {

// In R, numbers that belong together are one vector: frequencies, and values at the knots after the first.
// To the core they are shape parameters with a number each.
std::string value_prefix(const std::string& kernel) {
  return kernel == "gibbs" ? "stretch" : kernel == "warped" ? "warp" : "amplitude";
}

std::vector<std::string> value_names(const std::string& kernel, Index knots) {
  std::vector<std::string> out;
  for (Index k = 2; k <= knots; ++k) out.push_back(value_prefix(kernel) + std::to_string(k));
  return out;
}

std::vector<std::string> frequency_names(Index columns) {
  if (columns <= 1) return {"frequency"};
  std::vector<std::string> out;
  for (Index d = 1; d <= columns; ++d) out.push_back("frequency" + std::to_string(d));
  return out;
}

// What is no parameter.
bool is_constant(const std::string& name) {
  return name == "knots" || name == "along" || name == "origin" || name == "scale";
}

std::vector<Index> columns_from(const Rcpp::List& kernel) {
  std::vector<Index> out;
  const Vector columns = entry<Vector>(kernel, "columns");
  for (Index i = 0; i < columns.size(); ++i) {
    require(columns(i) >= 1 && columns(i) <= 1e6, "corrupt", "`columns` of a kernel must be numbers from 1.");
    out.push_back(static_cast<Index>(columns(i)) - 1);
  }
  return out;
}

}  // namespace

GivenKernel given_kernel(const Rcpp::List& kernel) {
  GivenKernel out;
  out.name = entry<std::string>(kernel, "name");
  out.lengthscale = Vector();
  each_name(kernel, [&](const std::string& name) {
    const SEXP value = kernel[name];
    if (name == "lengthscale") {
      out.ard = TYPEOF(value) == STRSXP;
      out.lengthscale.reset();
      if (!out.ard && !Rf_isNull(value)) out.lengthscale = entry<Vector>(kernel, "lengthscale");
    } else if (name == "parts") {
      for (const SEXP part : entry<Rcpp::List>(kernel, "parts")) {
        require(holds<Rcpp::List>(part), "corrupt", "a part of a kernel is not a kernel.");
        out.parts.push_back(given_kernel(part));
      }
    } else if (name == "any") {
      out.any = number(kernel, "any") != 0;
    } else if (name == "columns") {
      if (!Rf_isNull(value)) out.columns = columns_from(kernel);
    } else if (name == "along") {
      if (!Rf_isNull(value)) out.fixed["along"] = entry<Vector>(kernel, "along");
    } else if (name == "knots") {
      const Vector knots = entry<Vector>(kernel, "knots");
      out.fixed["knots"] = knots.size() == 1 ? std::nullopt : std::optional<Vector>(knots);
    } else if (is_constant(name)) {
      out.fixed[name] =
          Rf_isNull(value) ? std::nullopt : std::optional<Vector>(entry<Vector>(kernel, name.c_str()));
    } else if (name == "values" || name == "frequency") {
      const Vector given = Rf_isNull(value) ? Vector() : entry<Vector>(kernel, name.c_str());
      const Vector knots = name == "values" ? entry<Vector>(kernel, "knots") : Vector();
      const std::vector<std::string> names =
          name == "frequency" ? frequency_names(given.size())
                              : value_names(out.name, knots.size() == 1 ? Index(knots(0)) : knots.size());
      require(given.size() == 0 || given.size() == Index(names.size()), "parameter",
              "a kernel needs one value for each knot but the first.");
      for (std::size_t i = 0; i < names.size(); ++i) {
        out.extras.emplace_back(names[i],
                                given.size() > 0 ? std::optional<double>(given(Index(i))) : std::nullopt);
        if (name == "values") out.starts[names[i]] = 0.0;
      }
    } else if (name != "name") {
      std::optional<double> given;
      if (!Rf_isNull(value)) given = number(kernel, name.c_str());
      if (name == "variance")
        out.variance = given;
      else
        out.extras.emplace_back(name, given);
      if (name == "correlation") out.starts[name] = 0.5;
    }
  });
  return out;
}

KernelSpec kernel_spec(const Rcpp::List& kernel) {
  KernelSpec spec;
  const GivenKernel given = given_kernel(kernel);
  spec.name = given.name;
  spec.variance = kernel.containsElementNamed("variance") ? number(kernel, "variance") : 1.0;
  spec.columns = given.columns;
  require(given.lengthscale.has_value(), "corrupt", "`lengthscale` in the state is of the wrong type.");
  spec.lengthscale = *given.lengthscale;
  for (const auto& extra : given.extras) {
    require(extra.second.has_value(), "corrupt", "`" + extra.first + "` in the state must be one number.");
    spec.extras[extra.first] = *extra.second;
  }
  for (const auto& one : given.fixed) {
    require(one.second.has_value(), "corrupt", "`" + one.first + "` in the state is of the wrong type.");
    spec.fixed[one.first] = *one.second;
  }
  if (kernel.containsElementNamed("parts"))
    for (const SEXP part : entry<Rcpp::List>(kernel, "parts")) spec.parts.push_back(kernel_spec(part));
  return spec;
}

Rcpp::List kernel_list(const KernelSpec& spec) {
  Rcpp::List out = Rcpp::List::create(_["name"] = spec.name);
  if (spec.lengthscale.size() > 0) out["lengthscale"] = spec.lengthscale;
  out["variance"] = spec.variance;
  if (!spec.parts.empty()) {
    Rcpp::List parts;
    for (const KernelSpec& part : spec.parts) parts.push_back(kernel_list(part));
    out["parts"] = parts;
  }
  if (!spec.columns.empty()) {
    Rcpp::NumericVector columns;
    for (const Index d : spec.columns) columns.push_back(static_cast<double>(d + 1));
    out["columns"] = columns;
  }
  for (const auto& one : spec.fixed) out[one.first] = one.second;
  const auto knots = spec.fixed.find("knots");
  const std::vector<std::string> together =
      knots != spec.fixed.end() ? value_names(spec.name, knots->second.size())
      : spec.name == "cosine"   ? frequency_names(Index(spec.extras.size()))
                                : std::vector<std::string>();
  if (!together.empty()) {
    Rcpp::NumericVector values;
    for (const std::string& name : together) values.push_back(spec.extras.at(name));
    out[spec.name == "cosine" ? "frequency" : "values"] = values;
  } else {
    for (const auto& extra : spec.extras) out[extra.first] = extra.second;
  }
  out.attr("class") = "gpstream_kernel";
  return out;
}

SelectorSpec selector_spec(const Rcpp::List& selector) {
  SelectorSpec spec;
  each_name(selector, [&](const std::string& name) {
    if (name == "name")
      spec.name = entry<std::string>(selector, "name");
    else if (name == "points")
      spec.points = entry<Matrix>(selector, "points");
    else if (name == "optimize_points")
      spec.optimize_points = number(selector, "optimize_points") != 0;
    else if (holds<std::string>(selector[name]))
      spec.words[name] = entry<std::string>(selector, name.c_str());
    else
      spec.numbers[name] = number(selector, name.c_str());
  });
  return spec;
}

Rcpp::List selector_list(const SelectorSpec& spec) {
  Rcpp::List out = Rcpp::List::create(_["name"] = spec.name);
  for (const auto& one : spec.numbers) out[one.first] = one.second;
  for (const auto& one : spec.words) out[one.first] = one.second;
  if (spec.optimize_points) out["optimize_points"] = true;
  if (spec.points.size() > 0) out["points"] = spec.points;
  out.attr("class") = "gpstream_selector";
  return out;
}

}  // namespace gpstream
