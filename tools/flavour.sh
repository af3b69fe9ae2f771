#!/usr/bin/env bash
# Build the package in an unusual way and run its tests: tools/flavour.sh NAME
#   asan          gcc's address and undefined-behaviour sanitizers
#   clang-ubsan   clang's undefined-behaviour sanitizer
#   valgrind      uninitialised reads, invalid accesses and leaks with a frame of ours
#   eigen-assert  assertions of Eigen and the standard library; fresh matrices hold NaN
#   lto           link-time optimisation: declarations that disagree between files
#   warn          compile only, g++ and clang++, no warning in our own files; EIGEN34=dir: also with that Eigen
#   gct           garbage collection at every GCT-th (1) allocation inside the C++ entry points
#   nosuggests    R CMD check with nothing but the hard dependencies
# FULL=1 runs the long tests too, FILTER=regex only some test files. The last line is
# "flavour NAME: ok" or "flavour NAME: FAILED".
set -u -o pipefail

name=${1:-}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log

finish() { # finish STATUS
  if [ "$1" -eq 0 ]; then echo "flavour $name: ok"; else echo "flavour $name: FAILED"; fi
  exit "$1"
}
die() { echo "$*" >&2; finish 1; }
require() { for tool; do command -v "$tool" >/dev/null || die "$tool is not installed"; done; }

# A tarball drops objects of other flavours and never touches the checkout.
unpack() {
  cd "$work" || exit 1
  R CMD build --no-build-vignettes --no-manual "$root" >"$log" 2>&1 || { cat "$log"; die "R CMD build failed"; }
  tarball=$(ls "$work"/*.tar.gz)
  tar xzf "$tarball"
  package=$(basename "$tarball" | sed 's/_.*//')
  cp "$root/tools/suite.R" "$work"
}

# install LINES: compile with these lines as the user's Makevars. The library is not loaded here, as
# the sanitizers' runtime must be in the process first.
install() {
  unpack
  printf '%s\n' "$@" >"$work/Makevars"
  mkdir "$work/library"
  echo "installing with:"; sed 's/^/  /' "$work/Makevars"
  R_MAKEVARS_USER=$work/Makevars MAKEFLAGS=-j2 \
    R CMD INSTALL --no-docs --no-multiarch --no-test-load --library="$work/library" "$tarball" >"$log" 2>&1 ||
    { cat "$log"; die "R CMD INSTALL failed"; }
  cp "$log" "$work/install.log"
  export R_LIBS=$work/library${R_LIBS:+:$R_LIBS}
  if [ -n "${FULL:-}" ]; then export NOT_CRAN=true; else unset NOT_CRAN; fi
}

# suite [NAME=value...]: run the tests with these variables; the output is shown and kept in $log,
# less the hundreds of interpreter frames below each report.
suite() {
  cd "$work/$package" || exit 1
  env "$@" R --vanilla --quiet --no-echo -f "$work/suite.R" 2>&1 | grep --line-buffered -v '/libR[.]so' | tee "$log"
}

# no_report STATUS: the suite's status, but a sanitizer's report fails a suite that went on.
no_report() {
  if grep -q -e 'runtime error:' -e 'ERROR: AddressSanitizer' "$log"; then
    die "sanitizer reports: $(grep -c -e 'runtime error:' -e 'ERROR: AddressSanitizer' "$log")"
  fi
  finish "$1"
}

case $name in
asan)
  require g++
  install 'CXX17 = g++ -fsanitize=address,undefined -fno-omit-frame-pointer' 'CXX17FLAGS = -g -O1'
  # R has no sanitizer in it, so the runtime goes first; with libstdc++, or exceptions cannot be
  # intercepted. Leaks are valgrind's business: R never frees all it has.
  suite LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)" \
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
  no_report $?
  ;;
clang-ubsan)
  require clang++
  install 'CXX17 = clang++ -fsanitize=undefined -fno-sanitize=function,vptr -shared-libsan' 'CXX17FLAGS = -g -O1' \
    "SHLIB_CXX17LDFLAGS = -shared -Wl,-rpath,$(clang++ -print-runtime-dir)"
  suite UBSAN_OPTIONS=print_stacktrace=1
  no_report $?
  ;;
valgrind)
  require valgrind
  install 'CXX17FLAGS = -g -O1'
  cd "$work/$package" || exit 1
  R --vanilla --quiet --no-echo -d "valgrind --tool=memcheck --leak-check=full --num-callers=60 --log-file=$work/memcheck.%p" \
    -f "$work/suite.R"
  status=$?
  # R's own leaks are not ours: only paragraphs with a frame from our files count. Child processes
  # write files of their own.
  ours=$(find "$root/src" -name '*.cpp' -o -name '*.h' | sed 's|.*/||; s|[.]|[.]|' | sort -u | paste -sd'|')
  sed 's/^==[0-9]*== \?//' "$work"/memcheck.* |
    awk -v RS= -v ours="[(]($ours):|/$package[.]so" \
      '/definitely lost|Invalid|uninitialised|Mismatched|overlap|Illegal/ && $0 ~ ours { print $0 "\n" }' >"$work/reports"
  if [ -s "$work/reports" ]; then grep -v '/libR[.]so' "$work/reports"; status=1; fi
  finish $status
  ;;
eigen-assert)
  # R always sets NDEBUG. Lift it for Eigen only: without it Rcpp too aborts, on any argument of a wrong type.
  printf '%s\n' '#undef NDEBUG' '#include <Eigen/Dense>' '#define NDEBUG 1' '#include <cassert>' >"$work/assert.h"
  install "CXX17FLAGS = -g -O1 -D_GLIBCXX_ASSERTIONS -DEIGEN_INITIALIZE_MATRICES_BY_NAN -include $work/assert.h"
  suite
  finish $?
  ;;
lto)
  install 'CXX17FLAGS = -g -O2 -flto' 'SHLIB_CXX17LDFLAGS = -shared -flto=2 -Wodr -Wlto-type-mismatch'
  if grep -e '-Wodr' -e '-Wlto-type-mismatch' "$work/install.log" | grep 'warning:'; then die "the files disagree"; fi
  suite
  finish $?
  ;;
gct)
  install 'CXX17FLAGS = -g -O2'
  suite GCT="${GCT:-1}"
  finish $?
  ;;
warn)
  require g++ clang++
  includes=$(Rscript -e 'for (p in c("Rcpp", "RcppEigen")) cat("-isystem", system.file("include", package = p), "")')
  includes+=$(R CMD config --cppflags | sed 's/-I/ -isystem /g')
  # the package's own include path, as R would pass it
  own=$(sed -n 's/^PKG_CPPFLAGS *= *//p' "$root/src/Makevars")
  cd "$root/src" || exit 1
  status=0
  for eigen in '' ${EIGEN34:+"-isystem $EIGEN34"}; do
    for compiler in g++ clang++; do
      : >"$log"
      for file in $(find . -name '*.cpp' | sed 's|^[.]/||'); do
        # shellcheck disable=SC2086 # lists of flags
        $compiler -std=c++17 -O2 -Wall -Wextra -pedantic -Wno-ignored-attributes -DNDEBUG -DSTRICT_R_HEADERS \
          $own $eigen $includes -fPIC -c "$file" -o /dev/null >>"$log" 2>&1 ||
          { grep -A3 ' error: ' "$log" | head -40; die "$compiler does not compile $file"; }
      done
      # a path that starts with / is somebody else's header; the casts in RcppExports.cpp are Rcpp's
      own_warning='^([.]/)?(core/|[^/ ]*[.](cpp|h):)[^ ]* warning:'
      sed -i '/^RcppExports[.]cpp.*-Wcast-function-type/d' "$log"
      count=$(grep -c -E "$own_warning" "$log")
      echo "$compiler${eigen:+, Eigen of $EIGEN34}: $count warnings"
      if [ "$count" -gt 0 ]; then grep -A5 -E "$own_warning" "$log"; status=1; fi
    done
  done
  finish $status
  ;;
nosuggests)
  unpack
  cd "$work" || exit 1
  unset NOT_CRAN
  echo 'CXX17FLAGS = -O2' >"$work/Makevars" # debug symbols would be too large for the check
  R_MAKEVARS_USER=$work/Makevars MAKEFLAGS=-j2 _R_CHECK_DEPENDS_ONLY_=true _R_CHECK_FORCE_SUGGESTS_=FALSE \
    _R_CHECK_CRAN_INCOMING_=FALSE _R_CHECK_SYSTEM_CLOCK_=FALSE \
    R CMD check --no-manual --no-build-vignettes --ignore-vignettes "$tarball" 2>&1 | tee "$log"
  grep -q '^Status: OK' "$log"
  finish $?
  ;;
*)
  sed -n '2,/^set/p' "$0" | sed '$d; s/^# \?//'
  name=${name:-?}
  die "unknown flavour"
  ;;
esac
