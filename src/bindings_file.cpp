// Model files: convert, call, return.
#include "atomic_file.h"
#include "classed.h"
#include "core/file/format.h"
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

// As take_lock().
// [[Rcpp::export(rng = false)]]
std::string core_lock_take(std::string path, std::string mine, std::string replaces) {
  return classed([&] { return take_lock(path, mine, replaces); });
}

// [[Rcpp::export(rng = false)]]
bool core_process_lives(double pid) { return process_lives(pid); }

// FNV-1a of 64 bits, to tell sources apart: as 16 hexadecimal digits.
// [[Rcpp::export(rng = false)]]
std::string core_hash(Rcpp::RawVector bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const Rbyte byte : bytes) hash = (hash ^ byte) * 0x100000001b3U;
  static const char digits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4) out[i] = digits[hash & 15U];
  return out;
}
