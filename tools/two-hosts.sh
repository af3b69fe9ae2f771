#!/usr/bin/env bash
# consume(cluster =) with a worker on another host: tools/two-hosts.sh
# Two network namespaces joined by a pair of virtual interfaces are two hosts; the caller is on one, a worker on each. The model must be that of one
# process, to the bit. With the installed gpstream; needs to be root, and ip (Debian: iproute2). Takes down what it set up.
set -eu
command -v ip >/dev/null || apt-get -qy install --no-install-recommends iproute2 >/dev/null
one=gps-a-$$ two=gps-b-$$
clean_up() { ip netns del "$one" 2>/dev/null || true; ip netns del "$two" 2>/dev/null || true; }
trap clean_up EXIT
ip netns add "$one"; ip netns add "$two"
ip link add gpsa$$ netns "$one" type veth peer name gpsb$$ netns "$two"
ip -n "$one" addr add 10.213.0.1/24 dev gpsa$$; ip -n "$two" addr add 10.213.0.2/24 dev gpsb$$
for at in "$one" "$two"; do ip -n "$at" link set lo up; done
ip -n "$one" link set gpsa$$ up; ip -n "$two" link set gpsb$$ up
shell=$(mktemp); trap 'clean_up; rm -f "$shell"' EXIT
# what starts a worker: the host's name, then the command
printf '#!/bin/sh\nhost=$1; shift\ncase $host in 10.213.0.2) at=%s;; *) at=%s;; esac\nexec ip netns exec $at sh -c "$*"\n' "$two" "$one" >"$shell"
chmod +x "$shell"
ip netns exec "$one" Rscript --vanilla - "$shell" <<'R'
library(gpstream)
shell <- commandArgs(TRUE)[1]
cluster <- parallel::makePSOCKcluster(c("10.213.0.1", "10.213.0.2"), master = "10.213.0.1", rshcmd = shell, homogeneous = TRUE)
rows <- function(i) {
  x <- 30 * (((400 * i + 1:400) * sqrt(2)) %% 1)
  data.frame(x = x, y = sin(x))
}
fresh <- function() streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
addresses <- unlist(parallel::clusterCall(cluster, function() system("ip -4 -o addr show scope global", intern = TRUE)))
stopifnot(any(grepl("10.213.0.1", addresses)), any(grepl("10.213.0.2", addresses)))
two <- consume(fresh(), lapply(1:8, rows), cluster = cluster)
one <- consume(fresh(), lapply(1:8, rows), cluster = cluster[1])
parallel::stopCluster(cluster)
at <- data.frame(x = seq(0, 30, 0.1))
stopifnot(identical(predict(two, at, se.fit = TRUE), predict(one, at, se.fit = TRUE)))
cat("8 shards on two hosts: the same as on one, to the bit;", two$nobs, "rows,", two$size, "points\n")
R
