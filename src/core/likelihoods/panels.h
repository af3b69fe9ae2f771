// Integrals of smooth functions over an interval, by the rule of Gauss and Legendre with five nodes on panels
// of at most a width; and with it the part of a CRPS that is the integral of a squared tail over log y, and
// sums of smooth terms over many whole numbers.
#ifndef GPSTREAM_PANELS_H
#define GPSTREAM_PANELS_H

#include <algorithm>
#include <cmath>

namespace gpstream {

template <class Function>
double panels(double from, double to, double most, const Function& fn) {
  if (!(to > from)) return 0.0;
  constexpr double node[] = {0.0, 0.53846931010568309, 0.90617984593866399};
  constexpr double weight[] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  const double count = std::min(std::ceil((to - from) / most), 2000.0), half = 0.5 * (to - from) / count;
  double sum = 0.0;
  for (int j = 0; j < count; ++j) {
    const double middle = from + (2 * j + 1) * half;
    sum += weight[0] * fn(middle);
    for (int k = 1; k < 3; ++k)
      sum += weight[k] * (fn(middle - half * node[k]) + fn(middle + half * node[k]));
  }
  return half * sum;
}

// The integral of tail(log y)^2 over y, from e^from to e^to. The root of dy goes to each factor: the tail may
// be as small as e^to is large.
template <class Tail>
double squared_tail(double from, double to, double most, const Tail& tail) {
  return panels(from, to, most, [&](double x) {
    const double quarter = std::exp(0.25 * x), root = tail(x) * quarter * quarter;
    return root * root;
  });
}

// The sum of term(k), k = first, ..., last, whole numbers: the first ones one by one, then by the formula of
// Euler and Maclaurin as an integral over log k, on panels of at most `width`. Terms vary over sqrt(k) at
// least.
template <class Term>
double sum_of_terms(double first, double last, double width, const Term& term) {
  constexpr double many = 128.0;
  double sum = 0.0, k = first;
  for (; k <= last && (k < many || last - first <= many); ++k) sum += term(k);
  if (k > last) return sum;
  const auto slope = [&](double at) { return 0.5 * (term(at + 1.0) - term(at - 1.0)); };
  sum += 0.5 * (term(k) + term(last)) + (slope(last) - slope(k)) / 12.0;
  return sum + panels(std::log(k), std::log(last), width,
                      [&](double x) { return term(std::exp(x)) * std::exp(x); });
}

}  // namespace gpstream

#endif
