// What was not given is taken from the first batch: the lengthscale is the median distance between its rows
// [GFO21 App. E], the variance that of y.
#ifndef GPSTREAM_LEARN_HEURISTICS_H
#define GPSTREAM_LEARN_HEURISTICS_H

#include <string>
#include <vector>

#include "../linear/types.h"

namespace gpstream {

// Of an even number, the mean of the two in the middle; NaN of none.
double median(std::vector<double> values);
void require_spread(const ConstVectorView& values, const std::string& what);
void require_spread_of_columns(const ConstMatrixView& X);

// The median distance between rows; where most of them coincide, between those that do not; 1 where all do.
double typical_distance(const ConstMatrixView& X);

// One for each column: a distance of one in every scaled column adds up to one in all.
Vector typical_distances(const ConstMatrixView& X);

// K knots: of the distinct values of a column the least, the largest, and those at even shares between them;
// evenly spread where there are too few.
Vector spread_knots(const ConstVectorView& column, Index K);

double output_variance(const ConstVectorView& y);

double middle_of(const ConstVectorView& y, double share = 0.5);

// That of a normal distribution with as wide a middle half; where that is all alike, the variance. Where all
// are, their size, as nothing else has their unit.
double robust_variance(const ConstVectorView& y);

}  // namespace gpstream

#endif
