// One row at a time, the model works in the memory it has. Needs AddressSanitizer, whose allocator tells of every request.
#include "reference.h"

using namespace gpstream;
using namespace reference;

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t), void (*)(const volatile void*));

namespace {

bool counting = false;
std::size_t largest = 0;
void asked(const volatile void*, std::size_t size) {
  if (counting && size > largest) largest = size;
}
void freed(const volatile void*) {}

}  // namespace

TEST("an update by one row that adds no point asks for no memory of the size of the model") {
  static const bool installed = __sanitizer_install_malloc_and_free_hooks(asked, freed) > 0;
  CHECK(installed);
  Random r(3);
  const Matrix X = r.matrix(2000, 2);
  for (const bool read : {false, true}) {
    StreamingGP gp = model(simple("se", 0.1), oips(0.7), 0.01, 100, 2);
    gp.update(X, X.col(0), [] {});
    CHECK(gp.size() > 50);
    if (read) gp.factor();
    for (Index i = 0; i < 1000; ++i) gp.update(X.middleRows(i, 1), X.col(0).segment(i, 1), [] {});  // the window turns over, the history fills
    const Matrix Z = gp.points();
    largest = 0;
    counting = true;
    for (Index i = 0; i < 300; ++i) gp.update(X.middleRows(i, 1), X.col(0).segment(i, 1), [] {});
    counting = false;
    CHECK(gp.size() == Z.rows());
    CHECK(largest < 8 * 50);
  }
}
#endif
