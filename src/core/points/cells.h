// Points in cells with the side of the ball, in up to 3 columns: whatever is within the ball about a row is
// in its own cell or one of those around it. A hash table has the points of each cell; what else lands in the
// same place costs a look.
#ifndef GPSTREAM_CELLS_H
#define GPSTREAM_CELLS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"

namespace gpstream {

class Cells {
 public:
  Cells(const Ball& ball, const ConstMatrixView& Z);

  // Is any point within the ball about row i of X? Empty so far out that rounding could put a neighbour two
  // cells away. Of the two cells next to the row's own along an axis one is nearer: those come first. The
  // choice of them takes no branch, since none could be predicted.
  std::optional<bool> near(const ConstMatrixView& X, Index i) const;

  // The last row of Z has joined.
  void joined(const ConstMatrixView& Z);

 private:
  struct Point {
    double at[3];
    Index next;  // in the same place
  };
  using Around = std::array<unsigned char, 3>;
  static constexpr Index none = -1;
  static constexpr double outermost = 1e9;  // cell of a row

  bool any_in(std::size_t where, const double* x) const;

  bool cell(double x, Index d, double limit, std::int64_t& own) const;

  static std::uint64_t mix(std::int64_t cell, Index d);
  std::size_t place(std::uint64_t h) const;

  // Own (0), nearer (1) or farther (2) along each axis: the fewer farther ones the earlier, then the fewer
  // nearer ones.
  void list_around();

  void fill(const ConstMatrixView& Z);

  // A point too far out for a cell is in none: rows near it are too far out, too.
  void put(const ConstMatrixView& Z, Index j);

  Index D_;
  double r2_, inverse_[3], per_cell_[3];
  std::vector<Around> around_;
  std::vector<Index> heads_;
  std::vector<Point> points_;
};

}  // namespace gpstream

#endif
