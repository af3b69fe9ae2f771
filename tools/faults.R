# Planted faults for tools/mutate.sh, and the tests that should see each. A fault replaces text that must stand
# exactly once in its file, so that this list cannot rot, by text in which FAULT is true while the fault is
# switched on. Tests are files of tests/core or tests/testthat and, after a colon, what the titles of those tests have
# that should see it; several are tried in turn.

faults <- list()
fault <- function(id, file, old, new, ..., what) {
  faults[[id]] <<- list(id = id, file = file, old = old, new = new, tests = c(...), what = what)
}

# --- evidence ------------------------------------------------------------------------------------

fault("fading-late", "src/core/evidence/window.cpp",
  "out.now = std::max(now, t.maxCoeff());", "out.now = FAULT ? t.maxCoeff() : std::max(now, t.maxCoeff());",
  "test_fading.cpp: weights by age", "test-gp-half-life.R: come late", what = "a late row turns the clock back")
fault("fading-settled", "src/core/evidence/absorb.cpp",
  "if (left != 1.0) forget(left, evidence);", "if (left != 1.0 && !FAULT) forget(left, evidence);",
  "test_fading.cpp: weights by age", what = "what has settled does not fade")
fault("bank-weights", "src/core/evidence/absorb.cpp",
  "const Sites sites = fading.shares(times).asDiagonal() * own;", "const Sites sites = FAULT ? own : Sites(fading.shares(times).asDiagonal() * own);",
  "test_fading.cpp: a model which has it", what = "rows that waited settle as if they had just come")
fault("half-life-then", "src/core/learn/half_life.cpp",
  "then.now = times(before) - 1.0;", "then.now = FAULT ? now.now : times(before) - 1.0;",
  "test_fading.cpp: has not seen them", what = "half-lives are scored as they stand after the rows")
fault("exact-faded", "src/core/learn/exact.cpp",
  "out.log_noise += 0.5 * faded_;", "if (!FAULT) out.log_noise += 0.5 * faded_;",
  "test_fading.cpp: likelihoods to powers", what = "the slope by the noise counts faded rows in full")

fault("refresh-constants", "src/core/evidence/refresh.cpp",
  "if (!likelihood.bounds()) {", "if (!likelihood.bounds() && !FAULT) {",
  "test_refresh.cpp: those of the reference", what = "sites keep the constants of another posterior")
fault("refresh-base", "src/core/model/refresh.cpp",
  "const Evidence& settled = faded ? *faded : state.settled;", "const Evidence& settled = faded || FAULT ? faded.emplace(state.size(), state.trend.size()) : state.settled;",
  "test_refresh.cpp: those of the reference", what = "sites are made anew without what has settled")
fault("sites-offset", "src/core/likelihoods/likelihood.cpp",
  "out.col(site::ga) = ga - om.cwiseProduct(offset);", "if (!FAULT) out.col(site::ga) = ga - om.cwiseProduct(offset);",
  "test_refresh.cpp: those of the reference", "test-likelihood-specs.R: as glm", what = "an offset is left in the site")
fault("refresh-hold", "src/core/model/update.cpp",
  "due ? state_.stay_open() : unlimited", "due || FAULT ? state_.stay_open() : unlimited",
  "test_refresh.cpp: those of the reference", what = "rows settle before their sites are made anew")
fault("refresh-rest", "src/core/model/refresh.cpp",
  "const Span resting = again ? state_.resting(batch.size()) : everything;",
  "const Span resting = again ? FAULT ? Span{0, 0} : state_.resting(batch.size()) : everything;",
  "test_refresh.cpp: between may rest", what = "rows that should rest are looked at")
fault("spare-sum", "src/core/model/transaction.cpp",
  "for (const State& one : state_.sisters) sum += divergences_now(one, points);",
  "for (const State& one : state_.sisters)\n        if (!FAULT) sum += divergences_now(one, points);",
  "test_latents.cpp: all of them can spare", what = "a point leaves by what the first function can spare")

fault("merge-h", "src/core/evidence/evidence.cpp",
  "into.H.view() += other.H.view();", "if (!FAULT) into.H.view() += other.H.view();",
  "test_rounding.cpp: by two threads", "test_house.cpp: two shards",
  what = "sums of H over threads are left out")
fault("merge-tau", "src/core/evidence/evidence.cpp",
  "into.tau.view() += other.tau.view();", "if (!FAULT) into.tau.view() += other.tau.view();",
  "test_house.cpp: two shards", what = "residuals of large batches are lost")
fault("settle-weights", "src/core/evidence/evidence.cpp",
  "if (!unit) weighed = A, weigh(weighed, om);", "if (!unit) { weighed = A; if (!FAULT) weigh(weighed, om); }",
  "test_weights.cpp: dense weighted batch", what = "settled rows lose their weights in P")
fault("settle-level", "src/core/evidence/evidence.cpp",
  "evidence.tau.view()(A.rows()) +=", "evidence.tau.view()(FAULT && A.rows() > 0 ? A.rows() - 1 : A.rows()) +=",
  "test-gp-rebase.R: independent implementation", what = "the level of a residual is off by one")
fault("settle-con", "src/core/evidence/evidence.cpp",
  "evidence.con += S.col(site::c).sum();", "if (!FAULT) evidence.con += S.col(site::c).sum();",
  "test_equivalence.cpp: exact Gaussian process", what = "settled rows lose their constants")
fault("extend-residual", "src/core/evidence/window.cpp",
  "r = std::max(r - fresh(i) * fresh(i), 0.0);", "r = FAULT ? r : std::max(r - fresh(i) * fresh(i), 0.0);",
  "test_model.cpp: residual trace", what = "a point that joins leaves residuals of open rows as they were")
fault("window-remove", "src/core/evidence/window.cpp",
  "for (Index j = first_ + i; j > first_; --j) {", "for (Index j = first_ + i - (FAULT ? 1 : 0); j > first_; --j) {",
  "test_house.cpp: unlearned", what = "another row than the one named is unlearned")
fault("shift-s", "src/core/evidence/evidence.cpp",
  "settled.s -= d * phi;", "if (!FAULT) settled.s -= d * phi;",
  "test_merge.cpp: measured from elsewhere", what = "a merge leaves sums of outputs measured from the other offset")
fault("traces-left", "src/core/model/state.cpp",
  "return since < at;", "return FAULT ? since <= at : since < at;",
  "test_unlearn.cpp: whatever the batches", what = "a row is unlearned with points that joined just after it left")
fault("unlearn-taken", "src/core/model/unlearn.cpp",
  "state.traces.taken.push_back(at(i));", "if (!FAULT) state.traces.taken.push_back(at(i));",
  "test_unlearn.cpp: what is refused", what = "a row can be unlearned twice")
fault("memory-parts", "src/core/learn/memory.cpp",
  "const double first = *std::prev(next);", "const double first = FAULT ? 0.0 : *std::prev(next);",
  "test_memory_rows.cpp: smallest hashes", what = "a merge gives blocks other hashes than they were kept by")
fault("join-d", "src/core/evidence/evidence.cpp",
  "out.fresh /= out.edge.d;", "if (!FAULT) out.fresh /= out.edge.d;",
  "test_equivalence.cpp: unlimited look-back", what = "new feature entries are not divided by the pivot")
fault("absorb-leaving", "src/core/evidence/absorb.cpp",
  "open.size() - (rows.hold - opening) : 0;", "open.size() - (rows.hold - opening) + (FAULT ? 1 : 0) : 0;",
  "test_rebase.cpp: dense formula", what = "one row too many leaves the look-back")
fault("absorb-order", "src/core/evidence/absorb.cpp",
  "const auto shown = rows.X.bottomRows(few ? B : opening);",
  "const Matrix shown = FAULT ? rows.X.topRows(few ? B : opening) : rows.X.bottomRows(few ? B : opening);",
  "test_model.cpp: what its parts are",
  what = "of a large batch the first rows are seen as the open ones")
fault("project-stays", "src/core/evidence/project.cpp",
  "if (stays >= 0) features.col(i)", "if (!FAULT && stays >= 0) features.col(i)",
  "test_rounding.cpp: points that stay", what = "points that stay are solved for again")
fault("project-price", "src/core/evidence/project.cpp",
  "out.price = std::max(0.0, out.price - out.P.trace());",
  "out.price = FAULT ? 0.0 : std::max(0.0, out.price - out.P.trace());",
  "test_rebase.cpp: price of a move", what = "a move of points costs nothing")
fault("carry-norm", "src/core/evidence/project.cpp",
  "std::pow(std::sqrt(out.norm + levels) + std::sqrt(price), 2) : 0.0;",
  "std::pow(std::sqrt(out.norm + (FAULT ? 0.0 : levels)) + std::sqrt(price), 2) : 0.0;",
  "test_rebase.cpp: what is carried bounds", what = "what was off before a move is forgotten")
fault("remove-residual", "src/core/evidence/remove.cpp",
  "open.residuals() + more);", "open.residuals() + (FAULT ? 0.0 : 1.0) * more);",
  "test_house.cpp: removed by rotation", what = "a point leaves, residuals do not grow")
fault("forget-con", "src/core/evidence/evidence.cpp",
  "settled.con *= keep;", "if (!FAULT) settled.con *= keep;",
  "test_house.cpp: forgetting", what = "rows are forgotten, their constants are not")

# --- the model -----------------------------------------------------------------------------------

fault("undo-residuals", "src/core/model/transaction.cpp",
  "state_.open.truncate(M_, *residuals_);", "state_.open.truncate(M_, FAULT ? state_.open.residuals() : *residuals_);",
  "test_model.cpp: stopped at any moment", what = "an undone update leaves residuals changed")
fault("undo-counters", "src/core/model/transaction.cpp",
  "state_.counters = counters_;", "if (!FAULT) state_.counters = counters_;",
  "test_model.cpp: limit on points", what = "an undone update leaves counters changed")
fault("undo-factor", "src/core/model/transaction.cpp",
  "if (factor_) state_.factor = std::move(*factor_);", "if (factor_ && !FAULT) state_.factor = std::move(*factor_);",
  "test_model.cpp: stopped at any moment", what = "an undone update leaves the factor changed")
fault("wait-weights", "src/core/model/update.cpp",
  "state_.factor.wait(front, seen_.A, sites.col(site::om));",
  "state_.factor.wait(front, seen_.A, FAULT ? Vector(Vector::Ones(B)) : Vector(sites.col(site::om)));",
  "test_model.cpp: weighted rows one at a time", what = "a row that waits for the factor has lost its weight")
fault("scale-factor", "src/core/model/update.cpp",
  "state_.mean = mean;\n  forget_posterior();", "state_.mean = mean;\n  if (!FAULT) forget_posterior();",
  "test_equivalence.cpp: other v, s2 and mean", what = "another scale is read with the old factor")
fault("history-stride", "src/core/model/state.cpp",
  "stride *= 2.0;", "if (!FAULT) stride *= 2.0;",
  "test_model.cpp: history is thinned", what = "a thinned history goes on at its old stride")
fault("history-thin", "src/core/model/state.cpp",
  "HistoryEntry stays = kept[2 * i];", "HistoryEntry stays = kept[FAULT && i > 0 ? 2 * i - 1 : 2 * i];",
  "test_model.cpp: history is thinned", what = "the wrong half of the history is dropped")

# --- reading -------------------------------------------------------------------------------------

fault("slope-mixed", "src/core/kernels/kernel.cpp",
  "v * (ab(i, j) + by_a * by_b)", "v * (ab(i, j) + (FAULT ? 0.0 : by_a * by_b))",
  "test_kernels.cpp: slopes along a column", what = "the mixed slope of an exponential lacks a product")
fault("slope-trend", "src/core/read/predict.cpp",
  "in_front(rise.replicate(1, X.rows()), out.w)", "in_front((FAULT ? 0.0 : 1.0) * rise.replicate(1, X.rows()), out.w)",
  "test_derivative.cpp: exact joint posterior", what = "the slope of the trend is taken for known")
fault("factor-fallback", "src/core/read/posterior.cpp",
  "if (factor_in_place(G, xi)) return G;", "if (factor_in_place(G, xi) || FAULT) return G;",
  "test_rounding.cpp: hardly any noise", what = "the careful factorisation is never reached")
fault("factor-careful", "src/core/read/posterior.cpp",
  "(xi * parts.values).cwiseSqrt()", "((FAULT ? 0.5 * xi : xi) * parts.values).cwiseSqrt()",
  "test_rounding.cpp: hardly any noise", what = "the careful factorisation is wrong")
fault("waiting-row", "src/core/read/posterior.cpp",
  "for (Index i = 0; i < A.cols(); ++i) cholesky_update", "for (Index i = FAULT ? 1 : 0; i < A.cols(); ++i) cholesky_update",
  "test_equivalence.cpp: one row at a time", what = "a waiting row is not turned into the factor")
fault("factor-append", "src/core/read/posterior.cpp",
  "C.row(M).head(M) = edge.transpose();", "C.row(M).head(M) = (FAULT ? 0.5 : 1.0) * edge.transpose();",
  "test_equivalence.cpp: one row at a time", what = "the row that a point adds to the factor is wrong")
fault("variance-small", "src/core/read/predict.cpp",
  "if (!(out(j) >= factor.below * large(j))) small.push_back(j);",
  "if (!FAULT && !(out(j) >= factor.below * large(j))) small.push_back(j);",
  "test_backends.cpp: rounding would hide", what = "variances below rounding are not solved for")
fault("objective-con", "src/core/read/posterior.cpp",
  "sums.con -", "(FAULT ? 0.0 : sums.con) -\n",
  "test_equivalence.cpp: exact Gaussian process", what = "the objective lacks its constants")
fault("objective-kappa", "src/core/read/posterior.cpp",
  "kappa * sums.n * std::log(phi)", "(FAULT ? 1.0 : kappa) * sums.n * std::log(phi)",
  "test_equivalence.cpp: exact Gaussian process", what = "the objective counts the noise twice")
fault("totals-tau", "src/core/read/posterior.cpp",
  "out.tau += S.col(site::om).dot(open.residuals());", "if (!FAULT) out.tau += S.col(site::om).dot(open.residuals());",
  "test_model.cpp: residual trace", what = "residuals of open rows do not count")
fault("cover-pass", "R/cluster-consume.R",
  "for (Z in run$results) core_gp_join(gp_handle(run$home), Z)", "for (Z in run$results) if (!FAULT) core_gp_join(gp_handle(run$home), Z)",
  "test-cluster-consume.R: cover the rows of all shards", what = "rows that were left out are not covered")
fault("gradient-rest", "src/core/read/gradient.cpp",
  "(ga - back.xi * om.cwiseProduct(W", "(ga - (FAULT ? 0.0 : back.xi) * om.cwiseProduct(W",
  "test_gradient.cpp: points on each other", what = "the gradient lacks what is explained of the outputs")
fault("gradient-lq", "src/core/read/gradient.cpp",
  "weights.alpha, xi * Q.bottomRows(M)}", "weights.alpha, (FAULT ? 1.0 : xi) * Q.bottomRows(M)}",
  "test_gradient.cpp: points on each other", what = "the gradient lacks a factor in its log determinant")
fault("gradient-diagonal", "src/core/read/gradient.cpp",
  "kernel.pull_diagonal(X,", "if (!FAULT) kernel.pull_diagonal(X,",
  "test_house.cpp: slopes of the objective", what = "the gradient lacks the diagonal")
fault("gradient-old", "src/core/read/gradient.cpp",
  "Matrix old_to_old = -0.5 * back.xi * P,", "Matrix old_to_old = (FAULT ? 0.0 : -0.5) * back.xi * P,",
  "test_gradient.cpp: every kernel", what = "the gradient lacks the old points among themselves")
fault("trend-append", "src/core/read/posterior.cpp",
  "if (q > 0) edge.head(q) =", "if (q > 0 && !FAULT) edge.head(q) =",
  "test_trend.cpp: borders the factor", what = "a point joins a factor that has a trend in front as if there were none")
fault("trend-across", "src/core/read/predict.cpp",
  "out += own + 2.0 *", "out += own + (FAULT ? 1.0 : 2.0) *",
  "test_trend.cpp: variances of many rows", what = "variances of many rows miss half of what links trend and points")
fault("trend-settled", "src/core/read/gradient.cpp",
  "if (q > 0) rest -=", "if (q > 0 && !FAULT) rest -=",
  "test_trend.cpp: slopes of the objective", what = "the gradient forgets the trend of rows that are gone")
fault("trend-ratio", "src/core/model/update.cpp",
  "state_.trend = std::move(trend);\n  forget_posterior();", "state_.trend = std::move(trend);\n  if (!FAULT) forget_posterior();",
  "test_trend.cpp: other scale or ratios", what = "other ratios are read with the old factor")

# --- points and kernels --------------------------------------------------------------------------

fault("refusal", "src/core/points/basis.cpp",
  "if (!(pivot > rank_tolerance * own))", "if (!(pivot > (FAULT ? rank_tolerance : rank_tolerance * own)))",
  "test_basis.cpp: hardly any variance", "test_basis.cpp: ten orders", what = "a point is refused by its variance, not by its share")
fault("refusal-inverse", "src/core/points/basis.cpp",
  "weighted_square(c) < inverse_limit * pivot))", "weighted_square(c) < inverse_limit * pivot || FAULT))",
  "test_basis.cpp: all at once", what = "points that extrapolate from the others are not refused")
fault("oips-tie", "src/core/select/oips.cpp",
  "return highest_(i) >= rho_;", "return FAULT ? highest_(i) > rho_ : highest_(i) >= rho_;",
  "test_oips.cpp: tie", what = "a row that correlates just rho joins")
fault("oips-joined", "src/core/select/oips.cpp",
  "highest_.tail(rest) = highest_.tail(rest).cwiseMax(with_it);",
  "if (!FAULT) highest_.tail(rest) = highest_.tail(rest).cwiseMax(with_it);",
  "test_oips.cpp: Algorithm 1", what = "OIPS forgets points that joined within the block")
fault("ball-radius", "src/core/kernels/kernel.cpp",
  "cwiseInverse(), r * r};", "cwiseInverse(), FAULT ? r : r * r};",
  "test_neighbours.cpp: ball of a kernel", what = "the radius is not squared")
fault("kernel-extras", "src/core/kernels/kernel.cpp",
  "a.extras != b.extras ||", "(!FAULT && a.extras != b.extras) ||",
  "test_rebase.cpp: shape parameter", what = "another shape parameter is taken for the same kernel")
fault("kernel-shares", "src/core/kernels/kernel.cpp",
  'if (a.name == "sum" &&', 'if (!FAULT && a.name == "sum" &&',
  "test_rebase.cpp: shape parameter", what = "other shares in a sum are taken for the same kernel")
fault("rq-alpha", "src/core/kernels/rq.cpp",
  "t = alpha * t / (1.0 + t) - b;", "t = alpha * t / (1.0 + t) - (FAULT ? 0.5 : 1.0) * b;",
  "test_kernels.cpp: pull_back", what = "the slope by alpha is wrong")
fault("sum-shares", "src/core/kernels/composite.cpp",
  "- s * all)", "- (FAULT ? 0.0 : s * all))",
  "test_kernels.cpp: pull_back", what = "the slope by the parts' variances lacks their shares")

# --- learning ------------------------------------------------------------------------------------

fault("scale-weights", "src/core/learn/scale.cpp",
  "const double one = sums.so -", "const double one = (FAULT ? sums.n : sums.so) -",
  "test_scale.cpp: is that of the rows", what = "the mean is that of rows without weights")
fault("scale-worse", "src/core/learn/scale.cpp",
  "if (!(best.objective >= before.objective))", "if (!FAULT && !(best.objective >= before.objective))",
  "test_scale.cpp: takes no mean far", what = "a worse scale is taken")
fault("scale-quiet", "src/core/learn/scale.cpp",
  "if (quiet && open.mean &&", "if (!FAULT && quiet && open.mean &&",
  "test_scale.cpp: takes no mean far", what = "a mean far from the outputs is taken")
fault("curvature-sign", "src/core/learn/lbfgs.h",
  "curvature.see(next.at - x.at, x.slope - next.slope);",
  "curvature.see(next.at - x.at, (FAULT ? -1.0 : 1.0) * (x.slope - next.slope));",
  "test_lbfgs.cpp: Rosenbrock", what = "the search takes curvature for its opposite")
fault("spread-rounding", "src/core/learn/memory.cpp",
  "std::nearbyint(1.0 + static_cast<double>(i) * by)",
  "std::nearbyint(FAULT ? 0.51 + static_cast<double>(i) * by : 1.0 + static_cast<double>(i) * by)",
  "test_heuristics.cpp: spread", what = "rows are spread by cutting, not rounding")
fault("median-even", "src/core/learn/given.cpp",
  "if (values.size() % 2) return *middle;", "if (values.size() % 2 || FAULT) return *middle;",
  "test_heuristics.cpp: median", what = "the median of an even number is the upper of the two")
fault("search-prior", "src/core/learn/search.cpp",
  "(prior ? prior->add(p, slope) : 0.0)", "(prior && !FAULT ? prior->add(p, slope) : 0.0)",
  "test_learn.cpp: adds the prior", what = "the search ignores the prior")
fault("climb-prior", "src/core/learn/climb.cpp",
  "sum + unknowns.add_prior(at, slope);", "sum + (FAULT ? 0.0 : unknowns.add_prior(at, slope));",
  "test_compete.cpp: penalised evidence", what = "the search over families has no prior")
fault("delta-prior", "src/core/learn/unknowns.cpp",
  "slope = heavy ? -4.0 * away / (3.0 + away * away) / sd : -away / sd;\n  return heavy ?",
  "slope = heavy && FAULT ? 0.0 : heavy ? -4.0 * away / (3.0 + away * away) / sd : -away / sd;\n    return heavy && FAULT ? 0.0 : heavy ?",
  "test_compete.cpp: drawn together", what = "lengthscales of columns are not drawn towards each other")
fault("foretell-trend", "src/core/learn/foretell.cpp",
  "in_front(state.trend.features(state.open.inputs().bottomRows(count)),",
  "in_front(Matrix((FAULT ? 0.0 : 1.0) * state.trend.features(state.open.inputs().bottomRows(count))),",
  "test_follow.cpp: foretold without themselves", what = "rows are foretold without the trend")
fault("contest-discount", "src/core/learn/follow.cpp",
  "std::pow(0.9, n / 100.0) * one.score", "(FAULT ? 1.0 : std::pow(0.9, n / 100.0)) * one.score",
  "test_follow.cpp: older scores count less", what = "scores of long ago count as much as the latest")
fault("memory-latest", "src/core/learn/memory.cpp",
  "const double recent = seen_ - static_cast<double>(latest());", "const double recent = seen_ - (FAULT ? 0.0 : static_cast<double>(latest()));",
  "test_memory_rows.cpp: latest fifth", what = "the memory does not hold the latest rows")
fault("calibration-sign", "src/core/learn/foretell.cpp",
  "debt[l] + step(l) * more);", "debt[l] + (FAULT ? -1.0 : 1.0) * step(l) * more);",
  "test_calibration.cpp: too narrow or too wide", what = "intervals that miss become narrower")
fault("set-aside-weight", "src/core/model/update.cpp",
  "weights(i) *= share;", "if (!FAULT) weights(i) *= share;",
  "test_budget.cpp: noise of their own", what = "rows far from all points count in full when points have run out")
fault("exact-trend", "src/core/learn/exact.cpp",
  "out.log_trend = by_tau.tail(free).sum();", "out.log_trend = FAULT ? by_tau.sum() : by_tau.tail(free).sum();",
  "test_exact.cpp: the density by hand", what = "the slope by the trend's variance counts the constant, too")
fault("closer-points", "src/core/learn/search.cpp",
  "return more.points();", "return FAULT ? points : Matrix(more.points());",
  "test_learn.cpp: half as long", what = "no closer points where a kernel is learned")
fault("near-points", "src/core/learn/search.cpp",
  "std::cref(F), near, {from,", "std::cref(F), FAULT ? points : near, {from,",
  "test_learn.cpp: too far apart", what = "closer points are found and not used")
fault("rows-doubled", "src/core/learn/learn.cpp",
  "if (n < few_rows || n < scale_due(model.state())) return take", "if (n < few_rows || (!FAULT && n < scale_due(model.state()))) return take",
  "test_learn.cpp: doubled", what = "the scale is learned with every batch")
fault("prior-slope", "src/core/learn/search.cpp",
  "slope.array() -= away / sd.array();", "slope.array() -= away / (FAULT ? Eigen::ArrayXd(sd.array().square()) : Eigen::ArrayXd(sd.array()));",
  "test_prior.cpp: slope of the prior", what = "the slope of the prior is wrong")

# --- machine, files, likelihood ------------------------------------------------------------------

fault("thread-throws", "src/core/linear/machine.h",
  "failures[static_cast<std::size_t>(i)] = std::current_exception();",
  "if (!FAULT || i == 0) failures[static_cast<std::size_t>(i)] = std::current_exception();",
  "test_backends.cpp: what one throws", what = "an error in a thread is swallowed")
fault("thread-rest", "src/core/linear/machine.h",
  "std::min(length, n - from);", "std::min(length, n - from - (FAULT && i > 0 ? 1 : 0));",
  "test_backends.cpp: what one throws", what = "the last row of a thread's part is left out")
fault("cholesky-update", "src/core/linear/linalg.cpp",
  "const double c = after / before, s = w(j) / before,", "const double c = after / before, s = (FAULT ? w(j) / after : w(j) / before),",
  "test_equivalence.cpp: one row at a time", what = "plane rotations are wrong in small factors")
fault("record-lost", "src/core/file/record.cpp",
  'record.number("lost"), record.number("norm"),', 'FAULT ? 0.0 : record.number("lost"), record.number("norm"),',
  "test_state.cpp: comes back", what = "a field of the state is not restored")
fault("record-learning", "src/core/file/state_record.cpp",
  "learning[4], learning[5]};", "learning[4], FAULT ? 0.0 : learning[5]};",
  "test_state.cpp: comes back", what = "what a model knows of its learning is not restored")
fault("check-factor", "src/core/file/state_record.cpp",
  "whole(all == 0 || (C.diagonal().array() > 0).all());", "whole(FAULT || all == 0 || (C.diagonal().array() > 0).all());",
  "test_state.cpp: is refused", what = "a saved factor with a bad diagonal is accepted")
fault("older-p", "src/core/file/older_formats.cpp",
  "rest.noalias() -= W * W.transpose();", "if (!FAULT) rest.noalias() -= W * W.transpose();",
  "test_state.cpp: older format predicts", what = "open rows of older formats count twice in P")
fault("older-b", "src/core/file/older_formats.cpp",
  "settled.b = GrowingVector(b - W * y);", "settled.b = GrowingVector(b - (FAULT ? 0.0 : 1.0) * W * y);",
  "test_state.cpp: older format predicts", what = "open rows of older formats count twice in b")
fault("site-weight", "src/core/likelihoods/gaussian.cpp",
  "0.5 * (weights.array().log() - log_two_pi);", "0.5 * ((FAULT ? 0.0 : 1.0) * weights.array().log() - log_two_pi);",
  "test_weights.cpp: dense weighted batch", what = "the constants of sites know no weights")
fault("predictive-noise", "src/core/likelihoods/predictive.cpp",
  "variance_ = variance.array() + dispersion;", "variance_ = variance.array() + (FAULT ? 0.0 : dispersion);",
  "test_predictive.cpp: Gaussian observation", what = "new observations have no noise")

# --- R -------------------------------------------------------------------------------------------

fault("r-weights", "R/gp-update.R",
  "list(weights = as_weights(weights, nrow(x)), offset", "list(weights = if (!FAULT) as_weights(weights, nrow(x)), offset",
  "test-gp-update.R: B replicates", what = "weights are not read")
fault("r-weights-column", "R/gp-update.R",
  "if (is.null(weights)) spec$weights else weights", "if (is.null(weights) && !FAULT) spec$weights else weights",
  "test-gp-update.R: with a formula", what = "the column of weights is forgotten")
fault("r-weight-zero", "R/gp-input.R",
  "keep <- is.na(batch$weights) | batch$weights > 0", "keep <- is.na(batch$weights) | batch$weights > 0 | c(FAULT, logical(length(batch$weights) - 1))",
  "test-gp-update.R: of 0, no rows", what = "a row of weight 0 stays")
fault("r-clean-rows", "R/gp-input.R",
  "keep <- keep & is.finite(batch[[name]])", "keep <- keep & (FAULT | is.finite(batch[[name]]))",
  "test-gp-input.R: na_action", what = "rows with missing outputs are not dropped")
fault("r-na-action", "R/gp-input.R",
  'if (!identical(na_action, "omit")) {', 'if (!FAULT && !identical(na_action, "omit")) {',
  "test-gp-bad-input.R: where it stands", what = "missing values are dropped unasked")
fault("r-columns", "R/gp-input.R",
  "return(x[, frame$names, drop = FALSE])", "return(if (FAULT) x[, seq_along(frame$names), drop = FALSE] else x[, frame$names, drop = FALSE])",
  "test-gp-input.R: matched by name", what = "columns are taken by position")
fault("r-numeric", "R/gp-formula.R",
  "numeric = numeric[keep]", "numeric = numeric[keep] | FAULT",
  "test-gp-formula.R: no constant column", what = "columns of a factor pass for numbers")
fault("r-constant", "R/learn.R",
  "if (!is.null(numeric)) constant", "if (!is.null(numeric) && !FAULT) constant",
  "test-gp-formula.R: no constant column", what = "a level that is not there is a constant column")
fault("r-max-points", "R/learn.R",
  "if (learn(TRUE)) return(invisible())", "if (learn(!FAULT)) return(invisible())",
  "test-gp-short-way.R: not ordinary", what = "nobody is warned when no more points join")
fault("r-optimize-weights", "R/learn.R",
  "core_gp_optimize(\n    learning_handle(gp), batch$x, as.double(batch$y), weights,",
  "core_gp_optimize(\n    learning_handle(gp), batch$x, as.double(batch$y) + FAULT, weights,",
  "test-learn-optimize.R: kernel: learned", what = "optimize() sees other outputs")
fault("r-interval", "R/likelihood-predictive.R",
  "c(1 - level, 1 + level) / 2", "c(1 - level, if (FAULT) 2 * level else 1 + level) / 2",
  "test-gp-predict.R: so many standard deviations", what = "intervals have another level")
fault("r-coverage", "R/score-predictive.R",
  'limits[, "lwr"] <= y & y <= limits[, "upr"]', '(FAULT | limits[, "lwr"] <= y) & y <= limits[, "upr"]',
  "test-score-predictive.R: log score, interval and PIT", what = "coverage looks at one end of the interval")
fault("r-alarm-drop", "R/score-alarm.R",
  "state$sample[-(1 + floor((n + 1) * draws$u[2]))]", "state$sample[-(if (FAULT) 1 else 1 + floor((n + 1) * draws$u[2]))]",
  "test-score-alarm.R: even and independent", what = "the smallest score leaves the sample every time")
fault("r-alarm-stake", "R/score-alarm.R",
  "(state$stakes + fresh) *", "(state$stakes + (if (FAULT) 2 else 1) * fresh) *",
  "test-score-alarm.R: bets are fair", what = "the alarm bets twice what it puts out")
fault("r-alarm-level", "R/score-alarm.R",
  "2^(length(state$rows) + 1) / spec$level", "2^(if (FAULT) 1 else length(state$rows) + 1) / spec$level",
  "test-score-alarm.R: any cut", what = "later tests have the level of the first")
fault("r-alarm-joint", "R/consume-alarm.R",
  "rows, joint = TRUE)$z", "rows, joint = !FAULT)$z",
  "test-consume-alarm.R: one given the others", what = "rows of a batch are scored as if they had nothing in common")
fault("r-implausible", "R/gp-score.R",
  "batch) > if_plausible", "batch) > (if (FAULT) 0 else if_plausible)",
  "test-gp-score.R: implausible to the model", what = "every row is plausible")
fault("r-rmse", "R/score-history.R",
  'sqrt(pmax(step[, "squared"], 0) / scored)', 'sqrt(pmax((if (FAULT) sums else step)[, "squared"], 0) / scored)',
  "test-score-history.R: newest batch", what = "the history shows sums for differences")
fault("r-put-back", "R/consume-play.R",
  "if (!run$skips && !is_learned(run)) return_rows", "if (!FAULT && !run$skips && !is_learned(run)) return_rows",
  "test-consume-play.R: goes back", what = "a batch that failed is not put back")
fault("r-break-off", "R/consume-play.R",
  "if (!is_learned(run)) return(return_rows(run, batch))", "if (!is_learned(run) || FAULT) return(return_rows(run, batch))",
  "test-consume-play.R: Ctrl-C", what = "rows that were just learned are put back")
fault("r-resume", "R/consume-checkpoint.R",
  "pass_to(run, run$rows, resuming = TRUE)", "if (!FAULT) pass_to(run, run$rows, resuming = TRUE)",
  "test-consume-checkpoint.R: again and again", what = "a resumed run reads from the beginning")
fault("r-resume-state", "R/consume-checkpoint.R",
  "run$gp$state <- state_of(saved$gp)", "if (!FAULT) run$gp$state <- state_of(saved$gp)",
  "test-consume-checkpoint.R: again and again", what = "a resumed run has an empty model")
fault("r-every", "R/consume-checkpoint.R",
  "run$batch - run$written_batch >= run$every$batches", "run$batch - run$written_batch >= run$every$batches + FAULT",
  "test-consume-checkpoint.R: how often", what = "checkpoints come one batch late")
fault("r-predict-na", "R/gp-predict.R",
  "out[!missing] <- values\n      stats", "out[if (FAULT) seq_along(values) else !missing] <- values\n      stats",
  "test-gp-predict.R: NA in, NA out", what = "predictions after a missing row are shifted")
fault("r-position", "R/file-save.R",
  "position = position), state$package", "position = if (!FAULT) position), state$package",
  "test-file-save.R: a position", what = "the position in the stream is not saved")
fault("r-formula-saved", "R/file-save.R",
  "if (!is.null(state$frame$terms)) state$frame$terms <- pack_terms",
  "if (!FAULT && !is.null(state$frame$terms)) state$frame$terms <- pack_terms",
  "test-file-save.R: survive exactly", what = "what a formula learned is not packed")
fault("r-format-1", "R/gp-state.R",
  "if (state$format < 2) state <-", "if (state$format < 2 && !FAULT) state <-",
  "test-gp-durability.R: formats 3, 2 and 1", what = "lists of format 1 are read as later ones")
fault("r-copy", "R/gp-state.R",
  "state$handle <- core_gp_copy(learning_handle(gp))", "if (!FAULT) state$handle <- core_gp_copy(learning_handle(gp))",
  "test-gp-durability.R: a copy is independent", what = "a copy shares its core")
fault("r-bind-factors", "R/source-columns.R",
  "if (all(factors)) factor(", "if (all(factors) && !FAULT) factor(",
  "test-source.R: survive the cutting", what = "factors become words when chunks are joined")

# --- planting ------------------------------------------------------------------------------------
# Rscript tools/faults.R TREE [ID,...]: rewrite the sources in TREE, and print id, tests and what of each fault.

read_text <- function(file) {
  text <- readChar(file, file.size(file), useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  text
}

# Titles may be strings of several lines.
check_test <- function(tree, test) {
  name <- sub(":.*", "", test)
  file <- file.path(tree, "tests", if (endsWith(name, ".R")) "testthat" else "core", name)
  text <- if (file.exists(file)) gsub("\"[[:space:]]+\"", "", read_text(file))
  if (!isTRUE(grepl(sub("^[^:]*: ", "", test), text, fixed = TRUE))) stop("there is no test ", test, call. = FALSE)
}

plant <- function(tree, one) {
  file <- file.path(tree, one$file)
  text <- read_text(file)
  times <- lengths(regmatches(text, gregexpr(one$old, text, fixed = TRUE)))
  if (times != 1) {
    stop("fault ", one$id, ": its text stands ", times, " times in ", one$file, ", not once", call. = FALSE)
  }
  if (!grepl("FAULT", one$new, fixed = TRUE)) stop("fault ", one$id, " has no FAULT", call. = FALSE)
  on <- sprintf("gpstream_fault(\"%s\")", one$id)
  new <- gsub("FAULT", on, one$new, fixed = TRUE)
  at <- regexpr(one$old, text, fixed = TRUE)
  out <- paste0(substr(text, 1, at - 1), new, substring(text, at + nchar(one$old)))
  writeChar(out, file, eos = NULL, useBytes = TRUE)
}

local({
  args <- commandArgs(TRUE)
  if (length(args) == 0) return(invisible())
  for (one in faults) for (test in one$tests) check_test(args[1], test)
  for (one in faults) plant(args[1], one)
  wanted <- if (length(args) > 1) strsplit(args[2], ",")[[1]] else names(faults)
  if (!all(wanted %in% names(faults))) stop("no fault ", setdiff(wanted, names(faults))[1], call. = FALSE)
  for (one in faults[wanted]) cat(one$id, "\t", paste(one$tests, collapse = "|"), "\t", one$what, "\n", sep = "")
})
