// Rows kept to learn from.
#include <set>

#include "../../src/core/learn/memory.h"
#include "check.h"

using namespace gpstream;

namespace {

// Row i of the stream has the input i and the output -i.
Sample rows(Index from, Index count) {
  Sample out{Matrix(count, 1), Vector(count), Vector::Ones(count)};
  for (Index i = 0; i < count; ++i) out.X(i, 0) = static_cast<double>(from + i), out.y(i) = -out.X(i, 0);
  return out;
}

Memory after(Index n, Index by, Index limit = 100) {
  Memory out(limit, 1);
  for (Index from = 0; from < n; from += by) out.add(rows(from, std::min(by, n - from)));
  return out;
}

}  // namespace

TEST("a memory holds all rows while they are few, then at most its limit, the latest fifth among them") {
  for (const Index n : {1, 20, 99, 100}) CHECK(after(n, 7).rows().size() == n);
  for (const Index n : {101, 350, 5000}) {
    const Sample kept = after(n, 7).rows();
    CHECK(kept.size() <= 100 && kept.size() > 80);
    for (Index i = 0; i < 20; ++i) CHECK(kept.y(kept.size() - 1 - i) == -static_cast<double>(n - 1 - i));
    CHECK((kept.X.col(0) + kept.y).cwiseAbs().maxCoeff() == 0);
  }
}

TEST("a memory does not depend on how the stream is cut") {
  for (const Index n : {137, 2003}) {
    const Memory one = after(n, 1), many = after(n, n), some = after(n, 13);
    CHECK(Matrix(one.stored()) == Matrix(many.stored()) && Matrix(one.stored()) == Matrix(some.stored()));
    CHECK(one.numbers() == (many.rows().X.col(0).array() + 1).matrix());
  }
}

TEST("what a memory keeps of a long stream is spread over it, in whole blocks") {
  const Sample kept = after(20000, 20000, 1000).rows();
  Index first_half = 0;
  std::set<Index> blocks;
  for (Index i = 0; i < 800; ++i) {
    first_half += kept.X(i, 0) < 10000;
    blocks.insert(static_cast<Index>(kept.X(i, 0)) / 10);
  }
  CHECK(first_half > 280 && first_half < 520);
  CHECK(blocks.size() == 80);
}

TEST("parts of a memory are whole blocks, and smaller parts lie within larger ones") {
  const Memory memory = after(5000, 5000, 1000);
  const auto inputs = [](const Sample& s) { return std::set<double>(s.X.data(), s.X.data() + s.X.size()); };
  const std::set<double> few = inputs(memory.part(100)), more = inputs(memory.part(500));
  CHECK(few.size() == 100 && more.size() == 500);
  CHECK(std::includes(more.begin(), more.end(), few.begin(), few.end()));
}

TEST("rows before a new origin are forgotten, and what comes after it is kept as from the start") {
  Memory memory = after(400, 50);
  memory.start_from(390);
  CHECK(memory.rows().size() == 10 && memory.since_origin() == 10);
  memory.add(rows(400, 90));
  CHECK(memory.whole() && memory.rows().size() == 100);
  memory.add(rows(490, 500));
  CHECK(memory.rows().X.minCoeff() >= 390 && memory.rows().size() <= 100);
}

TEST("hashes are those of splitmix64") { CHECK(scattered(0) == 16294208416658607535u); }
