#!/usr/bin/env bash
# kill -9 at random moments: tools/kill-test.sh N [SEED]
#   1. a process that saves a model again and again is killed N times: each time the file is whole, and what the kill left behind is
#      gone after the next save
#   2. consume(checkpoint =, resume = TRUE) is killed N times: each time it resumes, and every run that comes to its end has the same
#      model, to the last bit, as one that was never stopped
# With the installed gpstream. Takes about a second for five kills; the last line has the figure.
set -eu
exec Rscript --vanilla "$(dirname "$0")/kill-test.R" "${1:-50}" "${2:-1}"
