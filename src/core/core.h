// The core of gpstream, in reading order. Header-only C++17 on Eigen; it knows nothing of R.
#ifndef GPSTREAM_CORE_H
#define GPSTREAM_CORE_H

#include "types.h"         // matrices, views
#include "require.h"       // checks that throw
#include "machine.h"       // threads, and what the embedding program wants
#include "backends.h"      // linear algebra back ends; one file each in backends/
#include "linalg.h"        // triangular solves, Cholesky
#include "growing.h"       // storage that grows without copies
#include "vector/each.h"   // functions of several numbers at once; vector/lanes.h has how
#include "kernel.h"        // k(x, z) = v k1(x, z)
#include "stationary.h"    // k1 as a function of the distance
#include "kernels.h"       // registry; one file each in kernels/
#include "basis.h"         // Z and its factor L; features w = L^-1 k1(Z, x)
#include "pivoted.h"       // the same, the most different points first
#include "lanczos.h"       // the largest eigenvalue, from products alone
#include "nystrom.h"       // how far W'W is from k1(X, X)
#include "cells.h"         // points by where they are
#include "neighbours.h"    // is a row near a point?
#include "selector.h"      // which rows become inducing points
#include "selectors.h"     // registry; selectors/oips.h is [GFO21 Algorithm 1]
#include "point_set.h"     // a selector on its own
#include "kernel_spectrum.h" // eigenvalues of the kernel matrix of many rows
#include "dpp.h"           // draws from a determinantal point process
#include "evidence.h"      // what the data said: sums over rows of w w', w y, ...
#include "window.h"        // the look-back window
#include "join.h"          // a point joins
#include "absorb.h"        // a batch is absorbed
#include "rebase.h"        // other points, another kernel
#include "posterior.h"     // prior times evidence
#include "variance.h"      // one factor for the variance of many rows
#include "bound.h"         // the objective F
#include "streaming_gp.h"  // the model
#include "update.h"        // update = select, join, absorb
#include "streaming_bound.h" // L_t and its four terms
#include "gradient.h"      // F elsewhere, and its gradient
#include "levels.h"        // what a certificate needs
#include "predict.h"       // mean, variance, covariance
#include "plain_value.h"   // plain values as bytes
#include "model_file.h"    // a file of them, with a checksum

#endif
