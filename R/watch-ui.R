# What is on the live page; how it looks is in inst/watch/watch.css. Plain HTML, nothing from the network.

watch_ui <- function(player) {
  tags <- shiny::tags
  file <- function(name) {
    paste(readLines(system.file("watch", name, package = "gpstream"), encoding = "UTF-8"), collapse = "\n")
  }
  ui <- shiny::tagList(
    tags$head(
      tags$title("gpstream: watch"),
      tags$meta(name = "viewport", content = "width=device-width, initial-scale=1"),
      tags$link(rel = "icon", href = "data:,"), # or the browser asks for one
      tags$style(shiny::HTML(file("watch.css"))),
      tags$script(shiny::HTML(file("watch.js")))
    ),
    tags$header(
      tags$h1("gpstream"),
      tags$span(class = "model", watch_heading(player)),
      tags$span(role = "status", shiny::uiOutput("state", inline = TRUE))
    ),
    tags$main(
      watch_bar(player),
      tags$div(class = "messages",
        tags$div(role = "alert", shiny::textOutput("trouble", inline = TRUE)),
        shiny::textOutput("note", inline = TRUE),
        tags$span(
          id = "gone", role = "alert",
          "The page has ended; the model, with all it has learned, is back in R. You can close the page."
        )
      ),
      watch_tiles(),
      tags$div(class = "board",
        tags$section(
          class = "card wide", tags$h2("Model"), shiny::plotOutput("picture", height = "100%"),
          shiny::uiOutput("axes")
        ),
        tags$section(
          class = "card", tags$h2("Error", tags$small("RMSE over the rows learned")),
          shiny::plotOutput("error", height = "100%")
        ),
        tags$section(
          class = "card", tags$h2("Inducing points", tags$small("over the rows learned")),
          shiny::plotOutput("growth", height = "100%")
        ),
        watch_box_ui()
      )
    )
  )
  attr(ui, "lang") <- "en"
  ui
}

watch_heading <- function(player) {
  formula <- spec_of(player$gp)$formula
  total <- source_total(player$source)
  paste0(if (!is.null(formula)) paste0(paste(deparse(formula), collapse = " "), ", "), "batches of ",
    count(player$batch_size, "row"), if (is.finite(total)) paste0(", ", count(total, "row"), " in all"))
}

watch_bar <- function(player) {
  tags <- shiny::tags
  tags$div(class = "bar", role = "toolbar", `aria-label` = "Stream",
    shiny::actionButton("toggle", shiny::textOutput("action", inline = TRUE), class = "main"),
    shiny::actionButton("step", "Step", title = "Pause, and take one batch"),
    tags$div(
      class = "speed",
      shiny::selectInput(
        "speed", "Speed", speed_choices(player$speed), player$speed, selectize = FALSE, width = "auto"
      )
    ),
    shiny::actionButton("stop", "Stop", class = "stop", title = "End the page and give the model back to R")
  )
}

speed_choices <- function(speed) {
  speeds <- sort(unique(c(0.5, 1, 2, 5, 10, 20, 50, Inf, speed)))
  labels <- paste(vapply(speeds, format, "", digits = 3), ifelse(speeds == 1, "batch/s", "batches/s"))
  stats::setNames(speeds, ifelse(is.finite(speeds), labels, "As fast as possible"))
}

watch_tiles <- function() {
  tile <- function(id, label) {
    shiny::tags$div(
      class = "tile", shiny::tags$span(label), shiny::tags$b(shiny::textOutput(id, inline = TRUE))
    )
  }
  shiny::tags$div(class = "tiles",
    tile("rows", "Rows learned"), tile("points", "Inducing points"), tile("rmse", "RMSE, last 200 rows"),
    tile("coverage", "Within 95 % interval"), tile("rate", "Rows a second")
  )
}

watch_box_ui <- function() {
  tags <- shiny::tags
  line <- function(label, id) list(tags$dt(label), tags$dd(shiny::textOutput(id, inline = TRUE)))
  tags$section(class = "card predict",
    tags$h2("Predict"),
    shiny::uiOutput("fields"),
    tags$dl(
      line("Mean", "mean"), line("Sd of the function", "sd"), line("95 % of new observations", "interval")
    ),
    tags$div(class = "problem", shiny::textOutput("problem", inline = TRUE))
  )
}

watch_fields_ui <- function(fields) {
  lapply(seq_along(fields), function(i) {
    field <- fields[[i]]
    id <- paste0("at_", i)
    if (is.character(field$value) && is.null(field$levels)) {
      return(shiny::textInput(id, field$name, field$value, width = "auto"))
    }
    if (is.null(field$levels)) {
      return(shiny::numericInput(id, field$name, field$value, step = "any", width = "auto"))
    }
    shiny::selectInput(id, field$name, field$levels, selectize = FALSE, width = "auto")
  })
}

# Under the picture: which columns it shows, and whether only where the latest rows are.
watch_axes_ui <- function(player, fields) {
  if (length(fields) == 0) return(NULL)
  axes <- watch_axes(player$gp)
  choices <- watch_choices(player$gp)
  rows <- stats::setNames(0, paste0(response_name(player$gp), " (newest rows)"))
  near <- shiny::checkboxInput("near", "Only where the latest rows are", width = "auto")
  if (length(choices$across) == 1) return(if (length(choices$up) == 1) near)
  list(
    shiny::selectInput("across", "Across", choices$across, axes[1], selectize = FALSE, width = "auto"),
    shiny::selectInput("up", "Up", c(choices$up, rows), axes[2], selectize = FALSE, width = "auto"),
    near
  )
}
