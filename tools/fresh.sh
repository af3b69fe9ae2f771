#!/usr/bin/env bash
# The README's two commands on a fresh machine: tools/fresh.sh [--openblas]
# Makes a new root of this machine's Debian release with nothing in it but R and what compiles its packages, clones HEAD into
# it, and runs both commands there in the README's order; prints the last line of each, and fails when one does, after showing all
# that it said. With --openblas R's linear algebra is OpenBLAS. Needs to be root, for chroot; installs debootstrap when it is
# missing. Packages come from where this machine gets its own.
#
# Nothing of this machine is mounted in the root. What is mounted there (proc, and shared memory of its own) exists in a namespace
# of each command only, and goes with it, as do processes that the command has left behind.
set -eu -o pipefail

blas=
case ${1:-} in
"") ;;
--openblas) blas=libopenblas0-pthread ;;
*) sed -n '2,/^set/p' "$0" | sed '$d; s/^# \?//'; exit 2 ;;
esac

checkout=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
root=$work/root
log=$work/log

clean_up() {
  if grep -qF " $work/" /proc/self/mounts; then echo "still mounted, not removed: $work" >&2; return; fi
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# A command whose output matters only when it fails.
quiet() { "$@" >"$log" 2>&1 || { cat "$log"; echo "FAILED: $*"; exit 1; }; }

# A command in the root, with an environment of its own; only the way to the network is this machine's.
in_root() {
  # shellcheck disable=SC2016 # for the shell in there, which stays to collect orphans
  unshare --mount --pid --fork --kill-child chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    sh -c 'mount -t proc proc /proc && mount -t tmpfs -o size=256m shm /dev/shm && cd /gpstream && "$@"; exit $?' sh "$@"
}

quiet apt-get -q update
command -v debootstrap >/dev/null || quiet apt-get -qy install --no-install-recommends debootstrap

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Codename: $release" | head -n 1)
quiet unshare --mount debootstrap --variant=minbase --include=ca-certificates "$release" "$root" "$mirror"
rm "$root/etc/apt/sources.list"
for file in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d /etc/apt/trusted.gpg.d /etc/apt/keyrings \
  /etc/R/Rprofile.site /etc/hosts /usr/local/share/ca-certificates; do
  if [ -e "$file" ]; then mkdir -p "$root$(dirname "$file")" && cp -r "$file" "$root$(dirname "$file")"; fi
done
quiet git clone -q "$checkout" "$root/gpstream"
quiet in_root update-ca-certificates
quiet in_root apt-get -q update
quiet in_root apt-get -qy -o Dpkg::Options::=--force-confold install --no-install-recommends r-base-dev $blas
in_root Rscript -e 'cat(R.version.string, "with", extSoftVersion()["BLAS"], "\n")'

for script in tools/demo.R tools/test.R; do
  quiet in_root Rscript "$script"
  echo "Rscript $script: $(tail -n 1 "$log")"
done
