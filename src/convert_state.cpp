#include "convert_state.h"

#include "convert.h"
#include "core/file/older_formats.h"
#include "core/file/record.h"
#include "core/file/state_record.h"
#include "core/learn/wishes.h"
#include "core/likelihoods/likelihoods.h"
#include "core/model/streaming_gp.h"
#include "r_likelihood.h"

namespace gpstream {

namespace {

SEXP r_value(double value) { return Rcpp::wrap(value); }

SEXP r_value(const std::string& value) { return Rcpp::wrap(value); }

SEXP r_value(const Vector& value) { return Rcpp::wrap(value); }

SEXP r_value(const Matrix& value) { return Rcpp::wrap(value); }

SEXP r_value(const KernelSpec& value) { return kernel_list(value); }

SEXP r_value(const SelectorSpec& value) { return selector_list(value); }

}  // namespace

Rcpp::List list_of(const Record& record) {
  Rcpp::List out;
  for (const auto& field : record.fields()) {
    const Rcpp::Shield<SEXP> value(
        std::visit([](const auto& plain) { return r_value(plain); }, field.second));
    out[field.first] = static_cast<SEXP>(value);
  }
  return out;
}

Record record_of(const Rcpp::List& list) {
  Record out;
  each_name(list, [&](const std::string& name) {
    const SEXP value = list[name];
    const std::string last = name.substr(name.rfind('.') + 1);
    if (last == "kernel" && holds<Rcpp::List>(value))
      out.put(name, kernel_spec(value));
    else if (last == "select" && holds<Rcpp::List>(value))
      out.put(name, selector_spec(value));
    else if (holds<std::string>(value))
      out.put(name, Rcpp::as<std::string>(value));
    else if (holds<Matrix>(value))
      out.put(name, Rcpp::as<Matrix>(value));
    else if (holds<Vector>(value))
      out.put(name, Rcpp::as<Vector>(value));
  });
  return out;
}

Rcpp::List state_list(const StreamingGP& model) { return list_of(record(model.state())); }

StreamingGP from_list(const Rcpp::List& state, const StreamingGP*) {
  return StreamingGP(restored(record_of(state)));
}

Trend trend_of(const Rcpp::List& list) {
  Trend out;
  const Vector columns = entry<Vector>(list, "columns");
  for (Index j = 0; j < columns.size(); ++j) {
    require(columns(j) >= 1 && columns(j) <= 1e9 && columns(j) == std::floor(columns(j)), "parameter",
            "`columns` of a trend must be whole numbers from 1.");
    out.columns.push_back(static_cast<Index>(columns(j)) - 1);
  }
  out.centre = entry<Vector>(list, "centre");
  out.scale = entry<Vector>(list, "scale");
  out.ratio = entry<Vector>(list, "ratio");
  return out;
}

Rcpp::List trend_list(const StreamingGP& model) {
  const Trend& trend = model.state().trend;
  Rcpp::IntegerVector columns;
  for (const Index column : trend.columns) columns.push_back(static_cast<int>(column) + 1);
  Rcpp::List out = Rcpp::List::create(_["columns"] = columns);
  out["centre"] = trend.centre;
  out["scale"] = trend.scale;
  out["asked"] = static_cast<double>(static_cast<Index>(trend.columns.size()) - trend.untold);
  if (model.outputs() == 1) {
    out["variance"] = Vector(model.v() * trend.ratio);
    return out;
  }
  Matrix variance(trend.size(), model.outputs());
  for (Index k = 0; k < variance.cols(); ++k)
    variance.col(k) = model.latent(k).v() * model.latent(k).state().trend.ratio;
  out["variance"] = variance;
  return out;
}

namespace {

// A name and numbers.
LikelihoodSpec likelihood_spec(const Rcpp::List& list) {
  LikelihoodSpec out{entry<std::string>(list, "name")};
  const Rcpp::List numbers = entry<Rcpp::List>(list, "numbers");
  if (numbers.size() == 0) return out;
  const Rcpp::CharacterVector names = numbers.names();
  for (R_xlen_t i = 0; i < numbers.size(); ++i) {
    const std::string name(names[i]);
    out.numbers[name] = number(numbers, name.c_str());
  }
  return out;
}

}  // namespace

LikelihoodPtr likelihood_from(const Rcpp::List& list) {
  const LikelihoodSpec spec = likelihood_spec(list);
  if (spec.name != "custom" || !list.containsElementNamed("functions")) return make_likelihood(spec);
  return std::make_shared<RLikelihood>(spec, entry<Rcpp::List>(list, "functions"));
}

Rcpp::List likelihood_list(const Likelihood& likelihood) {
  const LikelihoodSpec spec = likelihood.spec();
  Rcpp::List numbers;
  for (const auto& one : spec.numbers) numbers[one.first] = one.second;
  Rcpp::List out = Rcpp::List::create(_["name"] = spec.name, _["numbers"] = numbers);
  if (const auto* own = dynamic_cast<const RLikelihood*>(&likelihood)) out["functions"] = own->functions();
  return out;
}

namespace {

// One number for all outputs, or one each.
void take_outputs(const Vector& numbers, std::optional<double>& first,
                  std::vector<std::optional<double>>& others) {
  require(numbers.size() > 0, "parameter", "there must be a number for each output.");
  first = numbers(0);
  for (Index k = 1; k < numbers.size(); ++k) others.push_back(numbers(k));
}

}  // namespace

Wishes wishes_of(const Rcpp::List& spec) {
  Wishes out;
  out.any_kernel = Rf_isNull(spec["kernel"]);
  if (out.any_kernel) {
    out.kernel.name = "se";
    out.kernel.ard = true;
  } else {
    out.kernel = given_kernel(entry<Rcpp::List>(spec, "kernel"));
  }
  if (spec.containsElementNamed("noise") && !Rf_isNull(spec["noise"]))
    take_outputs(entry<Vector>(spec, "noise"), out.noise, out.noises);
  const SEXP mean = spec["mean"];
  if (TYPEOF(mean) != STRSXP)
    take_outputs(entry<Vector>(spec, "mean"), out.mean, out.means);
  else if (entry<std::string>(spec, "mean") == "zero")
    out.mean = 0.0;
  else if (entry<std::string>(spec, "mean") != "constant")
    out.slopes = entry<std::string>(spec, "mean") == "auto" ? Wishes::learned : Wishes::wide;
  if (spec.containsElementNamed("trend")) out.trend = trend_of(entry<Rcpp::List>(spec, "trend"));
  if (spec.containsElementNamed("trend_columns") && !Rf_isNull(spec["trend_columns"]))
    for (const double column : Rcpp::NumericVector(spec["trend_columns"]))
      out.trend_columns.push_back(static_cast<Index>(column) - 1);
  out.select = selector_spec(entry<Rcpp::List>(spec, "select"));
  out.any_rho = out.select.name == "oips" && out.select.numbers.count("rho") == 0;
  out.lookback = rows_from(number(spec, "lookback"));
  out.warmup = rows_from(number(spec, "warmup"));
  out.memory = rows_from(number(spec, "memory"));
  if (spec.containsElementNamed("calibrate")) out.calibrate = number(spec, "calibrate") != 0;
  if (spec.containsElementNamed("half_life")) {
    out.any_half_life = holds<std::string>(spec["half_life"]);
    if (holds<Vector>(spec["half_life"])) out.half_life = number(spec, "half_life");
  }
  if (spec.containsElementNamed("half_life_column"))
    out.half_life_column = static_cast<Index>(number(spec, "half_life_column")) - 1;
  if (spec.containsElementNamed("groups") && !Rf_isNull(spec["groups"]))
    for (const double group : Rcpp::NumericVector(spec["groups"]))
      out.groups.push_back(static_cast<Index>(group));
  if (spec.containsElementNamed("likelihood")) {
    const Rcpp::List likelihood = entry<Rcpp::List>(spec, "likelihood");
    out.likelihood = likelihood_from(likelihood);
    for (const SEXP name : Rcpp::CharacterVector(likelihood["open"]))
      out.open_likelihood.push_back(CHAR(name));
  }
  const std::string learns = entry<std::string>(spec, "optimize");
  out.learns = learns == "none" ? Wishes::nothing : learns == "online" ? Wishes::always : Wishes::at_first;
  return out;
}

}  // namespace gpstream
