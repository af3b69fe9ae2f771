// One row at a time, the model works in the memory it has. Needs AddressSanitizer, whose allocator tells of
// every request.
#include <atomic>

#include "reference.h"

using namespace gpstream;
using namespace reference;

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));

namespace {

std::atomic<bool> counting{false};
std::atomic<std::size_t> largest{0}, all{0};  // threads ask, too
void asked(const volatile void*, std::size_t size) {
  if (!counting) return;
  if (size > largest) largest = size;
  all += size;
}
void freed(const volatile void*) {}
bool listening() {
  static const bool installed = __sanitizer_install_malloc_and_free_hooks(asked, freed) > 0;
  return installed;
}

}  // namespace

TEST("an update by one row that adds no point asks for no memory of the size of the model") {
  CHECK(listening());
  Random r(3);
  const Matrix X = r.matrix(2000, 2);
  for (const bool read : {false, true}) {
    StreamingGP gp = model(simple("se", 0.1), oips(0.7), 0.01, 100, 2);
    gp.update(X, X.col(0), [] {});
    CHECK(gp.size() > 50);
    if (read) gp.factor();
    for (Index i = 0; i < 1000; ++i)
      gp.update(X.middleRows(i, 1), X.col(0).segment(i, 1),
                [] {});  // the window turns over, the history fills
    const Matrix Z = gp.points();
    largest = 0;
    counting = true;
    for (Index i = 0; i < 300; ++i) gp.update(X.middleRows(i, 1), X.col(0).segment(i, 1), [] {});
    counting = false;
    CHECK(gp.size() == Z.rows());
    CHECK(largest < 8 * 50);
  }
}

TEST("a sum by threads has memory for its parts, not for all the threads that were allowed") {
  CHECK(listening());
  const auto before = preferences;
  preferences = [] {
    Preferences out;
    out.threads = 64;
    return out;
  };
  Random r(5);
  for (const Index columns : {30, 75}) {  // one part, which needs none; three parts
    const Matrix A = r.matrix(400, columns);
    Matrix S = Matrix::Zero(400, 400);
    backend();
    all = 0;
    counting = true;
    add_outer(S, A);
    counting = false;
    CHECK(all < (columns == 30 ? 1 : 5) * 8 * 400 * 400);
    CHECK_CLOSE(lower(S), lower(A * A.transpose()), 1e-13);
  }
  preferences = before;
}
#endif
