// Merge: the evidence of other rows under the same points and kernel is added.  [derivation 2]
#ifndef GPSTREAM_MERGE_H
#define GPSTREAM_MERGE_H

#include "evidence.h"

namespace gpstream {

inline void merge(const Evidence& other, Evidence& into) {
  into.P.view().triangularView<Eigen::Lower>() += other.P.view();
  into.H.view() += other.H.view();
  into.b.view() += other.b.view();
  into.Phi += other.Phi;
  into.s += other.s;
  into.n += other.n;
  into.con += other.con;
  into.yy += other.yy;
  into.tau.view() += other.tau.view();
  into.carried.tau += other.carried.tau;
  into.carried.lost += other.carried.lost;
  into.carried.norm += other.carried.norm;  // the rows are not the same
  into.carried.foreign += other.carried.foreign;
}

}  // namespace gpstream

#endif
