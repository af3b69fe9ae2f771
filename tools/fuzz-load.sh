#!/usr/bin/env bash
# Feeds a model file's reader with whatever makes it take a new path, under sanitizers: tools/fuzz-load.sh [SECONDS]
# Needs clang++ with libFuzzer. Starts from the model files of the tests. The last line says whether anything was found.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang++ -std=c++17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
  "$root/tests/core/fuzz_file.cpp" "$root/src/core/file/plain_value.cpp" -o "$work/fuzz"
mkdir "$work/corpus"
for file in "$root"/tests/testthat/fixtures/*.gps; do
  cp "$file" "$work/corpus"
  tail -c +41 "$file" | head -c -4 >"$work/corpus/$(basename "$file").value"
done
cd "$work"
if ./fuzz -max_total_time="${1:-60}" -max_len=8192 -rss_limit_mb=512 -malloc_limit_mb=64 -timeout=5 -print_final_stats=1 corpus >log 2>&1; then
  grep -E 'cov:|number_of_executed_units|peak_rss' log | tail -3
  echo "fuzz-load: ok"
else
  tail -40 log
  echo "fuzz-load: FAILED"
  exit 1
fi
