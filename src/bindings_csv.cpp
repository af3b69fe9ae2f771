// Lines of CSV files -> columns: the plain ones, which are the many. What is not plain is left to R. Lines
// that are to hold numbers only need not become text first.
#include "gpstream_types.h"
#include <R_ext/Utils.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Field {
  const char* begin;
  const char* end;
};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Field trimmed(Field field) {
  while (field.begin < field.end && is_blank(*field.begin)) ++field.begin;
  while (field.begin < field.end && is_blank(field.end[-1])) --field.end;
  return field;
}

// Up to the next separator, or what stands between two quotes; nothing where quotes stand elsewhere.
Field next_field(const char* at, const char* end, char sep) {
  const bool quoted = at < end && *at == '"';
  if (quoted) ++at;
  const char* stop = at;
  while (stop < end && *stop != '"' && (quoted || *stop != sep)) ++stop;
  if (quoted != (stop < end && *stop == '"')) return {nullptr, nullptr};
  return {at, stop};
}

class Missing {
  std::vector<std::string> words;

 public:
  explicit Missing(const Rcpp::CharacterVector& given) {
    for (R_xlen_t i = 0; i < given.size(); ++i) words.emplace_back(CHAR(STRING_ELT(given, i)));
  }
  bool operator()(Field field) const {
    field = trimmed(field);
    const std::size_t size = field.end - field.begin;
    for (const std::string& word : words)
      if (word.size() == size && word.compare(0, size, field.begin, size) == 0) return true;
    return false;
  }
};

// What other programs write for a number that is missing, in any case of letters.
bool means_no_number(Field field) {
  static const char* const words[] = {"nan", "na", "n/a", "null"};
  field = trimmed(field);
  const std::size_t size = field.end - field.begin;
  const auto equal = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  for (const char* const word : words)
    if (std::strlen(word) == size && std::equal(field.begin, field.end, word, equal)) return true;
  return size == 0;
}

// As as.numeric() reads it, NA where a word means that; false for other words.
bool read_number(Field field, std::string& buffer, double& value) {
  buffer.assign(field.begin, field.end);
  char* rest = nullptr;
  value = R_strtod(buffer.c_str(), &rest);
  while (is_blank(*rest)) ++rest;
  if (rest != buffer.c_str() && rest == buffer.c_str() + buffer.size()) return true;
  value = NA_REAL;
  return means_no_number(field);
}

// Where the line ends, as readLines() has it: at \n, \r or \r\n.
const char* line_end(const char* at, const char* end) {
  while (at < end && *at != '\n' && *at != '\r') ++at;
  return at;
}

const char* next_line(const char* stop) { return stop + (stop[0] == '\r' && stop[1] == '\n' ? 2 : 1); }

}  // namespace

// Which words mean that a number is missing?
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector core_csv_no_number(Rcpp::CharacterVector words) {
  Rcpp::LogicalVector out(words.size());
  for (R_xlen_t i = 0; i < words.size(); ++i) {
    const char* const word = CHAR(STRING_ELT(words, i));
    out[i] = words[i] == NA_STRING || means_no_number({word, word + std::strlen(word)});
  }
  return out;
}

// A column for each entry of `numeric`, of numbers or of words; NULL where a line has another number of
// fields or where a number is none, for R to say so.
// [[Rcpp::export(rng = false)]]
SEXP core_csv_columns(Rcpp::CharacterVector text, std::string sep, Rcpp::LogicalVector numeric,
                      Rcpp::CharacterVector missing) {
  const R_xlen_t rows = text.size(), width = numeric.size();
  const Missing is_missing(missing);
  Rcpp::List out(width);
  std::vector<double*> numbers(width, nullptr);
  for (R_xlen_t j = 0; j < width; ++j) {
    out[j] = Rf_allocVector(numeric[j] ? REALSXP : STRSXP, rows);
    if (numeric[j]) numbers[j] = REAL(out[j]);
  }
  std::string buffer;
  for (R_xlen_t i = 0; i < rows; ++i) {
    const SEXP line = STRING_ELT(text, i);
    const char *at = CHAR(line), *const end = at + LENGTH(line);
    for (R_xlen_t j = 0; j < width; ++j) {
      const Field field = next_field(at, end, sep[0]);
      if (!field.begin) return R_NilValue;
      at = field.end + (field.begin > at);  // behind the closing quote
      if ((at == end) != (j == width - 1) || (at < end && *at != sep[0])) return R_NilValue;
      ++at;
      if (is_missing(field)) {
        if (numbers[j])
          numbers[j][i] = NA_REAL;
        else
          SET_STRING_ELT(out[j], i, NA_STRING);
      } else if (!numbers[j]) {
        const int size = static_cast<int>(field.end - field.begin);
        SET_STRING_ELT(out[j], i, Rf_mkCharLenCE(field.begin, size, Rf_getCharCE(line)));
      } else if (!read_number(field, buffer, numbers[j][i])) {
        return R_NilValue;
      }
    }
  }
  return out;
}

// How many lines, at most n, are whole in `bytes` from `at` on, and where they end. Of the last byte it is
// not known whether its line ends there, unless it is \n.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector core_csv_lines(Rcpp::RawVector bytes, double at, double n) {
  const char *const begin = reinterpret_cast<const char*>(RAW(bytes)), *const end = begin + bytes.size();
  const char* from = begin + static_cast<R_xlen_t>(at);
  double lines = 0;
  while (lines < n) {
    const char* const stop = line_end(from, end);
    if (stop == end || (stop + 1 == end && *stop == '\r')) break;
    from = next_line(stop);
    ++lines;
  }
  return Rcpp::NumericVector::create(lines, static_cast<double>(from - begin));
}

// `width` columns of numbers from the next n lines, which are known to be whole; NULL where a line is blank
// or not plain.
// [[Rcpp::export(rng = false)]]
SEXP core_csv_numbers(Rcpp::RawVector bytes, double at, double n, std::string sep, double width,
                      Rcpp::CharacterVector missing) {
  const R_xlen_t rows = static_cast<R_xlen_t>(n), columns = static_cast<R_xlen_t>(width);
  const Missing is_missing(missing);
  Rcpp::List out(columns);
  std::vector<double*> numbers(columns);
  for (R_xlen_t j = 0; j < columns; ++j) {
    out[j] = Rf_allocVector(REALSXP, rows);
    numbers[j] = REAL(out[j]);
  }
  const char *from = reinterpret_cast<const char*>(RAW(bytes)), *const end = from + bytes.size();
  from += static_cast<R_xlen_t>(at);
  std::string buffer;
  for (R_xlen_t i = 0; i < rows; ++i) {
    const char *const stop = line_end(from, end), *field_at = from;
    const Field line = trimmed({from, stop});
    if (stop == end || line.begin == line.end) return R_NilValue;
    for (R_xlen_t j = 0; j < columns; ++j) {
      const Field field = next_field(field_at, stop, sep[0]);
      if (!field.begin) return R_NilValue;
      field_at = field.end + (field.begin > field_at);  // behind the closing quote
      if ((field_at == stop) != (j == columns - 1) || (field_at < stop && *field_at != sep[0]))
        return R_NilValue;
      ++field_at;
      if (is_missing(field))
        numbers[j][i] = NA_REAL;
      else if (!read_number(field, buffer, numbers[j][i]))
        return R_NilValue;
    }
    from = next_line(stop);
  }
  return out;
}
