// The trend in front. Where coefficients of the trend are integrated out, their functions are the first
// entries of every feature, and whatever is written for w, P and b holds for  [derivation 2]
//   w~ = (S't; w)      P~ = [S'Phi S, S'H'; H S, P]      b~ = (S's; b)
// S being the columns of diag(sqrt(ratio)) that are not 0. First, because points that join come last. Where
// all coefficients are known these are w, P and b themselves.
#ifndef GPSTREAM_IN_FRONT_H
#define GPSTREAM_IN_FRONT_H

#include "../evidence/trend.h"
#include "../linear/types.h"

namespace gpstream {

// Features or columns of them; `front` has as many columns as `rest`.
Matrix in_front(const ConstMatrixView& front, Matrix rest);

// b and s, measured from what is known of the trend.
Vector in_front(const Trend& trend, const Vector& s, Vector b);

// The lower triangle, that of P being in its place.
void put_in_front(const Trend& trend, const Matrix& Phi, const Matrix& H, MatrixView P);

Matrix in_front(const Trend& trend, const Matrix& Phi, const Matrix& H, Matrix P);

}  // namespace gpstream

#endif
