// Evidence as a part of a record: the model's own, and that of other half-lives.
#ifndef GPSTREAM_EVIDENCE_RECORD_H
#define GPSTREAM_EVIDENCE_RECORD_H

#include "../evidence/bank.h"
#include "../evidence/evidence.h"
#include "../evidence/fading.h"
#include "../linear/types.h"
#include "record.h"

namespace gpstream {

Record evidence_record(const Evidence& evidence);

Evidence evidence_from(const Record& record);

// About M points and q functions of the trend, and of numbers that sums over rows can be?
bool sound(const Evidence& one, Index M, Index q);

Record bank_record(const Bank& bank);

Bank bank_from(const Record& record, const Fading& fading, Index M, Index q);

}  // namespace gpstream

#endif
