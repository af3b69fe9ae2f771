// How a function bends, from the last few steps of a search: the limited-memory BFGS model of the negative
// Hessian in its compact form,  [Byrd, Nocedal, Schnabel 1994, theorem 2.3]
//   B = theta I - W N^-1 W',   W = [Y  theta S],   N = [-D  L'; L  theta S'S]
// with the steps S, the falls of the slope Y, D and L the diagonal and what is below it of S'Y. The compact
// form restricts to some of the parameters exactly, which the usual two loops do not: the others are at
// bounds.
#ifndef GPSTREAM_LEARN_CURVATURE_H
#define GPSTREAM_LEARN_CURVATURE_H

#include <vector>

#include "../linear/types.h"

namespace gpstream {

class Curvature {
 public:
  Curvature(Index parameters, int memory) : S_(parameters, 0), Y_(parameters, 0), memory_(memory) {}

  bool empty() const { return S_.cols() == 0; }
  void forget() { *this = Curvature(S_.rows(), memory_); }

  // A step s, along which the slope fell by y. Where it rose there is no such model: the pair is left out.
  void see(const Vector& s, const Vector& y);

  // The way to the model's top over the parameters in `free`, the others held; the slope itself before any
  // step was seen.
  Vector step(const Vector& slope, const std::vector<Index>& free) const;

 private:
  void push(Matrix& past, const Vector& last) const;

  Matrix S_, Y_, N_;
  double theta_ = 1;
  int memory_;
};

}  // namespace gpstream

#endif
