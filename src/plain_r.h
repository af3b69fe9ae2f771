// Between R values and the plain values of a model file. Only these: NULL, logical, integer, double and
// character vectors, lists, and calls and symbols, which formulas are made of; with the attributes below. No
// function, environment, pointer or promise has a form here.
#ifndef GPSTREAM_PLAIN_R_H
#define GPSTREAM_PLAIN_R_H

#include "gpstream_types.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/file/plain_value.h"

namespace gpstream {

// In the order in which they are written, which is one in which they can be set.
constexpr std::array<const char*, 7> plain_attributes = {
    {"dim", "dimnames", "names", "levels", "tzone", "units", "class"}};
constexpr std::array<const char*, 9> plain_classes = {{"factor", "ordered", "Date", "POSIXct", "POSIXt",
                                                       "difftime", "gpstream_kernel", "gpstream_selector",
                                                       "gpstream_likelihood"}};

// --- from R

class PlainFromR {
 public:
  explicit PlainFromR(PlainWriter& out) : out_(out) {}

  void value(SEXP x, int level = 0) {
    refuse(level >= most_levels - 1, "lists within lists within lists");
    if (TYPEOF(x) == LANGSXP) return call(x, level);
    if (is_lower(x)) return lower(x);
    const std::vector<std::pair<std::string, SEXP>> attributes = attributes_of(x);
    const R_xlen_t n = TYPEOF(x) == SYMSXP ? 1 : Rf_xlength(x);
    out_.head(kind_of(x), !attributes.empty(), static_cast<std::uint64_t>(n));
    switch (TYPEOF(x)) {
      case LGLSXP:
      case INTSXP: {
        const int* values = TYPEOF(x) == LGLSXP ? LOGICAL(x) : INTEGER(x);
        for (R_xlen_t i = 0; i < n; ++i) out_.integer(values[i]);
        break;
      }
      case REALSXP:
        for (R_xlen_t i = 0; i < n; ++i) out_.real(REAL(x)[i]);
        break;
      case STRSXP:
        for (R_xlen_t i = 0; i < n; ++i) text(STRING_ELT(x, i));
        break;
      case SYMSXP:
        if (x == R_MissingArg)
          out_.text("", 0);
        else
          text(PRINTNAME(x));
        break;
      case VECSXP:
        for (R_xlen_t i = 0; i < n; ++i) value(VECTOR_ELT(x, i), level + 1);
        break;
      default:
        break;
    }
    out_.fill();
    if (attributes.empty()) return;
    out_.attribute_count(attributes.size());
    for (const auto& one : attributes) {
      out_.attribute_name(one.first);
      value(one.second, level + 1);
    }
  }

 private:
  static void refuse(bool bad, const std::string& what) {
    require(!bad, "type", "the model holds " + what + ", which a model file cannot; saveRDS() can.");
  }

  static Kind kind_of(SEXP x) {
    switch (TYPEOF(x)) {
      case NILSXP:
        return Kind::nothing;
      case LGLSXP:
        return Kind::logical;
      case INTSXP:
        return Kind::integer;
      case REALSXP:
        return Kind::real;
      case STRSXP:
        return Kind::text;
      case VECSXP:
        return Kind::list;
      case SYMSXP:
        return Kind::symbol;
      default:
        break;
    }
    refuse(true, std::string("a value of type ") + Rf_type2char(TYPEOF(x)));
    return Kind::nothing;
  }

  void text(SEXP string) {
    if (string == NA_STRING) return out_.no_text();
    const char* utf8 = Rf_translateCharUTF8(string);
    const std::size_t size = std::strlen(utf8);
    refuse(!is_utf8(reinterpret_cast<const Byte*>(utf8), size), "a text that is not UTF-8");
    out_.text(utf8, size);
  }

  static std::vector<std::pair<std::string, SEXP>> attributes_of(SEXP x) {
    std::vector<std::pair<std::string, SEXP>> out;
    if (TYPEOF(x) == SYMSXP || TYPEOF(x) == NILSXP) return out;
    refuse(IS_S4_OBJECT(x), "an S4 object");
    std::size_t found = 0, all = 0;
    for (SEXP node = ATTRIB(x); node != R_NilValue; node = CDR(node)) ++all;
    for (const char* name : plain_attributes) {
      const SEXP value = Rf_getAttrib(x, Rf_install(name));
      if (value == R_NilValue) continue;
      ++found;
      out.emplace_back(name, value);
      if (std::string(name) == "class")
        for (R_xlen_t i = 0; i < Rf_xlength(value); ++i) {
          const std::string one = CHAR(STRING_ELT(value, i));
          refuse(std::find(plain_classes.begin(), plain_classes.end(), one) == plain_classes.end(),
                 "an object of class <" + one + ">");
        }
    }
    refuse(found != all, "a value with other attributes than those of a vector, matrix or factor");
    return out;
  }

  // A square matrix of at least two rows with nothing but +0 above its diagonal.
  static bool is_lower(SEXP x) {
    if (TYPEOF(x) != REALSXP || !Rf_isMatrix(x) || CDR(ATTRIB(x)) != R_NilValue) return false;
    const R_xlen_t n = Rf_nrows(x);
    if (n < 2 || Rf_ncols(x) != n) return false;
    const double zero = 0.0, *at = REAL(x);
    for (R_xlen_t j = 1; j < n; ++j)
      for (R_xlen_t i = 0; i < j; ++i)
        if (std::memcmp(at + i + j * n, &zero, sizeof zero) != 0) return false;
    return true;
  }
  void lower(SEXP x) {
    const R_xlen_t n = Rf_nrows(x);
    out_.head(Kind::lower, false, static_cast<std::uint64_t>(n));
    for (R_xlen_t j = 0; j < n; ++j)
      for (R_xlen_t i = j; i < n; ++i) out_.real(REAL(x)[i + j * n]);
  }

  // Names of arguments as an attribute.
  void call(SEXP x, int level) {
    refuse(ATTRIB(x) != R_NilValue, "a call with attributes");
    const R_xlen_t n = Rf_xlength(x);
    bool named = false;
    for (SEXP node = x; node != R_NilValue; node = CDR(node)) named = named || TAG(node) != R_NilValue;
    out_.head(Kind::call, named, static_cast<std::uint64_t>(n));
    for (SEXP node = x; node != R_NilValue; node = CDR(node)) value(CAR(node), level + 1);
    if (!named) return;
    out_.attribute_count(1);
    out_.attribute_name("names");
    out_.head(Kind::text, false, static_cast<std::uint64_t>(n));
    for (SEXP node = x; node != R_NilValue; node = CDR(node))
      TAG(node) == R_NilValue ? out_.text("", 0) : text(PRINTNAME(TAG(node)));
    out_.fill();
  }

  PlainWriter& out_;
};

// --- to R

inline SEXP r_string(const PlainText& text) {
  return text.missing ? NA_STRING : Rf_mkCharLenCE(text.at, static_cast<int>(text.size), CE_UTF8);
}

// Anything that R itself would stumble over is refused before R sees it.
class PlainToR {
 public:
  static SEXP value(const PlainValue& from) {
    if (from.kind == Kind::nothing) return R_NilValue;
    if (from.kind == Kind::symbol) return symbol(from.texts[0]);
    if (from.kind == Kind::call) return call(from);
    if (from.kind == Kind::lower) return lower(from);
    const R_xlen_t n = static_cast<R_xlen_t>(from.length);
    check_attributes(from);
    Rcpp::RObject out;
    switch (from.kind) {
      case Kind::logical:
      case Kind::integer: {
        out = Rf_allocVector(from.kind == Kind::logical ? LGLSXP : INTSXP, n);
        int* values = from.kind == Kind::logical ? LOGICAL(out) : INTEGER(out);
        for (R_xlen_t i = 0; i < n; ++i) values[i] = from.integer(static_cast<std::uint64_t>(i));
        break;
      }
      case Kind::real:
        out = Rf_allocVector(REALSXP, n);
        for (R_xlen_t i = 0; i < n; ++i) REAL(out)[i] = from.real(static_cast<std::uint64_t>(i));
        break;
      case Kind::text:
        out = Rf_allocVector(STRSXP, n);
        for (R_xlen_t i = 0; i < n; ++i)
          SET_STRING_ELT(out, i, r_string(from.texts[static_cast<std::size_t>(i)]));
        break;
      default:
        out = Rf_allocVector(VECSXP, n);
        for (R_xlen_t i = 0; i < n; ++i)
          SET_VECTOR_ELT(out, i, value(from.parts[static_cast<std::size_t>(i)]));
    }
    for (const char* name : plain_attributes)
      if (const PlainValue* attribute = from.attribute(name)) {
        const Rcpp::RObject one(value(*attribute));
        Rf_setAttrib(out, Rf_install(name), one);
      }
    return out;
  }

 private:
  static void check(bool ok) { require(ok, "corrupt", "it does not hold together."); }

  static SEXP symbol(const PlainText& name) {
    check(name.size < 256);
    if (name.size == 0) return R_MissingArg;
    const Rcpp::Shield<SEXP> string(r_string(name));
    return Rf_installTrChar(string);
  }

  static SEXP call(const PlainValue& from) {
    const PlainValue* names = from.attribute("names");
    check(from.attributes.size() == (names != nullptr ? 1U : 0U));
    check(names == nullptr ||
          (names->kind == Kind::text && names->length == from.length && names->attributes.empty()));
    check(from.parts[0].kind == Kind::symbol || from.parts[0].kind == Kind::call);
    check(from.parts[0].kind == Kind::call || from.parts[0].texts[0].size > 0);
    Rcpp::Shield<SEXP> out(Rf_allocVector(LANGSXP, static_cast<R_xlen_t>(from.length)));
    SEXP node = out;
    for (std::size_t i = 0; i < from.parts.size(); ++i, node = CDR(node)) {
      SETCAR(node, value(from.parts[i]));
      if (names == nullptr || names->texts[i].size == 0) continue;
      check(!names->texts[i].missing);
      SET_TAG(node, symbol(names->texts[i]));
    }
    return out;
  }

  static SEXP lower(const PlainValue& from) {
    const R_xlen_t n = static_cast<R_xlen_t>(from.length);
    Rcpp::NumericMatrix out(static_cast<int>(n), static_cast<int>(n));
    std::uint64_t next = 0;
    for (R_xlen_t j = 0; j < n; ++j)
      for (R_xlen_t i = j; i < n; ++i) out[i + j * n] = from.real(next++);
    return out;
  }

  static bool plain_text(const PlainValue& value) {
    return value.kind == Kind::text && value.attributes.empty() &&
           std::none_of(value.texts.begin(), value.texts.end(),
                        [](const PlainText& text) { return text.missing; });
  }

  static void check_attributes(const PlainValue& from) {
    std::vector<std::uint64_t> sizes;
    for (const auto& one : from.attributes)
      check(std::find(plain_attributes.begin(), plain_attributes.end(), one.first) != plain_attributes.end());
    if (const PlainValue* dim = from.attribute("dim")) {
      check(dim->kind == Kind::integer && dim->length > 0 && dim->length <= 8 && dim->attributes.empty());
      std::uint64_t entries = 1;
      bool empty = false;
      for (std::uint64_t i = 0; i < dim->length; ++i) {
        check(dim->integer(i) >= 0);
        sizes.push_back(static_cast<std::uint64_t>(dim->integer(i)));
        empty = empty || sizes.back() == 0;
      }
      for (std::uint64_t size : sizes) {
        check(empty || entries * size <= from.length);
        if (!empty) entries *= size;
      }
      check((empty ? 0 : entries) == from.length);
      check(from.attribute("names") == nullptr);
    }
    if (const PlainValue* names = from.attribute("dimnames")) {
      check(names->kind == Kind::list && !sizes.empty() && names->length == sizes.size());
      check(names->attributes.size() <= 1 &&
            (names->attributes.empty() || names->attribute("names") != nullptr));
      for (std::size_t i = 0; i < sizes.size(); ++i)
        check(names->parts[i].kind == Kind::nothing ||
              (plain_text(names->parts[i]) && names->parts[i].length == sizes[i]));
    }
    if (const PlainValue* names = from.attribute("names"))
      check(names->kind == Kind::text && names->attributes.empty() && names->length == from.length);
    if (const PlainValue* levels = from.attribute("levels")) check(plain_text(*levels));
    for (const char* word : {"tzone", "units"})
      if (const PlainValue* value = from.attribute(word)) check(plain_text(*value) && value->length > 0);
    if (const PlainValue* classes = from.attribute("class")) check_class(from, *classes);
  }

  static void check_class(const PlainValue& from, const PlainValue& classes) {
    check(plain_text(classes) && classes.length > 0);
    for (const PlainText& one : classes.texts) {
      const std::string word = one.string();
      check(std::find(plain_classes.begin(), plain_classes.end(), word) != plain_classes.end());
      if (word.rfind("gpstream_", 0) == 0) check(from.kind == Kind::list);
      if (word == "Date" || word == "POSIXct" || word == "difftime")
        check(from.kind == Kind::real || from.kind == Kind::integer);
      if (word != "factor") continue;
      const PlainValue* levels = from.attribute("levels");
      check(from.kind == Kind::integer && levels != nullptr);
      for (std::uint64_t i = 0; i < from.length; ++i)
        check(from.integer(i) == INT32_MIN ||
              (from.integer(i) >= 1 && static_cast<std::uint64_t>(from.integer(i)) <= levels->length));
    }
  }
};

}  // namespace gpstream

#endif
