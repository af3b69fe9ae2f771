// Rows in shards: convert, call, return. What travels is plain lists, so that they can be sent anywhere.
#include "convert_state.h"
#include "core/file/evidence_record.h"
#include "core/file/state_record.h"
#include "core/kernels/kernels.h"
#include "core/learn/fit.h"
#include "core/read/shared.h"
#include "handle.h"

using namespace gpstream;

namespace {

// A sample of the rows of a shard, and the moments of their columns.
struct ShardSample {
  Memory memory;
  Moments columns;
};

// A pass over the rows of a shard: their sums or, where they are told an adjoint, their slopes.
struct ShardPass {
  View view;
  std::optional<Adjoint> back;
  Evidence sums;
  RowSlopes slopes;
};

Rcpp::List view_list(const View& view) {
  Rcpp::NumericVector columns;
  for (const Index column : view.trend.columns) columns.push_back(static_cast<double>(column + 1));
  Rcpp::List trend = Rcpp::List::create(_["columns"] = columns);
  trend["centre"] = view.trend.centre;
  trend["scale"] = view.trend.scale;
  trend["ratio"] = view.trend.ratio;
  Rcpp::List out = Rcpp::List::create(_["kernel"] = kernel_list(view.kernel->spec()), _["trend"] = trend);
  out["Z"] = Matrix(view.basis.Z.view());
  out["L"] = Matrix(view.basis.L.view());
  out["offset"] = view.offset;
  return out;
}

View view_of(const Rcpp::List& list) {
  View out{make_kernel(kernel_spec(entry<Rcpp::List>(list, "kernel"))), Basis(),
           trend_of(entry<Rcpp::List>(list, "trend")), number(list, "offset")};
  out.basis = {GrowingMatrix(entry<Matrix>(list, "Z")), GrowingMatrix(entry<Matrix>(list, "L"))};
  require(out.basis.L.rows() == out.basis.Z.rows() && out.basis.L.cols() == out.basis.Z.rows(), "dimension",
          "points and factor do not fit together.");
  return out;
}

Rcpp::List adjoint_list(const Adjoint& back) {
  Rcpp::List out = Rcpp::List::create(_["xi"] = back.xi, _["phi"] = back.phi);
  out["trend"] = back.trend;
  out["a"] = back.a;
  out["alpha"] = back.alpha;
  out["Q"] = back.Q;
  return out;
}

Adjoint adjoint_of(const Rcpp::List& list) {
  return {number(list, "xi"),       number(list, "phi"),          entry<Vector>(list, "trend"),
          entry<Vector>(list, "a"), entry<Vector>(list, "alpha"), entry<Matrix>(list, "Q")};
}

// All shards are asked by a function of R, which adds up what they answer.
SharedObjective::Sums ask_for_sums(const Rcpp::Function& sums) {
  return [sums](const View& view) {
    const Rcpp::List answer = sums(view_list(view));
    const Evidence out = evidence_from(record_of(answer));
    require(sound(out, view.basis.size(), view.trend.size()), "input",
            "the shards sent sums that are not finite, or about other points.");
    return out;
  };
}

SharedObjective::Slopes ask_for_slopes(const Rcpp::Function& slopes) {
  return [slopes](const View& view, const Adjoint& back, bool points) {
    const Rcpp::List answer = slopes(view_list(view), adjoint_list(back), points);
    RowSlopes out(*view.kernel, points ? view.basis.size() : 0, view.basis.Z.cols());
    const Vector kernel = entry<Vector>(answer, "kernel");
    const Matrix Z = entry<Matrix>(answer, "Z");
    require(kernel.size() == out.kernel.size() && Z.rows() == out.Z.rows() && Z.cols() == out.Z.cols(),
            "input", "the shards sent slopes of another kernel.");
    out.kernel = kernel;
    out.Z = Z;
    return out;
  };
}

ShardSample sample_from(const Rcpp::List& list) {
  ShardSample out;
  out.memory = Memory(rows_from(number(list, "limit")), number(list, "seen"), number(list, "origin"),
                      entry<Matrix>(list, "rows"));
  out.columns.n = number(list, "n");
  out.columns.first = entry<Vector>(list, "first");
  out.columns.about = entry<Vector>(list, "about");
  out.columns.squares = entry<Vector>(list, "squares");
  return out;
}

}  // namespace

// A sample of at most `limit` rows of a shard before which `first` rows come.
// [[Rcpp::export(rng = false)]]
SEXP core_sample_new(double limit, int columns, double first) {
  return classed([&]() -> SEXP {
    return Rcpp::XPtr<ShardSample>(
        new ShardSample{Memory::after(first, rows_from(limit), columns), Moments(columns)});
  });
}

// No weights: all 1.
// [[Rcpp::export(rng = false)]]
void core_sample_add(SEXP sample, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y,
                     const Eigen::Map<Eigen::VectorXd> weights) {
  classed([&] {
    const Rcpp::XPtr<ShardSample> to(sample);
    to->memory.add({x, y, weights.size() > 0 ? Vector(weights) : Vector::Ones(y.size())});
    to->columns.add(x);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List core_sample_list(SEXP sample) {
  return classed([&] {
    const Rcpp::XPtr<ShardSample> from(sample);
    Rcpp::List out = Rcpp::List::create(_["limit"] = static_cast<double>(from->memory.limit()),
                                        _["seen"] = from->memory.seen(), _["origin"] = from->memory.origin(),
                                        _["n"] = from->columns.n);
    out["rows"] = Matrix(from->memory.stored());
    out["first"] = from->columns.first;
    out["about"] = from->columns.about;
    out["squares"] = from->columns.squares;
    return out;
  });
}

// A model that has seen nothing, with what samples of all shards, in their order, tell of what is open.
// [[Rcpp::export(rng = false)]]
SEXP core_fit_start(Rcpp::List spec, Rcpp::List samples) {
  return classed([&] {
    ShardSample all = sample_from(samples[0]);
    for (R_xlen_t i = 1; i < samples.size(); ++i) {
      const ShardSample next = sample_from(samples[i]);
      all.memory.go_on(next.memory);
      all.columns.merge(next.columns);
    }
    return new_handle(fit_start(wishes_of(spec), all.memory, all.columns, check_interrupt));
  });
}

// The rule by which points are chosen; `closer`: for a search.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_fit_rule(SEXP handle, Rcpp::List spec, bool closer) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const KernelSpec kernel = closer ? closer_kernel(model, wishes_of(spec)) : model.kernel().spec();
    return Rcpp::List::create(_["kernel"] = kernel_list(kernel),
                              _["select"] = selector_list(model.state().selector->spec()),
                              _["variance"] = model.v(), _["noise"] = model.s2());
  });
}

// The same model with the kernel and noise of which the objective of all shards is highest.
// [[Rcpp::export(rng = false)]]
SEXP core_fit_search(SEXP handle, Rcpp::List spec, const Eigen::MatrixXd& points, int steps,
                     Rcpp::Function sums, Rcpp::Function slopes) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const SharedObjective F(model.state().trend, model.state().offset, ask_for_sums(sums),
                            ask_for_slopes(slopes));
    return new_handle(fit_search(model, wishes_of(spec), points, std::cref(F), steps, check_interrupt));
  });
}

// The same model once it has seen all rows, under these points.
// [[Rcpp::export(rng = false)]]
SEXP core_fit_end(SEXP handle, Rcpp::List spec, const Eigen::MatrixXd& points, Rcpp::Function sums) {
  return classed([&] {
    return new_handle(fit_end(behind<StreamingGP>(handle), wishes_of(spec), points, ask_for_sums(sums)));
  });
}

// A pass over a shard, from a view; with an adjoint, for its slopes.
// [[Rcpp::export(rng = false)]]
SEXP core_pass_new(Rcpp::List view, Rcpp::RObject adjoint, bool points) {
  return classed([&]() -> SEXP {
    View from = view_of(view);
    const Index M = from.basis.size(), q = from.trend.size();
    RowSlopes slopes(*from.kernel, points ? M : 0, from.basis.Z.cols());
    std::optional<Adjoint> back;
    if (!adjoint.isNULL()) {
      back = adjoint_of(Rcpp::List(adjoint));
      const Index front = from.trend.active();
      require(back->trend.size() == q && back->a.size() == front + M && back->alpha.size() == M &&
                  back->Q.rows() == M && back->Q.cols() == front + M,
              "dimension", "the adjoint does not fit the points.");
    }
    return Rcpp::XPtr<ShardPass>(new ShardPass{std::move(from), back, Evidence(M, q), std::move(slopes)});
  });
}

// [[Rcpp::export(rng = false)]]
void core_pass_add(SEXP pass, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y,
                   const Eigen::Map<Eigen::VectorXd> weights) {
  classed([&] {
    const Rcpp::XPtr<ShardPass> to(pass);
    if (to->back)
      add_slopes(to->view, *to->back, x, y, weights, check_interrupt, to->slopes);
    else
      add_rows(to->view, x, y, weights, check_interrupt, to->sums);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List core_pass_list(SEXP pass) {
  return classed([&] {
    const Rcpp::XPtr<ShardPass> from(pass);
    if (!from->back) return list_of(evidence_record(from->sums));
    Rcpp::List out;
    out["kernel"] = from->slopes.kernel;
    out["Z"] = from->slopes.Z;
    return out;
  });
}
