// What a model that goes on learning keeps, as a part of its record; its rivals are records of states.
#ifndef GPSTREAM_LEARNER_RECORD_H
#define GPSTREAM_LEARNER_RECORD_H

#include "../learn/learner.h"
#include "../linear/types.h"
#include "../model/state.h"
#include "record.h"

namespace gpstream {

Record record(const State& state);
State state_from(const Record& record);

Record learner_record(const Learner& learner);

// D columns, or none where no rows are kept.
Learner learner_from(const Record& record, Index columns, Index others);

}  // namespace gpstream

#endif
