// Models that learned at different times foretell the same rows, and the best of them is the model.
#ifndef GPSTREAM_LEARN_CONTEST_H
#define GPSTREAM_LEARN_CONTEST_H

#include <cstddef>
#include <optional>
#include <utility>

#include "../model/history.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "foretell.h"
#include "learner.h"

namespace gpstream {

constexpr std::size_t most_rivals = 2;
constexpr double early_rows = 1000;  // after a learning, by then its rivals have lost

// Rival i and the model change places. What belongs to the stream stays: its count, its history, its learner.
void change_places(StreamingGP& model, std::size_t i);

// A rival as a model, for as long as it is asked to do something.
template <class Task>
void as_model(Rival& rival, const Task& task) {
  StreamingGP model(std::move(*rival.state));
  const auto back = [&] {
    model.set_history(History());
    *rival.state = std::move(model).take();
  };
  try {
    task(model);
  } catch (...) {
    back();
    throw;
  }
  back();
}

// Of several outputs fewer rows came than were foretold: `count`, where it is said.
void note_score(const Foretold& rows, double score, double best_of_older, bool younger, Standing& one,
                std::optional<double> count = {});

// Every model is scored on the newest block of rows, and whoever is best becomes the model.
void compete(StreamingGP& model, bool calibrate, bool open_noise);

// Is the newest block to be scored, when n rows have come, `since` of them since the kernel was learned? All
// are while there are rivals. Then one in so many, more the longer that is ago and the more points there are
// (scoring takes a factor of the posterior, for each half-life where there are several), chosen by a hash of
// its number; and any that looks odd at a glance.
bool worth_scoring(const State& state, double n, double since);

// Who has lost goes. A model that knows only younger rows and has been far better for long takes the memory
// along: what came before its origin was another stream.
void settle_contest(StreamingGP& model);

}  // namespace gpstream

#endif
