// Rcpp and Eigen for what converts, without Rcpp's sugar and modules: they are not used, and take half of the
// time.
#ifndef GPSTREAM_RCPP_H
#define GPSTREAM_RCPP_H

#define RCPP_NO_SUGAR
#define RCPP_NO_MODULES
#include <RcppEigen.h>

#endif
