# vetiver: a model as a service that predicts, and that learns from rows sent to /update.

#' @exportS3Method vetiver::vetiver_create_description
vetiver_create_description.StreamingGP <- function(model) {
  paste0("A streaming Gaussian process (", count(gp_info(model)$nobs, "observation"), ")")
}

#' @exportS3Method vetiver::vetiver_create_meta
vetiver_create_meta.StreamingGP <- function(model, metadata) {
  vetiver::vetiver_meta(metadata, required_pkgs = "gpstream")
}

#' @exportS3Method vetiver::vetiver_ptype
vetiver_ptype.StreamingGP <- function(model, ...) {
  known <- gp_prototype(model)
  structure(known$rows[known$inputs], class = c("tbl_df", "tbl", "data.frame"))
}

# What is served is a copy, and as plain values: pins save in a way that handles do not survive. Whoever
# takes it out of its bundle again gets one and the same model, which learns and predicts.
#' @exportS3Method vetiver::vetiver_prepare_model
vetiver_prepare_model.StreamingGP <- function(model) {
  served <- list2env(list(state = as.list(model)), parent = emptyenv())
  bundle::bundle_constr(served, served_model, "StreamingGP")
}

served_model <- function(served) {
  alive <- tryCatch(is.list(gp_info(served$gp)), error = function(e) FALSE)
  if (!alive) served$gp <- streaming_gp_restore(served$state)
  served$gp
}

#' @exportS3Method vetiver::handler_startup
handler_startup.StreamingGP <- function(vetiver_model) invisible(vetiver_model)

#' @exportS3Method vetiver::handler_predict
handler_predict.StreamingGP <- function(vetiver_model, ...) {
  gp <- vetiver_model$model
  force(list(...))
  function(req) list(.pred = unname(predict.StreamingGP(gp, sent_rows(gp, req$body), ...)))
}

#' @rdname neighbours
#' @param pr A router of the package plumber.
#' @param vetiver_model What `vetiver::vetiver_model()` made of a model, the same as is given to
#' `vetiver_api()`;   or a model.
#' @param path Where rows are sent to.
#' @param save The name of a file to which the model is saved after each update; `NULL` for none.
#' @export
pr_update <- function(pr, vetiver_model, path = "/update", save = NULL) {
  need_package("plumber", "makes routers")
  served <- inherits(vetiver_model, "vetiver_model")
  gp <- check_model(if (served) bundle::unbundle(vetiver_model$model) else vetiver_model)
  if (is.null(spec_of(gp)$formula)) {
    abort("parameter", "a model that learns from what is sent to it must have a formula.")
  }
  plumber::pr_post(pr, path, function(req, res) {
    tryCatch({
      gp$update(sent_rows(gp, req$body, TRUE))
      if (!is.null(save)) save_gp(gp, save)
      list(nobs = gp$nobs, points = gp$size)
    }, gpstream_error = function(e) {
      res$status <- 400L
      list(error = conditionMessage(e))
    })
  })
}

# JSON has neither factors nor times: columns become what they were in the first batch.
sent_rows <- function(gp, body, response = FALSE) {
  rows <- as.data.frame(body)
  known <- gp_prototype(gp)
  for (name in intersect(c(known$inputs, if (response) known$response), names(rows))) {
    column <- known$rows[[name]]
    values <- rows[[name]]
    rows[[name]] <- if (is.factor(column)) {
      as.character(values)
    } else if (inherits(column, "difftime")) {
      as.difftime(as.double(values), units = units(column))
    } else if (is.numeric(column) && is.character(values)) {
      suppressWarnings(as.numeric(values))
    } else {
      values # times come as text in ISO form, which the model reads
    }
  }
  rows
}
