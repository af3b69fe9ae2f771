# Times as text, in files and databases: ISO 8601, "2024-03-01", "2024-03-01 12:30", "2024-03-01T12:30:00Z",
# with offsets from UTC such as +02:00. Without one it is UTC.

iso_form <- paste0(
  "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
  "([T ]([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.,][0-9]+)?)? ?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)?)?$"
)

# FALSE where something is missing.
is_iso <- function(text) {
  ok <- grepl(iso_form, text)
  ok[ok] <- !is.na(iso_days(text[ok])) # no 30th of February
  ok
}

iso_days <- function(text) as.double(unclass(as.Date(substr(text, 1, 10), "%Y-%m-%d")))

# A Date where all are days, a POSIXct otherwise; NULL unless every value that is not missing is a time.
read_iso <- function(text) {
  there <- which(!is.na(text))
  if (length(there) == 0 || !grepl(iso_form, text[there[1]])) return(NULL) # most text is told by its first
  kinds <- unique(text[there])
  if (!all(is_iso(kinds))) return(NULL)
  at <- match(text, kinds)
  if (all(nchar(kinds) == 10)) return(structure(iso_days(kinds)[at], class = "Date"))
  structure(iso_seconds(kinds)[at], class = c("POSIXct", "POSIXt"), tzone = "UTC")
}

iso_seconds <- function(text) {
  number <- function(from, to, part = text) {
    found <- substr(part, from, to)
    ifelse(nzchar(found), as.double(found), 0)
  }
  offset <- ifelse(grepl("[T ].*[+-]", text), sub("^.*([+-])", "\\1", text), "")
  clock <- sub(" ?(Z|[+-][0-9:]+)$", "", substr(text, 11, nchar(text)))
  seconds <- sub(",", ".", substr(clock, 8, nchar(clock)), fixed = TRUE)
  away <- ifelse(startsWith(offset, "-"), -1, 1) *
    (3600 * number(2, 3, offset) + 60 * number(1, 2, sub(":", "", substr(offset, 4, 6), fixed = TRUE)))
  iso_days(text) * 86400 + 3600 * number(12, 13) + 60 * number(15, 16) +
    ifelse(nzchar(seconds), as.double(seconds), 0) - away
}

# As read_iso() reads it.
format_iso <- function(values) {
  if (inherits(values, "Date")) return(format(values))
  format(values, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
}
