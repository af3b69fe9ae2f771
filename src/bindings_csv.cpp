// Lines of CSV files -> columns: the plain ones, which are the many. What is not plain is left to R.
#include <Rcpp.h>
#include <R_ext/Utils.h>

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

// As as.numeric() reads it; false where that gives NA.
bool read_number(Field field, std::string& buffer, double& value) {
  buffer.assign(field.begin, field.end);
  char* rest = nullptr;
  value = R_strtod(buffer.c_str(), &rest);
  if (rest == buffer.c_str()) return false;
  while (is_blank(*rest)) ++rest;
  return *rest == '\0' && (!ISNAN(value) || buffer == "NaN");
}

}  // namespace

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
