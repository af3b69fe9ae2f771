// The core of gpstream, in reading order. C++17 on Eigen; it knows nothing of R. Each header declares what
// the unit of its name, or the unit of its group, defines. No unit includes this file; the tests do.
#ifndef GPSTREAM_CORE_H
#define GPSTREAM_CORE_H

#include "linear/types.h"        // matrices, views
#include "linear/require.h"      // checks that throw
#include "linear/machine.h"      // threads, and what the embedding program wants
#include "linear/backends.h"     // linear algebra back ends; one file each in backends/
#include "linear/linalg.h"       // triangular solves, Cholesky
#include "linear/reflections.h"  // a factor that has lost rows is triangular again
#include "linear/growing.h"      // storage that grows without copies
#include "linear/vector/each.h"  // functions of several numbers at once; vector/lanes.h has how

#include "kernels/kernel.h"      // k(x, z) = v k1(x, z)
#include "kernels/stationary.h"  // k1 as a function of the distance
#include "kernels/leaf.h"        // kernels that are not made of others
#include "kernels/kernels.h"     // registry; one file each

#include "points/basis.h"       // Z and its factor L; features w = L^-1 k1(Z, x)
#include "points/pivoted.h"     // the same, the most different points first
#include "points/cells.h"       // points by where they are
#include "points/neighbours.h"  // is a row near a point?

#include "select/selector.h"   // which rows become inducing points
#include "select/selectors.h"  // registry; oips.h is [GFO21 Algorithm 1]
#include "select/point_set.h"  // a selector on its own

#include "likelihoods/predictive.h"   // what a new observation may be; normal.h
#include "likelihoods/responses.h"    // what was observed
#include "likelihoods/likelihood.h"   // how an observation comes from f: its site
#include "likelihoods/likelihoods.h"  // registry; one file each

#include "evidence/site.h"      // what one row says
#include "evidence/trend.h"     // the functions the prior mean is made of
#include "evidence/evidence.h"  // what the settled rows said: sums over their sites
#include "evidence/apart.h"     // rows that no point explains
#include "evidence/window.h"    // the open rows: those of the look-back
#include "evidence/fading.h"    // what a row counts after a while
#include "evidence/join.h"      // a point joins
#include "evidence/settle.h"    // rows leave the look-back
#include "evidence/bank.h"      // the same under other half-lives
#include "evidence/absorb.h"    // a batch is absorbed
#include "evidence/refresh.h"   // sites that depend on the posterior agree with it
#include "evidence/project.h"   // to other points, another kernel
#include "evidence/remove.h"    // a point leaves
#include "evidence/merge.h"     // evidence of other rows is added
#include "evidence/forget.h"    // old rows count less
#include "evidence/shift.h"     // y from another offset, the trend in other units
#include "evidence/unlearn.h"   // settled rows are taken out

#include "read/scale.h"      // amplitude, dispersion, trend: chosen at read-out
#include "read/in_front.h"   // the trend, where it is integrated out, as the first features
#include "read/totals.h"     // settled and open rows together
#include "read/posterior.h"  // prior times evidence
#include "read/spare.h"      // points that can leave
#include "read/variance.h"   // one factor for the variance of many rows
#include "read/objective.h"  // the objective F

#include "model/history.h"       // how the model grew, and how well it foretold
#include "model/traces.h"        // how a settled row is found again
#include "model/state.h"         // all that a model knows, a plain value
#include "model/half_lives.h"    // one of several half-lives is its own
#include "model/streaming_gp.h"  // the model: a state, and what is derived from it
#include "model/transaction.h"   // what an update changes, and how that is undone
#include "model/refresh.h"       // sites of a batch, and of the open rows with them
#include "model/outputs.h"       // one of several outputs alone
#include "model/shard.h"         // an empty twin, to be updated elsewhere
#include "model/merge.h"         // models of different rows become one
#include "model/message.h"       // sums over rows, without the rows
#include "model/unlearn.h"       // rows are taken out again

#include "read/predict.h"          // mean, variance, covariance
#include "read/coefficients.h"     // of the trend
#include "read/components.h"       // the parts that add up to f
#include "read/derivative.h"       // its slope along a column
#include "read/streaming_bound.h"  // L_t and its four terms
#include "read/adjoint.h"          // F and its gradient in pieces that add up over rows
#include "read/gradient.h"         // F elsewhere, and its gradient
#include "read/shared.h"           // the same of rows that are elsewhere
#include "read/levels.h"           // what a certificate needs

#include "learn/wishes.h"       // what was given, what is left open; given.h, heuristics.h
#include "learn/lbfgs.h"        // the highest value of a smooth function in a box
#include "learn/search.h"       // for kernel and noise, for points; prior.h
#include "learn/exact.h"        // the exact evidence of a few hundred rows
#include "learn/compete.h"      // families of kernels compete by it; families.h, unknowns.h, beliefs.h
#include "learn/golden.h"       // the highest place of a function of one number
#include "learn/scale.h"        // amplitude, noise and mean from the evidence alone
#include "learn/change.h"       // what learning does to a model
#include "learn/by_sites.h"     // learning where sites depend on the posterior
#include "learn/warmup.h"       // the start of one that learns once
#include "learn/memory.h"       // rows kept to learn from
#include "learn/calibration.h"  // are the intervals as wide as they should be?
#include "learn/foretell.h"     // the newest rows, as they would have been foretold
#include "learn/half_life.h"    // by which half-life?
#include "learn/glance.h"       // are they odd at all?
#include "learn/contest.h"      // models that compete; learner.h is what is kept of them
#include "learn/own_noise.h"    // the noise from all rows that a model holds
#include "learn/relearn.h"      // a kernel learned anew, and the model that comes of it
#include "learn/follow.h"       // a stream followed
#include "learn/learn.h"        // the one way in for rows
#include "learn/fit.h"          // rows in shards

#include "file/record.h"         // named plain values
#include "file/state_record.h"   // a state as such, and back
#include "file/older_formats.h"  // of earlier versions
#include "file/plain_value.h"    // plain values as bytes
#include "file/model_file.h"     // a file of them, with a checksum

#endif
