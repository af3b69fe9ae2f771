// Selector: which rows of the stream become inducing points. A selector is an immutable rule; the points it
// has chosen live in whoever asks (a model, or a bare set of points), behind `Points`.
#ifndef GPSTREAM_SELECTOR_H
#define GPSTREAM_SELECTOR_H

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../kernels/kernel.h"
#include "../linear/types.h"

namespace gpstream {

struct SelectorSpec {
  std::string name;
  std::map<std::string, double> numbers;
  Matrix points;  // of `fixed`
  std::map<std::string, std::string> words = {};
  bool optimize_points = false;  // whoever drives the model moves the points once they are chosen
};

// The rows to select from; y (measured from the mean; empty when it is not known), amplitude and noise for
// the selectors that ask.
struct Batch {
  ConstMatrixView X;
  ConstVectorView y;
  double v, s2;
};

struct Basis;

class Points {
 public:
  virtual ~Points() = default;
  virtual const Kernel& kernel() const = 0;
  virtual ConstMatrixView points() const = 0;

  // Points and factor, where the factor is kept.
  virtual const Basis* factored() const { return nullptr; }

  // The rows that came before those being selected from, as far as they are held, the newest last; and how
  // many rows there are in a look-back.
  virtual Matrix held() const { return Matrix(0, points().cols()); }
  virtual Index lookback() const { return std::numeric_limits<Index>::max(); }

  // Are rows absorbed when they have been selected from?
  virtual bool absorbs() const { return false; }

  // The point z (one row) asks to join; it is row `row` of the rows being selected from, or not a row of the
  // stream
  // (-1). False when it is refused.
  virtual bool join(const ConstMatrixView& z, Index row) = 0;

  // This row of those being selected from should have joined, but the selector's limit is reached.
  virtual void turn_away(Index row) = 0;

  // Can points leave, so that others may join? And for this row of those being selected from?
  virtual bool can_make_room() const { return false; }
  virtual bool can_make_room_for(Index) const { return false; }

  // This row should have joined, but no point can leave for it.
  virtual void pass_over(Index) {}

  // So much, relative to the amplitude, is left of this row by the points that there were before it, and is
  // to be noise.
  virtual void count_as_noise(Index, double) {}

  // The features of all rows being selected from and what the points leave of them, where a selector has
  // found these out: whoever absorbs the rows need not do so again.
  virtual void saw(const ConstMatrixView&, const Vector&) {}
};

class Selector {
 public:
  explicit Selector(SelectorSpec spec) : spec_(std::move(spec)) {}
  virtual ~Selector() = default;
  const SelectorSpec& spec() const { return spec_; }

  // Before the first row.
  virtual void start(Points&) const {}

  // Points that are to replace all the present ones before the batch is selected from.
  virtual std::optional<Matrix> relocate(const Batch&, const Points&) const { return std::nullopt; }

  // Points of the batch join. The answer is how many rows were looked at: all, unless points have to leave
  // for the next (`full`), or those before it have to be absorbed.
  virtual Index select(const Batch& batch, Points& points, Checkpoint check) const = 0;

  // With so many points, may one have to leave soon? Are there as many as may be?
  virtual bool lets_go(Index) const { return false; }
  virtual bool full(Index) const { return false; }

  // How many rows of a look-back have to lie about a row that joins, itself included. Where that is more than
  // one, rows can leave the look-back that no point covers: those of whose variance points leave more than
  // this share are then set aside. (The kernel's variance v, the noise s2.)
  virtual Index support() const { return 1; }
  virtual double settles_with(double, double) const { return std::numeric_limits<double>::infinity(); }

  // May what is left of a row be noise?
  virtual bool leaves_noise() const { return false; }

 protected:
  double number(const char* name) const;
  // `m`, how many points are wanted.
  double wanted() const;
  const std::string& word(const char* name) const;

 private:
  SelectorSpec spec_;
};

using SelectorPtr = std::shared_ptr<const Selector>;

}  // namespace gpstream

#endif
