#!/usr/bin/env bash
# kill -9 of a worker at random moments: tools/kill-workers.sh N [SEED]
# consume(cluster =) runs N times on two workers, of which one is killed while it works. Each time the model is, to the last bit, the one of
# a run in which nobody died, or, where both were lost, there was an error of class gpstream_error_cluster and the model is as it was.
# No worker and no connection stays behind. With the installed gpstream; about a second a kill. The last line has the figure.
set -eu
exec Rscript --vanilla "$(dirname "$0")/kill-workers.R" "${1:-50}" "${2:-1}"
