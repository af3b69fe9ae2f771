# Workers: PSOCK, fork and mirai clusters, and workers that die.

rows_of_shard <- function(i, n = 400) {
  x <- 30 * (((i * n + seq_len(n)) * sqrt(2)) %% 1)
  data.frame(x = x, y = sin(x) + 0.1 * sin(37 * x))
}
fresh_gp <- function() {
  streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none", select = select_oips(0.9))
}

with_cluster <- function(cluster, code) {
  # one by one: stopCluster() itself stops at a worker that is dead
  on.exit(for (i in seq_along(cluster)) {
    suppressWarnings(try(parallel::stopCluster(cluster[i]), silent = TRUE))
    try(close(cluster[[i]]$con), silent = TRUE)
  })
  code(cluster)
}
expect_as_alone <- function(cluster, shards = 5) {
  sources <- lapply(seq_len(shards), rows_of_shard)
  gp <- consume(fresh_gp(), sources, cluster = cluster)
  none <- function(...) list(tick = function(run) NULL, end = function() NULL)
  settings <- list(size = 1000, response = "y", skips = FALSE)
  alone <- gpstream:::consume_shards(fresh_gp(), sources, NULL, settings, NULL, FALSE, none)
  expect_identical(timeless(gp), timeless(alone))
  # the workers are at nothing any more
  expect_identical(unlist(parallel::clusterCall(cluster, function() 7)), rep(7, length(cluster)))
}

test_that("PSOCK and fork clusters give the same model, bit by bit", {
  skip_on_cran()
  with_cluster(parallel::makePSOCKcluster(2), function(cluster) {
    parallel::clusterCall(cluster, .libPaths, .libPaths())
    expect_as_alone(cluster)
    # a user's function finds the functions of gpstream there
    opening <- lapply(1:2, function(i) eval(bquote(function() as_source(.(rows_of_shard(i)))), globalenv()))
    expect_equal(consume(fresh_gp(), opening, cluster = cluster)$nobs, 800)
    expect_equal(fit_shards(fresh_gp(), opening, cluster = cluster)$nobs, 800)
  })
  skip_on_os("windows")
  with_cluster(parallel::makeForkCluster(2), expect_as_alone)
})

test_that("so do clusters of mirai", {
  skip_on_cran()
  skip_if_not_installed("mirai")
  with_cluster(mirai::make_cluster(2), function(cluster) {
    parallel::clusterCall(cluster, .libPaths, .libPaths())
    expect_as_alone(cluster)
  })
})

test_that("a worker that dies in mid-task: another one does its work, and the result is identical()", {
  skip_on_cran()
  skip_on_os("windows")
  died <- tempfile()
  on.exit(unlink(died))
  deadly <- lapply(1:4, function(i) {
    force(i)
    eval(bquote(function() {
      if (.(i) == 3 && !file.exists(.(died))) {
        file.create(.(died))
        tools::pskill(Sys.getpid(), 9)
        Sys.sleep(10)
      }
      .(rows_of_shard(i))
    }), globalenv())
  })
  connections <- nrow(showConnections())
  with_cluster(parallel::makeForkCluster(2), function(cluster) {
    gp <- consume(fresh_gp(), deadly, cluster = cluster)
    expect_true(file.exists(died))
    expect_identical(timeless(gp), timeless(consume(fresh_gp(), deadly, cluster = cluster[1:2])))
  })
  # nobody is left
  unlink(died)
  with_cluster(parallel::makeForkCluster(1), function(cluster) {
    gp <- fresh_gp()
    before <- as.list(gp)
    expect_error(consume(gp, deadly, cluster = cluster), "worker of `cluster` are lost|lost", class = "gpstream_error_cluster")
    expect_identical(as.list(gp), before)
  })
  expect_equal(nrow(showConnections()), connections)
})

test_that("a worker without gpstream, and one that fails once", {
  alien <- structure("Error in loadNamespace(x) : there is no package called 'gpstream'\n", class = "try-error")
  expect_match(gpstream:::as_result(alien, 2)$failed$message, "worker 2 cannot work for gpstream: there is no package")
  skip_on_cran()
  skip_on_os("windows")
  tried <- tempfile()
  on.exit(unlink(tried))
  moody <- eval(bquote(function() {
    if (!file.exists(.(tried))) {
      file.create(.(tried))
      stop("the network is down")
    }
    .(rows_of_shard(2))
  }), globalenv())
  with_cluster(parallel::makeForkCluster(2), function(cluster) {
    gp <- consume(fresh_gp(), list(rows_of_shard(1), moody), cluster = cluster)
    expect_equal(gp$nobs, 800)
    bad <- list(a = rows_of_shard(1), b = function() stop("there is no such table"))
    expect_error(consume(gp, bad, cluster = cluster), "shard 2 [(]b[)]: there is no such table")
    expect_equal(gp$nobs, 800)
  })
})
