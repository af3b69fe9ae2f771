// Theory that can be run: fenced off, nothing of the model needs it.
#ifndef GPSTREAM_THEORY_H
#define GPSTREAM_THEORY_H

#include "lanczos.h"          // the largest eigenvalue, from products alone
#include "nystrom.h"          // how far W'W is from k1(X, X)
#include "kernel_spectrum.h"  // eigenvalues of the kernel matrix of many rows
#include "dpp.h"              // draws from a determinantal point process

#endif
