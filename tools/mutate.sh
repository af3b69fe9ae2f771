#!/usr/bin/env bash
# Planted faults: does the suite notice? tools/mutate.sh [--only=ID,...]
# All faults of tools/faults.R are built at once into a copy of the sources, each behind a switch that the
# environment variable GPSTREAM_FAULT turns on. The tests that should see a fault pass without it, and are
# run with it; a crash, or 120 seconds without an answer, counts as seen. Prints a table and, last, how many
# faults were caught; exit status 1 below 95 %. Ten minutes.
set -u -o pipefail

only=
case ${1:-} in
'') ;;
--only=*) only=${1#--only=} ;;
*) sed -n '2,/^set/p' "$0" | sed '$d; s/^# \?//'; exit 1 ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "$*" >&2; exit 1; }
jobs=$(nproc)

# --- the sources, with their faults

mkdir "$work/tree" "$work/library" "$work/result"
cd "$root" || exit 1
tar --exclude=./.git --exclude=./tests/core/build --exclude='*.o' --exclude='*.so' -cf - . | tar -C "$work/tree" -xf -
Rscript "$root/tools/faults.R" "$work/tree" ${only:+"$only"} >"$work/faults" || exit 1
cat >"$work/fault.h" <<'H'
#include <cstdlib>
#include <cstring>
inline bool gpstream_fault(const char* id) {
  static const char* const on = std::getenv("GPSTREAM_FAULT");
  return on != nullptr && std::strcmp(on, id) == 0;
}
H
echo 'gpstream_fault <- function(id) identical(Sys.getenv("GPSTREAM_FAULT"), id)' >"$work/tree/R/fault.R"
cut -f2 "$work/faults" | tr '|' '\n' | sort -u >"$work/tests"

# --- one build

tests=$work/tree/tests/core
if grep -q '[.]cpp' "$work/tests"; then
  echo "compiling the core and its tests"
  make -C "$tests" -j"$jobs" BUILD="$work/core" SANITIZE= CORE_FLAGS="-O1 -include $work/fault.h" \
    CXXFLAGS='-std=c++17 -pthread -w' "$work/core/core" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; die "the core tests do not compile"; }
fi
if grep -q '[.]R' "$work/tests"; then
  echo "installing the package"
  echo "CXX17FLAGS = -O1 -w -include $work/fault.h" >"$work/Makevars"
  R_MAKEVARS_USER=$work/Makevars MAKEFLAGS=-j$jobs R CMD INSTALL --no-docs --no-multiarch --no-test-load \
    --library="$work/library" "$work/tree" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; die "R CMD INSTALL failed"; }
fi

# --- those tests of a file whose titles have some words

cat >"$work/part.R" <<'R'
suppressPackageStartupMessages({
  library(testthat)
  library(gpstream)
})
args <- commandArgs(TRUE)
code <- parse(args[1], keep.source = TRUE)
wanted <- vapply(code, function(one) {
  if (!"test_that" %in% all.names(one)) return(TRUE)
  title <- as.list(one)[[2]]
  args[2] == "" || (is.character(title) && grepl(args[2], title, fixed = TRUE))
}, NA)
part <- tempfile("test-part-", dirname(args[1]), ".R")
writeLines(unlist(lapply(attr(code, "srcref")[wanted], as.character)), part)
results <- as.data.frame(test_file(part, package = "gpstream", load_package = "installed", reporter = "silent", stop_on_failure = FALSE))
unlink(part)
cat("passed", sum(results$passed), "failed", sum(results$failed), "errors", sum(results$error), "\n")
quit(status = as.integer(sum(results$failed) + sum(results$error) > 0 || sum(results$passed) == 0))
R

passes() { # passes TEST
  local file=${1%%:*} words=
  case $1 in *:*) words=${1#*: } ;; esac
  case $file in
  *.cpp) timeout 120 "$work/core/core" "$words" 2>&1 | tee "$work/result/$$" | grep -q '^core: [1-9][0-9]* passed, 0 failed$' ;;
  *.R) R_LIBS=$work/library${R_LIBS:+:$R_LIBS} NOT_CRAN=true \
    timeout 120 Rscript "$work/part.R" "$work/tree/tests/testthat/$file" "$words" >"$work/result/$$" 2>&1 ;;
  esac
}
sound() { # the tests pass without a fault
  passes "$1" && return 0
  echo "fails without a fault: $1"
  grep -v '^ok ' "$work/result/$$" | tail -n 5
  return 1
}
try() { # try ID TESTS WHAT
  local test tests
  IFS='|' read -ra tests <<<"$2"
  for test in "${tests[@]}"; do
    if ! GPSTREAM_FAULT=$1 passes "$test"; then
      printf '%-20s caught    %s\n' "$1" "$3" >"$work/result/$1"
      return
    fi
  done
  printf '%-20s SURVIVED  %s (%s)\n' "$1" "$3" "$2" >"$work/result/$1"
}
export -f passes sound try
unset GPSTREAM_FAULT

echo "$(wc -l <"$work/tests") tests without a fault"
xargs -d '\n' -P "$jobs" -I{} bash -c 'sound "$1"' _ {} <"$work/tests" || die "the tests must pass before faults are planted"
tr '\t' '\n' <"$work/faults" | sed '/^$/d' | xargs -d '\n' -n 3 -P "$jobs" bash -c 'try "$@"' _

# --- the table

cut -f1 "$work/faults" | while read -r id; do cat "$work/result/$id"; done
all=$(wc -l <"$work/faults")
caught=$(cut -f1 "$work/faults" | while read -r id; do grep -c ' caught  ' "$work/result/$id"; done | grep -c 1)
echo "$caught of $all faults caught"
[ $((100 * caught)) -ge $((95 * all)) ]
