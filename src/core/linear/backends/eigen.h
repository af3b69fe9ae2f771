// Eigen's own kernels: always there, and never slow.
#ifndef GPSTREAM_BACKENDS_EIGEN_H
#define GPSTREAM_BACKENDS_EIGEN_H

#include "backend.h"

namespace gpstream {

Backend eigen_backend();

}  // namespace gpstream

#endif
