// For tools/fuzz-load.sh: any bytes as a model file, and as the value in one whose size and checksum are
// right.
#include <memory>

#include "../../src/core/file/model_file.h"

using namespace gpstream;

namespace {

void try_to_open(const std::vector<Byte>& bytes) {
  const std::unique_ptr<Byte[]> exact(
      new Byte[bytes.size()]);  // no byte more, so that a look beyond is found
  std::copy(bytes.begin(), bytes.end(), exact.get());
  try {
    open_file(exact.get(), bytes.size());
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const Byte* data, std::size_t size) {
  try_to_open(std::vector<Byte>(data, data + size));
  PlainWriter sealed;
  begin_file(sealed, "0.1.0");
  sealed.bytes.insert(sealed.bytes.end(), data, data + size);
  end_file(sealed);
  try_to_open(sealed.bytes);
  return 0;
}
