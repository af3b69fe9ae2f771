#!/usr/bin/env bash
# What compiling the package costs: tools/build-cost.sh [--limits] [--write] [--all]
# Compiles all units from nothing with -g -O2 and two jobs, in a copy of the sources. Prints CPU seconds and peak
# memory of the ten most expensive units (--all: of all), the sums, and how many units are compiled again after one
# changed line. --limits: exit status 1 if a limit below is exceeded. --write: the table in CONTRIBUTING.md.
# Needs R with Rcpp and RcppEigen, a C++ compiler and perl.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
most_memory=1000 most_unit=30 most_sum=480 most_again=3 most_size=3300 # MB, s, s, units, kB
# What the sum and the size are to become; their limits above only keep them from growing.
bar_sum=240 bar_size=2600
limits='' write='' shown=10
for arg; do
  case $arg in
  --limits) limits=yes ;;
  --write) write=yes ;;
  --all) shown=1000 ;;
  *) sed -n '2,/^set/p' "$0" | sed '$d; s/^# \?//'; exit 1 ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
tar --exclude='*.o' --exclude='*.so' -cf - src | tar -C "$work" -xf -

# The compiler, metered: one line per unit, with the CPU seconds and the peak memory of the largest process.
cat >"$work/meter" <<'P'
#!/usr/bin/perl
my $status = system(@ARGV);
my ($u, $s, $cu, $cs) = times;
my ($unit) = grep { /\.cpp$/ } @ARGV;
if (defined $unit) {
  my $machine = `uname -m`;
  my $usage = "\0" x 256;
  syscall($machine =~ /^x86_64/ ? 98 : $machine =~ /^i.86/ ? 77 : 165, -1, $usage); # getrusage() of children
  my $kilobytes = (unpack('l!*', $usage))[4];
  open(my $log, '>>', $ENV{METER_LOG}) or die;
  syswrite($log, sprintf("%.2f %.0f %s\n", $cu + $cs, $kilobytes / 1024, $unit));
}
exit($status == 0 ? 0 : 1);
P
chmod +x "$work/meter"
compiler=$(R CMD config CXX17)
printf 'CXX17 = %s %s\nCXX17FLAGS = -g -O2\n' "$work/meter" "$compiler" >"$work/Makevars"
includes=$(Rscript -e 'cat(sprintf("-I\"%s\"", system.file("include", package = c("Rcpp", "RcppEigen")[1])), sprintf("-I\"%s\"", system.file("include", package = "RcppEigen")))')
: >"$work/log"
start=$(date +%s)
(cd "$work/src" && METER_LOG=$work/log R_MAKEVARS_USER=$work/Makevars CLINK_CPPFLAGS=$includes MAKEFLAGS=-j2 \
  R CMD SHLIB -o gpstream.so >"$work/make.log" 2>&1) || { grep -E 'error|Error' -A3 "$work/make.log" | head -40; exit 1; }
wall=$(($(date +%s) - start))
strip -s -o "$work/stripped.so" "$work/src/gpstream.so"
size=$(($(wc -c <"$work/stripped.so") / 1000))

# How many units see a file, directly or through headers.
again() {
  perl -e '
    use File::Spec;
    my ($changed, @units) = @ARGV;
    my %direct;
    sub clean { my @out; for (split m{/}, shift) { if ($_ eq "..") { pop @out } elsif ($_ ne ".") { push @out, $_ } } join "/", @out }
    sub direct {
      my $file = shift;
      return @{ $direct{$file} } if $direct{$file};
      my @out;
      if (open(my $in, "<", $file)) {
        my ($dir) = $file =~ m{^(.*/)};
        while (<$in>) { push @out, clean(($dir // "") . $1) if /^\s*#\s*include\s+"([^"]+)"/ }
      }
      $direct{$file} = \@out;
      return @out;
    }
    my $count = 0;
    for my $unit (@units) {
      my %seen;
      my @todo = ($unit);
      while (defined(my $file = pop @todo)) { push @todo, direct($file) unless $seen{$file}++ }
      ++$count if $seen{$changed};
    }
    print $count;
  ' "$@"
}
cd src
units=$(find . -name '*.cpp' | sed 's|^\./||')
likelihood=$(again core/likelihoods/poisson.cpp $units)
kernel=$(again core/kernels/se.cpp $units)
glue=$(again bindings_kernel.cpp $units)
cd ..

read -r count sum unit memory < <(awk '{ n++; s += $1; if ($1 > u) u = $1; if ($2 > m) m = $2 } END { printf "%d %.0f %.1f %.0f\n", n, s, u, m }' "$work/log")
sort -rn "$work/log" | head -n "$shown" | awk '{ printf "%7.1f s %6d MB  %s\n", $1, $2, $3 }'
table() {
  cat <<T
| what | now | limit | bar |
|---|---|---|---|
| units | $count | | |
| CPU seconds in all | $sum | $most_sum | $bar_sum |
| CPU seconds of the longest unit | $unit | $most_unit | 30 |
| peak memory of one compiler process, MB | $memory | $most_memory | 1000 |
| wall seconds with \`MAKEFLAGS=-j2\` | $wall | | 110 |
| stripped library, kB | $size | $most_size | $bar_size |
| units compiled after one changed line in \`likelihoods/poisson.cpp\` | $likelihood | $most_again | 3 |
| in \`kernels/se.cpp\` | $kernel | $most_again | 3 |
| in \`bindings_kernel.cpp\` | $glue | $most_again | 3 |
T
}
table
if [ -n "$write" ]; then
  table >"$work/table"
  perl -0pi -e '
    BEGIN { local $/; open(my $in, "<", shift @ARGV) or die; $table = <$in> }
    s/(<!-- build-cost -->\n).*?(<!-- end of build-cost -->)/$1$table$2/s or die "CONTRIBUTING.md has no place for the table\n";
  ' "$work/table" CONTRIBUTING.md
fi
if [ -n "$limits" ]; then
  failed=$(awk -v m="$most_memory" -v u="$most_unit" '$1 > u || $2 > m { print $3 }' "$work/log")
  [ -z "$failed" ] || { echo "over the limit: $failed"; exit 1; }
  [ "$sum" -le $most_sum ] || { echo "over the limit: CPU seconds in all"; exit 1; }
  [ "$size" -le $most_size ] || { echo "over the limit: the stripped library"; exit 1; }
  for n in "$likelihood" "$kernel" "$glue"; do [ "$n" -le $most_again ] || { echo "over the limit: units compiled again"; exit 1; }; done
fi
