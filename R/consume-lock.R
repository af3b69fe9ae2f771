# One run at a time has a checkpoint: it says so in <checkpoint>.lock, as long as it lasts.

# The number of the process, its host, when it began, and which of its runs this is. A process that was killed
# leaves its lock behind: the next one on this host takes it over.
new_lock <- function(path) {
  if (is.null(path)) return(NULL)
  locks$count <- locks$count + 1
  pid <- Sys.getpid()
  list(
    file = paste0(if (file.exists(path)) normalizePath(path) else path, ".lock"),
    mine = paste(pid, host_name(), process_start(pid), locks$count, sep = "\n")
  )
}

locks <- list2env(list(count = 0))

take_lock <- function(lock, file) {
  if (is.null(lock)) return(invisible())
  replaces <- ""
  repeat {
    held <- about_file(lock$file, "written", core_lock_take(native_path(lock$file), lock$mine, replaces))
    if (identical(held, lock$mine)) return(invisible())
    if (identical(held, replaces) || !is_left_behind(held)) refuse_lock(held, lock, file)
    replaces <- held
  }
}

drop_lock <- function(lock) {
  if (is.null(lock) || !file.exists(lock$file)) return(invisible())
  held <- tryCatch(readLines(lock$file, warn = FALSE), error = function(e) "", warning = function(w) "")
  if (identical(paste(held, collapse = "\n"), lock$mine)) unlink(lock$file)
}

is_left_behind <- function(held) {
  words <- strsplit(held, "\n", fixed = TRUE)[[1]]
  if (length(words) != 4 || words[2] != host_name()) return(FALSE)
  pid <- suppressWarnings(as.numeric(words[1]))
  !is.na(pid) && (!core_process_lives(pid) || process_start(pid) != words[3])
}

refuse_lock <- function(held, lock, file) {
  words <- strsplit(held, "\n", fixed = TRUE)[[1]]
  here <- length(words) > 1 && words[2] == host_name()
  holder <- if (length(words) < 2) {
    "another process"
  } else {
    paste0("process ", words[1], if (words[1] == Sys.getpid() && here) " (this one)",
      if (!here) paste(" on the host", dQuote(words[2], FALSE)))
  }
  abort("locked", "`checkpoint` ", dQuote(file, FALSE), " is in use by ", holder, ". Wait until it has ended",
    if (!here) paste0("; if it has, delete ", dQuote(lock$file, FALSE)), ".")
}

host_name <- function() gsub("\n", " ", Sys.info()[["nodename"]], fixed = TRUE)

# In ticks since the host was started, where the system tells: another process may get the number of one that
# has ended.
process_start <- function(pid) {
  file <- paste0("/proc/", format(pid, scientific = FALSE), "/stat")
  stat <- tryCatch(readLines(file, 1, warn = FALSE), error = function(e) "", warning = function(w) "")
  fields <- strsplit(sub(".*[)] ", "", stat), " ", fixed = TRUE)[[1]]
  if (length(fields) < 20) return("unknown")
  if (fields[1] %in% c("Z", "X")) "ended" else fields[20] # Z: nobody has asked how it ended
}
