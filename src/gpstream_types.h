// Rcpp and Eigen for the glue, without Rcpp's sugar and modules, which take half of the compile time. Rcpp
// includes a file of this name in RcppExports.cpp.
#ifndef GPSTREAM_TYPES_OF_R_H
#define GPSTREAM_TYPES_OF_R_H

#define RCPP_NO_SUGAR
#define RCPP_NO_MODULES
#include <RcppEigen.h>

#endif
