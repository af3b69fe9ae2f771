# The pages in a real browser, 400 pixels wide: which are wider than that, and what they ask another host for. It is the browser of the
# tests of the live page.
browser <- new.env()
sys.source(file.path(root, "tests", "testthat", "helper-browser.R"), browser)

can_look <- function() loads("jsonlite") && !anyNA(c(browser$find_program("chromedriver"), browser$browser_program()))

faults_seen <- function(out) {
  window <- browser$new_browser()
  on.exit(browser$close_browser(window))
  narrow <- list(cmd = "Emulation.setDeviceMetricsOverride", params = list(width = 400, height = 800, deviceScaleFactor = 1, mobile = TRUE))
  browser$http(window$port, "POST", paste0(window$path, "/goog/cdp/execute"), narrow)
  unlist(lapply(list.files(out, "[.]html$", recursive = TRUE), function(page) {
    browser$go_to(window, paste0("file://", file.path(out, page)))
    wide <- browser$run_js(window, "return document.documentElement.scrollWidth")
    asked <- unlist(browser$run_js(window, "return performance.getEntriesByType('resource').map(one => one.name)"))
    strange <- grep("^(file|data):", asked, invert = TRUE, value = TRUE)
    c(if (wide > 400) paste(page, "is", wide, "pixels wide in a window of 400"), if (length(strange) > 0) paste(page, "asks for", strange))
  }))
}
