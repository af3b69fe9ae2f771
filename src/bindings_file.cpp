// Model files: convert, call, return.
#include "atomic_file.h"
#include "classed.h"
#include "core/file/model_file.h"
#include "plain_r.h"

using namespace gpstream;

// [[Rcpp::export(rng = false)]]
void core_file_write(SEXP value, std::string version, std::string path) {
  classed([&] {
    PlainWriter out;
    begin_file(out, version);
    PlainFromR(out).value(value);
    end_file(out);
    write_file(path, out.bytes);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_file_read(std::string path) {
  return classed([&]() -> SEXP {
    const std::vector<Byte> bytes = read_file(path, head_size, check_head);
    return PlainToR::value(open_file(bytes.data(), bytes.size()));
  });
}

// The format of states, in lists and in files.
// [[Rcpp::export(rng = false)]]
double core_format() { return format_number; }
