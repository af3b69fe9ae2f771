// What a model that goes on learning its kernel keeps beside itself: rows to learn from, and other models
// that compete with it for its place. Plain data, a part of the state.
#ifndef GPSTREAM_LEARN_LEARNER_H
#define GPSTREAM_LEARN_LEARNER_H

#include <map>
#include <string>
#include <vector>

#include "../linear/types.h"
#include "../model/held.h"
#include "calibration.h"
#include "memory.h"
#include "moments.h"

namespace gpstream {

struct State;

// How a model stands among those that compete.
struct Standing {
  double score = 0.0;   // log score of the rows it foretold, older ones counting less
  double width = 0.0;   // log of the factor by which its own standard deviations should be wider
  double origin = 0.0;  // the rows it knows begin here
  double since = 0.0;   // rows it has foretold
  double ahead = 0.0;   // how much better it foretold them than the best of those with an earlier origin
};

struct Rival {
  Held<State> state;
  Standing standing;
};

// What the last search for a kernel found, for the next one and to be shown.
struct LastSearch {
  std::string family;
  std::map<std::string, double> evidence;  // of the best of each family, in its first stage
  std::map<std::string, Vector> starts;
};

struct Learner {
  Memory memory;
  Moments columns;
  Standing standing;  // of the model itself
  std::vector<Rival> rivals;
  double learned = 0.0, next = 0.0;      // rows when the kernel was learned last, and will be again
  double gap = 200.0;                    // rows before a surprise may call for it sooner
  double surprise = 1.0, earlier = 1.0;  // mean squared standardised errors of the last two blocks
  double changes = 0.0, moves = 0.0;     // how often another model took over, and with a later origin
  Vector glance;  // the posterior mean when a block was last scored; empty where that says nothing any more
  LastSearch last;
  Calibration calibration;
  std::vector<Calibration> calibrations = {};  // of outputs after the first

  Calibration calibration_of(Index k) const;
};

// What was kept of another stream. Rows and their moments belong to both; what competed with either model
// knew nothing of the other's rows and goes; the intervals are corrected by whoever has scored more of them.
void merge(const Learner& other, Learner& into);

}  // namespace gpstream

#endif
