// A state as a record, and back. One format number for lists and files; older formats are in older_formats.h.
#ifndef GPSTREAM_STATE_RECORD_H
#define GPSTREAM_STATE_RECORD_H

#include "../evidence/site.h"
#include "../evidence/trend.h"
#include "../evidence/window.h"
#include "../linear/types.h"
#include "../model/history.h"
#include "../model/state.h"
#include "learner_record.h"
#include "record.h"

namespace gpstream {

double rows_or_infinite(Index rows);
Index rows_from(double rows);

// One row an entry: the columns are those of `HistoryEntry`. `with_now` adds the present state where it is
// not kept.
Matrix history_matrix(const History& history, bool with_now);

// One row a function: its column (counted from 1; 0 is the constant, which is not measured from anywhere:
// there stands how many columns nobody asked for), centre, scale, ratio.
Matrix trend_matrix(const Trend& trend);

void likelihood_from(const Record& record, State& out);

Record record(const State& state);

inline bool operator==(const State& a, const State& b) { return record(a) == record(b); }

History history_from(const Record& record);

// How rows can be found again. Where it is not known, those that have left cannot be.
void traces_from(const Record& record, State& out);

// `some`: not every row has an output.
void check_whole(const State& state, bool some = false);

Settings settings_from(const Record& record);

void fading_from(const Record& record, State& out);

// The open rows of a record; what has an entry for each of them must have as many.
Window window_from(const Record& record, const Sites& sites, Index limit, Index D, Index M,
                   bool tells = false, bool sister = false);

// What all formats have in common.
State begun(const Record& record);

State read_state(const Record& record, bool sister);

inline State state_from(const Record& record) { return read_state(record, false); }

}  // namespace gpstream

#endif
