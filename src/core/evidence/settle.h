// Settle: rows leave the look-back, and the evidence grows by their sites.  [derivation 2]
#ifndef GPSTREAM_SETTLE_H
#define GPSTREAM_SETTLE_H

#include "evidence.h"
#include "window.h"

namespace gpstream {

// A <- A diag(sqrt(om)), of which A A' = sum om w w'. Unit weights leave every bit as it is.
inline void weigh(MatrixView A, const ConstVectorView& om) {
  for (Index i = 0; i < A.cols(); ++i)
    if (om(i) != 1.0) A.col(i) *= std::sqrt(om(i));
}

// Rows with features A (one a column), residuals r, sites S and trend functions T.
inline void settle(const ConstMatrixView& A, const ConstVectorView& r, const Sites& S, const Matrix& T,
                   Evidence& evidence) {
  if (S.rows() == 0) return;
  const auto om = S.col(site::om), ga = S.col(site::ga);
  if (A.rows() > 0) {
    const bool unit = (om.array() == 1.0).all();
    const Matrix weighed_T = om.asDiagonal() * T;
    Matrix weighed;
    if (!unit) weighed = A, weigh(weighed, om);
    add_outer(evidence.P.view(), unit ? A : ConstMatrixView(weighed));  // the last step that can fail
    evidence.b.view().noalias() += A * ga;
    for (Index j = 0; j < T.cols(); ++j) evidence.H.view().col(j).noalias() += A * weighed_T.col(j);
  }
  evidence.Phi += T.transpose().lazyProduct(om.asDiagonal() * T);
  evidence.s += T.transpose().lazyProduct(ga);
  evidence.n += S.col(site::n).sum();
  evidence.con += S.col(site::c).sum();
  evidence.yy += S.col(site::q).sum();
  evidence.tau.view()(A.rows()) += om.dot(r);
}

}  // namespace gpstream

#endif
