# The live page as an app: a clock that runs the player, and for each open page its buttons, numbers and
# pictures. The clock belongs to the app and not to a page, so that two pages show one stream.

# `leaves`: ends when the last page is closed. A page that is only loaded anew is back within `grace` seconds.
watch_app <- function(player, leaves = TRUE, grace = 3) {
  page <- list2env(list(
    player = player, leaves = leaves, grace = grace,
    open = 0, alone = NA, # pages that are open, and the time at which the last one was closed
    ticked = NA, cycle = 0, # when the clock last changed something, and the seconds until the page had it
    shown = shiny::reactiveVal(-1), # changes when the page is to be drawn anew
    status = shiny::reactiveVal(NULL), fields = shiny::reactiveVal(NULL) # change rarely
  ), parent = emptyenv())
  shiny::shinyApp(
    ui = function(request) watch_ui(player),
    server = function(input, output, session) watch_server(page, input, output, session),
    onStart = function() {
      ticker <- shiny::observe(watch_tick(page), domain = NULL)
      shiny::onStop(ticker$destroy, session = NULL)
    }
  )
}

# Several times a second, and with a pause after each time, in which the buttons are heard.
watch_tick <- function(page) {
  shiny::invalidateLater(max(150, 1000 * page$cycle + 100), NULL)
  shiny::isolate({
    if (page$open > 0) {
      start <- wall_clock()
      player_tick(page$player)
      if (page$player$changes != page$shown()) page$ticked <- start
      show_player(page)
    } else if (page$leaves && !is.na(page$alone) && wall_clock() - page$alone > page$grace) {
      page$alone <- NA
      shiny::stopApp(invisible(page$player$gp))
    }
  })
}

show_player <- function(page) {
  page$shown(page$player$changes)
  page$status(player_status(page$player))
  page$fields(lapply(player_fields(page$player), `[`, c("name", "levels")))
}

watch_server <- function(page, input, output, session) {
  page$open <- page$open + 1
  session$onSessionEnded(function() {
    page$open <- page$open - 1
    if (page$open == 0) page$alone <- wall_clock()
  })
  session$onFlushed(function() {
    if (!is.na(page$ticked)) page$cycle <- wall_clock() - page$ticked
    page$ticked <- NA
  }, once = FALSE)
  show_player(page)
  watch_buttons(page, input)
  watch_words(page, output)
  watch_numbers(page, output)
  watch_pictures(page, input, output)
  watch_box(page, input, output)
}

watch_buttons <- function(page, input) {
  player <- page$player
  on <- function(event, action) {
    shiny::observeEvent(event(), {
      action()
      show_player(page)
    }, ignoreInit = TRUE)
  }
  on(function() input$toggle, function() {
    if (player$state == "running") player_pause(player) else player_resume(player)
  })
  on(function() input$step, function() {
    player_pause(player)
    player_step(player)
  })
  on(function() input$speed, function() player_speed(player, as.numeric(input$speed)))
  on(function() input$stop, function() {
    player_pause(player)
    shiny::stopApp(invisible(player$gp))
  })
}

watch_words <- function(page, output) {
  output$state <- shiny::renderUI(shiny::tags$span(class = page$status()$class, page$status()$state))
  output$action <- shiny::renderText(page$status()$action)
  output$trouble <- shiny::renderText(page$status()$trouble)
  output$note <- shiny::renderText(page$status()$note)
  for (id in c("trouble", "note")) shiny::outputOptions(output, id, suspendWhenHidden = FALSE)
}

# The state of the player in words.
player_status <- function(player) {
  failed <- !is.null(player$trouble)
  words <- list(running = "Running", paused = "Paused", ended = "End of the stream")
  actions <- list(running = "Pause", paused = "Resume", ended = "Look for new rows")
  list(
    class = if (failed) "failed" else if (is_final(player)) "final" else player$state,
    state = if (failed) "Error" else words[[player$state]],
    action = if (is_final(player)) NULL else actions[[player$state]],
    trouble = if (failed) {
      paste0("Batch ", whole(player$batch), " was not learned: ", sub("[.]?$", ".", trimws(player$trouble)),
        " The model is as it was before it; Resume goes on with the next one.")
    },
    note = player$note
  )
}

watch_numbers <- function(page, output) {
  show <- function(text) {
    shiny::renderText({
      page$shown()
      text(page$player)
    })
  }
  output$rows <- show(function(player) whole(gp_info(player$gp)$nobs))
  output$points <- show(function(player) whole(gp_info(player$gp)$size))
  output$rmse <- show(function(player) brief(player_recent(player$record)$rmse))
  output$coverage <- show(function(player) percent(player_recent(player$record)$coverage))
  output$rate <- show(function(player) {
    if (player$state == "running") brief(player_rate(player$pace)) else brief(NA)
  })
}

dash <- "\u2013"
brief <- function(x) {
  if (is.finite(x)) {
    format(signif(x, 3), big.mark = ",", scientific = abs(x) >= 1e6 || (x != 0 && abs(x) < 1e-4))
  } else {
    dash
  }
}
percent <- function(x) if (is.finite(x)) paste(round(100 * x), "%") else dash

watch_pictures <- function(page, input, output) {
  player <- page$player
  # what the boxes say, once there are any
  choice <- function(value) if (is.null(value)) NULL else as.numeric(value)
  output$axes <- shiny::renderUI(watch_axes_ui(player, page$fields()))
  output$picture <- shiny::renderPlot({
    page$shown()
    graphics::par(mar = c(3.2, 3.6, 3, 1), mgp = c(2.1, 0.6, 0), tcl = -0.3)
    watch_picture(player, choice(input$across), choice(input$up), isTRUE(input$near))
  }, res = 96, alt = "The prediction with the newest rows and the inducing points")
  small <- function(draw, alt) {
    shiny::renderPlot({
      page$shown()
      graphics::par(mar = c(1.6, 3.2, 0.5, 3), mgp = c(1.6, 0.4, 0), tcl = -0.3)
      draw(player)
    }, res = 84, alt = alt)
  }
  output$error <- small(watch_error, "Root mean squared error over the rows learned")
  output$growth <- small(watch_growth, "Number of inducing points over the rows learned")
}

watch_box <- function(page, input, output) {
  player <- page$player
  output$fields <- shiny::renderUI({
    page$fields()
    watch_fields_ui(player_fields(player))
  })
  answer <- shiny::reactive({
    page$shown()
    fields <- page$fields()
    player_predict(player, lapply(seq_along(fields), function(i) input[[paste0("at_", i)]]))
  })
  output$mean <- shiny::renderText(if (is.null(answer()$problem)) format(answer()$mean, digits = 6) else dash)
  output$sd <- shiny::renderText(if (is.null(answer()$problem)) format(answer()$sd, digits = 4) else dash)
  output$interval <- shiny::renderText({
    if (is.null(answer()$problem)) {
      paste(format(answer()$lwr, digits = 4), "to", format(answer()$upr, digits = 4))
    } else {
      dash
    }
  })
  output$problem <- shiny::renderText(answer()$problem)
}
