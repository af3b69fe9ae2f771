// A stream through a model of which points leave in one of three ways; see ways.R. The package has one of
// them, so this goes by the core's own functions, a row at a time.
// [[Rcpp::plugins(cpp17)]]
// [[Rcpp::depends(RcppEigen)]]
#include <RcppEigen.h>

#include "../src/core/core.h"

using namespace gpstream;

namespace {

class Stream {
 public:
  Stream(Index D, double most, const std::string& way)
      : state_(settings(), D), most_(static_cast<Index>(std::min(most, 1e9))), way_(way) {}

  void learn(const Matrix& x, double y) {
    const Kernel& kernel = *state_.kernel;
    const ConstMatrixView Z = state_.basis.Z.view();
    if (state_.size() == 0 || kernel.value(Z, x).maxCoeff() < 0.8) {
      if (state_.size() >= most_) make_room();
      Transaction transaction(state_);
      transaction.join(x, 0);
      transaction.keep();
    }
    const Vector output = Vector::Constant(1, y);
    const Sites sites = state_.likelihood->sites(output, Vector::Ones(1));
    Seen seen;
    absorb(
        state_.basis, kernel, Rows{x, output, sites, state_.times(x), state_.trend}, state_.most_left(),
        [] {}, state_.open, state_.settled, state_.bank, seen);
    state_.factor.forget();
    state_.counters.seen += 1;
    const Vector alike = kernel.value(state_.basis.Z.view(), x).col(0);
    Index nearest = 0;
    alike.maxCoeff(&nearest);
    for (Index i = 0; i < alike.size(); ++i)
      if (i == nearest || alike(i) > 0.5) state_.used.view()(i) = state_.counters.seen;
  }

  void learn_scale() {
    StreamingGP gp(std::move(state_));
    gpstream::learn_scale(gp, gp, {true, true, false}, true);
    state_ = std::move(gp).take();
  }

  const State& state() const { return state_; }

 private:
  static Settings settings() {
    Settings out;
    KernelSpec kernel;
    kernel.name = "se";
    kernel.variance = 1.0;
    kernel.lengthscale = Vector::Ones(1);
    out.kernel = make_kernel(kernel);
    out.selector = make_selector({"oips", {{"rho", 0.8}, {"max_points", 1e9}}, Matrix()});
    out.noise = 0.04;
    return out;
  }

  void make_room() {
    const double xi = state_.xi();
    const ConstMatrixView C = state_.factor.read(state_.settled, state_.open, state_.trend, xi);
    const PosteriorWeights weights(state_.basis, C,
                                   centred_b(state_.settled, state_.open, state_.trend, state_.scale()), xi);
    const Spare spare = spared(state_.basis, C, weights.a, state_.scale(), state_.used.view(), 1,
                               static_cast<Index>(state_.counters.removed));
    const std::vector<Index>& gone = spare.points;
    const double flat = 1e8;  // no prior to speak of
    const double as = way_ == "dropped" ? 0.0 : way_ == "set aside" ? flat : xi;
    const double rows = held(gone[0]);
    state_.used = GrowingVector(entries_of(state_.used.view(), others(gone, state_.size())));
    state_.traces.remove(gone[0], state_.counters.seen);
    gpstream::remove(gone, state_.basis, state_.settled, state_.open, as);
    if (way_ == "set aside") state_.settled.n -= flat * rows / (1 + flat * rows);
    state_.factor.forget();
    state_.counters.removed += 1;
  }

  // q'Pq for the direction q that only point j can hold
  double held(Index j) const {
    Vector q = Vector::Unit(state_.size(), j);
    solve_lower(state_.basis.L.view(), VectorView(q));
    q.normalize();
    return q.dot(symmetric(state_.settled.P.view()) * q);
  }

  State state_;
  Index most_;
  std::string way_;
};

}  // namespace

// Ten rows foretold, then learned; variance and noise learned from the evidence every 100 rows.
// [[Rcpp::export]]
Rcpp::List follow(const Eigen::MatrixXd& X, const Eigen::VectorXd& y, double most, std::string way) {
  Stream stream(X.cols(), most, way);
  Rcpp::NumericVector mean(y.size()), sd(y.size()), noise(y.size()), variance(y.size());
  for (Index i = 0; i < y.size(); ++i) {
    if (i % 10 == 0) {
      const Index count = std::min<Index>(10, y.size() - i);
      const StreamingGP gp(stream.state());
      const Prediction p = predict(gp, X.middleRows(i, count), true, [] {});
      for (Index j = 0; j < count; ++j) {
        mean[i + j] = p.mean(j);
        sd[i + j] = std::sqrt(p.variance(j) + gp.s2());
      }
    }
    stream.learn(X.middleRows(i, 1), y(i));
    if (i % 100 == 99) stream.learn_scale();
    noise[i] = stream.state().noise;
    variance[i] = stream.state().kernel->variance();
  }
  return Rcpp::List::create(Rcpp::Named("mean") = mean, Rcpp::Named("sd") = sd, Rcpp::Named("noise") = noise,
                            Rcpp::Named("variance") = variance,
                            Rcpp::Named("points") = static_cast<double>(stream.state().size()),
                            Rcpp::Named("removed") = stream.state().counters.removed);
}
