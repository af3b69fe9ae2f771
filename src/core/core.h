// The core of gpstream, in reading order. Header-only C++17 on Eigen; it knows nothing of R.
#ifndef GPSTREAM_CORE_H
#define GPSTREAM_CORE_H

#include "linear/types.h"            // matrices, views
#include "linear/require.h"          // checks that throw
#include "linear/machine.h"          // threads, and what the embedding program wants
#include "linear/backends.h"         // linear algebra back ends; one file each in backends/
#include "linear/linalg.h"           // triangular solves, Cholesky
#include "linear/growing.h"          // storage that grows without copies
#include "linear/vector/each.h"      // functions of several numbers at once; vector/lanes.h has how
#include "kernels/kernel.h"          // k(x, z) = v k1(x, z)
#include "kernels/stationary.h"      // k1 as a function of the distance
#include "kernels/kernels.h"         // registry; one file each in kernels/
#include "points/basis.h"            // Z and its factor L; features w = L^-1 k1(Z, x)
#include "points/pivoted.h"          // the same, the most different points first
#include "theory/lanczos.h"          // the largest eigenvalue, from products alone
#include "theory/nystrom.h"          // how far W'W is from k1(X, X)
#include "points/cells.h"            // points by where they are
#include "points/neighbours.h"       // is a row near a point?
#include "select/selector.h"         // which rows become inducing points
#include "select/selectors.h"        // registry; selectors/oips.h is [GFO21 Algorithm 1]
#include "select/point_set.h"        // a selector on its own
#include "theory/kernel_spectrum.h"  // eigenvalues of the kernel matrix of many rows
#include "theory/dpp.h"              // draws from a determinantal point process
#include "evidence/evidence.h"       // what the data said: sums over rows of w w', w y, ...
#include "evidence/window.h"         // the look-back window
#include "evidence/join.h"           // a point joins
#include "evidence/absorb.h"         // a batch is absorbed
#include "evidence/rebase.h"         // other points, another kernel
#include "read/posterior.h"          // prior times evidence
#include "read/variance.h"           // one factor for the variance of many rows
#include "read/objective.h"          // the objective F
#include "model/streaming_gp.h"      // the model
#include "model/update.h"            // update = select, join, absorb
#include "read/streaming_bound.h"    // L_t and its four terms
#include "read/gradient.h"           // F elsewhere, and its gradient
#include "read/levels.h"             // what a certificate needs
#include "read/predict.h"            // mean, variance, covariance
#include "file/plain_value.h"        // plain values as bytes
#include "file/model_file.h"         // a file of them, with a checksum

#endif
