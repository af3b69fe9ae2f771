// The few types every header of the core uses. Rows are observations, always; matrices are column-major as in
// R.
#ifndef GPSTREAM_TYPES_H
#define GPSTREAM_TYPES_H

#include <Eigen/Core>

namespace gpstream {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using RowVector = Eigen::RowVectorXd;

// Views of a matrix, or of a block of one, without a copy.
using ConstMatrixView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using MatrixView = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
using ConstVectorView = Eigen::Ref<const Vector>;
using VectorView = Eigen::Ref<Vector>;

// Called between blocks of a long computation; throws to stop it.
using Checkpoint = void (*)();

}  // namespace gpstream

#endif
