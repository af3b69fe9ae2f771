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

TEST("hashes are those of splitmix64") {
  CHECK(scattered(0) == 16294208416658607535u && scattered(1) == 10451216379200822465u);
  CHECK(scattered(11) == 5833679380957638813u && scattered(9223372036854775808u) == 5196802822362493915u);
}

TEST(
    "[merge] a merged memory has the blocks with the smallest hashes of both streams, and their latest "
    "rows") {
  const Memory a = after(3000, 7), b = after(5000, 11);
  Memory both = a;
  both.merge(b);
  CHECK(both.seen() == 8000 && both.rows().size() <= 100 && both.rows().size() > 80);
  // the oracle: all blocks of both streams, by their hashes
  std::vector<std::pair<std::uint64_t, double>> blocks;  // and where each begins in the merged one
  for (std::uint64_t i = 0; i < 300; ++i) blocks.push_back({scattered(i), 10.0 * static_cast<double>(i)});
  for (std::uint64_t i = 0; i < 500; ++i)
    blocks.push_back({scattered(i), 3000.0 + 10.0 * static_cast<double>(i)});
  std::sort(blocks.begin(), blocks.end());
  std::set<double> expected;
  for (std::size_t i = 0; i < 8; ++i)
    for (int j = 1; j <= 10; ++j) expected.insert(blocks[i].second + j);
  for (int j = 7981; j <= 8000; ++j) expected.insert(j);
  const Vector numbers = both.numbers();
  CHECK(std::set<double>(numbers.data(), numbers.data() + numbers.size()) == expected);
  // the rows are those that the numbers say
  const Sample rows = both.rows();
  for (Index i = 0; i < rows.size(); ++i)
    CHECK(rows.X(i, 0) == numbers(i) - 1 - (numbers(i) > 3000 ? 3000 : 0));
  Memory empty(100, 1);
  empty.merge(a);
  CHECK(empty.numbers() == a.numbers());
}

TEST("[merge] merging memories is associative") {
  const Memory a = after(3000, 7), b = after(500, 11), c = after(40, 3);
  Memory left = a, right = b;
  left.merge(b);
  left.merge(c);
  right.merge(c);
  Memory all = a;
  all.merge(right);
  CHECK(Matrix(all.stored()) == Matrix(left.stored()) && all.parts() == left.parts());
}

TEST("parts of a stream that are kept apart are one memory again, wherever it is cut [derivation 23]") {
  for (const int n : {60, 95, 3000}) {
    const Memory whole = after(n, 7);
    for (const std::vector<int>& cuts : {std::vector<int>{n / 3}, {13, 13, n / 2, n - 4}}) {
      Memory all(100, 1);
      int from = 0;
      std::vector<int> ends = cuts;
      ends.push_back(n);
      for (const int end : ends) {
        Memory part = Memory::after(from, 100, 1);
        part.add(rows(from, end - from));
        all.go_on(part);
        from = end;
      }
      CHECK(all.seen() == whole.seen() && all.numbers() == whole.numbers());
      CHECK(all.rows().X == whole.rows().X && all.whole() == whole.whole());
      all.set_limit(50);
      CHECK(all.rows().size() <= std::min(50, n));
    }
  }
  Memory first(100, 1);
  CHECK_THROWS(first.go_on(Memory::after(5, 100, 1)), "input");
}

TEST("[unlearn] a row that is taken out of a memory is there no more") {
  Memory memory = after(50, 7);
  memory.remove(Vector::Constant(1, 12.0), -12.0);
  CHECK(memory.rows().size() == 49 && memory.seen() == 50);
  memory.remove(Vector::Constant(1, 12.0), -12.0);
  memory.remove(Vector::Constant(1, 13.0), -12.0);
  CHECK(memory.rows().size() == 49);
}
