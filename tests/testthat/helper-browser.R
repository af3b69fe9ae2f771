# A real browser for the live page: Chromium without a window, driven by chromedriver over HTTP (the WebDriver standard), with nothing
# but base R and jsonlite. Nothing here waits for a fixed time: until() asks again and again.

# Look for something until `ask()` gives TRUE, at most `seconds`: many, as a machine that does other things too is slow.
until <- function(ask, seconds = 60) {
  end <- proc.time()[["elapsed"]] + seconds
  repeat {
    if (isTRUE(tryCatch(suppressWarnings(ask()), error = function(e) FALSE))) return(TRUE)
    if (proc.time()[["elapsed"]] > end) return(FALSE)
    Sys.sleep(0.05)
  }
}

find_program <- function(names) {
  found <- Sys.which(names)
  unname(found[nzchar(found)][1])
}

skip_without_browser <- function() {
  testthat::skip_on_cran()
  testthat::skip_on_os("windows")
  testthat::skip_if_not_installed("shiny")
  testthat::skip_if_not_installed("jsonlite")
  if (is.na(find_program("chromedriver"))) testthat::skip("no chromedriver (Debian: apt-get install chromium chromium-driver)")
  if (is.na(browser_program())) testthat::skip("no Chromium")
}

browser_program <- function() find_program(c("chromium", "chromium-browser", "google-chrome"))

# A program in the background: its process id, and the file with what it says.
in_background <- function(command) {
  log <- tempfile("background-")
  pid <- paste0(log, ".pid")
  # the shell becomes the program, so that its process id is the program's
  system2("sh", c("-c", shQuote(paste0("echo $$ > ", shQuote(pid), "; exec env ", command))), stdout = log, stderr = log, wait = FALSE)
  until(function() length(readLines(pid)) == 1)
  list(pid = as.integer(readLines(pid)), log = log)
}

said <- function(process) paste(readLines(process$log, warn = FALSE), collapse = "\n")

ended <- function(process) !tools::pskill(process$pid, 0)

# The number after `text` in what a program said, once it has said it.
said_number <- function(process, text, seconds = 60) {
  pattern <- paste0(".*", text, "([0-9]+).*")
  if (!until(function() grepl(pattern, said(process)), seconds)) stop("'", text, "' was not said, but: ", said(process))
  as.integer(sub(pattern, "\\1", said(process)))
}

# Starts `code`, which calls watch(); its process, with the port.
watch_process <- function(code) {
  file <- tempfile(fileext = ".R")
  writeLines(c("library(gpstream)", code), file)
  process <- in_background(paste(libraries(), shQuote(file.path(R.home("bin"), "Rscript")), shQuote(file)))
  process$port <- said_number(process, "Listening on http://127.0.0.1:")
  process
}

# --- HTTP ----------------------------------------------------------------------------------------------------------------

http <- function(port, method, path, body = NULL) {
  connection <- socketConnection("127.0.0.1", port, open = "r+b", blocking = TRUE, timeout = 30)
  on.exit(close(connection))
  content <- charToRaw(if (is.null(body)) "" else as.character(jsonlite::toJSON(body, auto_unbox = TRUE, null = "null")))
  head <- paste0(method, " ", path, " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ", length(content), "\r\n\r\n")
  writeBin(c(charToRaw(head), content), connection)
  length <- 0
  while (nzchar(line <- sub("\r$", "", readLines(connection, 1)))) {
    if (grepl("^content-length:", line, ignore.case = TRUE)) length <- as.integer(sub(".*: *", "", line))
  }
  answer <- raw()
  while (base::length(answer) < length) answer <- c(answer, readBin(connection, "raw", length - base::length(answer)))
  answer <- rawToChar(answer)
  Encoding(answer) <- "UTF-8"
  jsonlite::fromJSON(answer, simplifyVector = FALSE)$value
}

# --- WebDriver -----------------------------------------------------------------------------------------------------------

new_browser <- function(width = 1280, height = 800) {
  driver <- in_background(paste(shQuote(find_program("chromedriver")), "--port=0"))
  port <- said_number(driver, "started successfully on port ")
  options <- list(
    binary = browser_program(),
    # inside a container there is no room for the sandbox and for shared memory
    args = list("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", paste0("--window-size=", width, ",", height))
  )
  session <- http(port, "POST", "/session", list(capabilities = list(alwaysMatch = list(browserName = "chrome", `goog:chromeOptions` = options))))
  if (is.null(session$sessionId)) stop("no browser: ", session$message)
  list(driver = driver, port = port, path = paste0("/session/", session$sessionId))
}

close_browser <- function(browser) {
  try(http(browser$port, "DELETE", browser$path), silent = TRUE)
  tools::pskill(browser$driver$pid)
}

go_to <- function(browser, url) http(browser$port, "POST", paste0(browser$path, "/url"), list(url = url))

# The value of JavaScript, which says `return`; what stands in `...` is arguments[0] and so on.
run_js <- function(browser, script, ...) {
  answer <- http(browser$port, "POST", paste0(browser$path, "/execute/sync"), list(script = script, args = list(...)))
  if (is.list(answer) && !is.null(answer$error)) stop(answer$message)
  answer
}

element <- function(browser, css) {
  found <- http(browser$port, "POST", paste0(browser$path, "/element"), list(using = "css selector", value = css))
  if (!is.null(found$error)) stop(found$message)
  paste0(browser$path, "/element/", found[[1]])
}

# As a person does it: fails when something lies over the element.
click <- function(browser, css) {
  answer <- http(browser$port, "POST", paste0(element(browser, css), "/click"), structure(list(), names = character()))
  if (!is.null(answer$error)) stop(answer$message)
}

press_keys <- function(browser, css, text) http(browser$port, "POST", paste0(element(browser, css), "/value"), list(text = text))

text_of <- function(browser, css) http(browser$port, "GET", paste0(element(browser, css), "/text"))

screenshot <- function(browser, file) {
  writeBin(jsonlite::base64_dec(http(browser$port, "GET", paste0(browser$path, "/screenshot"))), file)
}
