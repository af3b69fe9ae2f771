# The packages that gpstream is compared with: one entry each, and one more peer is one more entry. An entry has what its
# package can do:
#   fit(x, y, known)     a model with the hyper-parameters given: lengthscale of exp(-r^2 / lengthscale^2), variance, noise
#   update(model, x, y)  that model after one more row, or after a batch where `batches` is TRUE
#   learn(x, y)          a model with its hyper-parameters learned, from at most `most` rows
#   predict(model, x)    list(mean, sd), sd that of a new observation; without sd where the package has none
#   refit(x, y, family)  a model of classes or counts, for the `families` that it has;  expect(model, x): probabilities, or means
#   exact                TRUE where the cost of a row grows with all the rows so far
#   columns              numbers of columns it is for

frame <- function(x) stats::setNames(as.data.frame(x), paste0("X", seq_len(ncol(x))))
tensor <- function(k) stats::as.formula(sprintf("y ~ te(X1, X2, k = %d)", k)) # mgcv looks for a variable k elsewhere

peers <- list(
  laGP = list(
    package = "laGP", exact = TRUE,
    fit = function(x, y, known) laGP::newGP(x, y, d = known$lengthscale^2, g = known$noise / known$variance),
    update = function(model, x, y) {
      laGP::updateGP(model, x, y)
      model
    },
    predict = function(model, x) {
      p <- laGP::predGP(model, x, lite = TRUE)
      list(mean = p$mean, sd = sqrt(p$s2))
    },
    close = function(model) laGP::deleteGP(model)
  ),

  # a local fit at each place that is asked for: the whole work is in predict()
  "laGP, local" = list(
    package = "laGP", columns = c(2, 8), asked = 100,
    learn = function(x, y) list(x = x, y = y),
    predict = function(model, x) {
      p <- laGP::aGP(model$x, model$y, x, verb = 0)
      list(mean = p$mean, sd = sqrt(p$var))
    }
  ),

  hetGP = list(
    package = "hetGP", exact = TRUE, most = 500,
    fit = function(x, y, known) {
      given <- list(theta = rep(known$lengthscale^2, ncol(x)), g = known$noise / known$variance, beta0 = 0)
      hetGP::mleHomGP(x, y, known = given, covtype = "Gaussian")
    },
    update = function(model, x, y) stats::update(model, x, y, maxit = 0),
    learn = function(x, y) hetGP::mleHomGP(x, y, covtype = "Gaussian"),
    predict = function(model, x) {
      p <- stats::predict(model, x)
      list(mean = p$mean, sd = sqrt(p$sd2 + p$nugs))
    }
  ),

  DiceKriging = list(
    package = "DiceKriging", exact = TRUE, most = 500,
    fit = function(x, y, known) {
      DiceKriging::km(~1, design = frame(x), response = y, covtype = "gauss", coef.trend = 0, coef.var = known$variance,
                      coef.cov = rep(known$lengthscale / sqrt(2), ncol(x)), nugget = known$noise)
    },
    update = function(model, x, y) {
      DiceKriging::update(model, frame(x), y, cov.reestim = FALSE, trend.reestim = FALSE, nugget.reestim = FALSE)
    },
    learn = function(x, y) {
      DiceKriging::km(~1, design = frame(x), response = y, covtype = "gauss", nugget.estim = TRUE, control = list(trace = FALSE))
    },
    predict = function(model, x) {
      p <- DiceKriging::predict(model, frame(x), type = "SK", light.return = TRUE)
      list(mean = p$mean, sd = p$sd) # the nugget is in it
    }
  ),

  kernlab = list(
    package = "kernlab",
    fit = function(x, y, known) {
      kernlab::gausspr(x, y, kernel = "rbfdot", kpar = list(sigma = 1 / known$lengthscale^2), var = known$noise, scaled = FALSE,
                       variance.model = TRUE)
    },
    predict = function(model, x) {
      list(mean = drop(kernlab::predict(model, x)),
           sd = sqrt(drop(kernlab::predict(model, x, type = "variance")) + noise_variance))
    },
    families = "binomial",
    refit = function(x, y, family) {
      utils::capture.output(model <- kernlab::gausspr(x, factor(y))) # it prints what it guesses
      model
    },
    expect = function(model, x) kernlab::predict(model, x, type = "probabilities")[, 2]
  ),

  # gradient steps with kernels, no variance; lambda is the best of several by RMSE, and no better than the mean of y
  "kernlab, onlearn" = list(
    package = "kernlab",
    fit = function(x, y, known) {
      model <- kernlab::inlearn(ncol(x), kernel = "rbfdot", kpar = list(sigma = 1 / known$lengthscale^2), type = "regression",
                                buffersize = known$points)
      for (i in seq_along(y)) model <- kernlab::onlearn(model, x[i, ], y[i], lambda = 0.001)
      model
    },
    update = function(model, x, y) kernlab::onlearn(model, x[1, ], y, lambda = 0.001),
    predict = function(model, x) list(mean = drop(kernlab::predict(model, x)))
  ),

  # a tensor product of splines instead of a Gaussian process, 10 x 10 or 20 x 20; it is told where the stream will be
  mgcv = list(
    package = "mgcv", batches = TRUE, columns = 2,
    basis = function(points) if (points <= 100) 10 else 20,
    fit = function(x, y, known) {
      k <- peers$mgcv$basis(known$points)
      knots <- seq(0, 1, length.out = k)
      mgcv::bam(tensor(k), data = cbind(frame(x), y = y), knots = list(X1 = knots, X2 = knots))
    },
    update = function(model, x, y) mgcv::bam.update(model, cbind(frame(x), y = y)),
    learn = function(x, y) mgcv::bam(tensor(10), data = cbind(frame(x), y = y)),
    predict = function(model, x) {
      p <- mgcv::predict.gam(model, frame(x), se.fit = TRUE)
      list(mean = as.numeric(p$fit), sd = sqrt(as.numeric(p$se.fit)^2 + model$sig2))
    },
    families = c("binomial", "poisson"),
    refit = function(x, y, family) suppressWarnings(mgcv::bam(y ~ s(X1, X2, k = 60), family = family, data = cbind(frame(x), y = y))),
    expect = function(model, x) as.numeric(mgcv::predict.gam(model, frame(x), type = "response"))
  ),

  # the same in one pass over all the rows, which must be at hand
  "mgcv, discrete" = list(
    package = "mgcv", columns = 2, whole = TRUE,
    fit = function(x, y, known) {
      mgcv::bam(tensor(peers$mgcv$basis(known$points)), data = cbind(frame(x), y = y), discrete = TRUE)
    },
    learn = function(x, y) mgcv::bam(tensor(10), data = cbind(frame(x), y = y), discrete = TRUE),
    predict = function(model, x) peers$mgcv$predict(model, x)
  ),

  GpGp = list(
    package = c("GpGp", "fields"), columns = 2,
    learn = function(x, y) GpGp::fit_model(y, x, matrix(1, length(y)), "matern25_isotropic", silent = TRUE),
    predict = function(model, x) list(mean = drop(GpGp::predictions(model, x, matrix(1, nrow(x)))))
  ),

  # exact, one column only: a Kalman filter
  FastGaSP = list(
    package = "FastGaSP", columns = 1,
    learn = function(x, y) {
      model <- FastGaSP::fgasp(drop(x), y)
      best <- stats::optim(c(log(10), log(0.01)), function(p) -FastGaSP::log_lik(p, model), control = list(maxit = 60))
      list(model = model, parameters = best$par)
    },
    predict = function(model, x) {
      sorted <- order(x)
      p <- FastGaSP::predict.fgasp(model$parameters, model$model, x[sorted])
      list(mean = p@mean[order(sorted)], sd = sqrt(p@var[order(sorted)]))
    }
  ),

  # a tree of small exact models, 100 rows in a leaf; it learns for itself
  GPTreeO = list(
    package = "GPTreeO", most = 2000,
    fit = function(x, y, known) {
      model <- GPTreeO::GPTree$new(Nbar = 100)
      for (i in seq_along(y)) peers$GPTreeO$update(model, x[i, , drop = FALSE], y[i])
      model
    },
    update = function(model, x, y) {
      suppressWarnings(utils::capture.output(model$update(x[1, ], y)))
      model
    },
    predict = function(model, x) {
      p <- apply(x, 1, model$joint_prediction)
      list(mean = p[1, ], sd = p[2, ])
    }
  )
)

installed_peers <- function() Filter(function(peer) all(vapply(peer$package, requireNamespace, NA, quietly = TRUE)), peers)

# Those that can do all of `abilities` in D columns.
able <- function(list, abilities, D) {
  Filter(function(peer) all(abilities %in% names(peer)) && (is.null(peer$columns) || D %in% peer$columns), list)
}
