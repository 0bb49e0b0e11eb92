#include "framework/tensor/large_pages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "framework/tensor/tensor.h"

namespace weft {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
using Piece = std::shared_ptr<void>;

// Builds that leave arrays to AddressSanitizer have no pieces.
class Pieces : public ::testing::Test {
 protected:
  void SetUp() override {
    if (piece_of_large_pages(1) == nullptr) GTEST_SKIP() << "AddressSanitizer watches arrays";
  }
};

bool is_mapped(void* data) {
  unsigned char resident = 0;
  return ::mincore(data, 1, &resident) == 0;
}

TEST(LargePages, AreZeroBeginAtALargePageAndGoBack) {
  for (const std::size_t bytes : {std::size_t{1}, kLargePage - 1, kLargePage, 3 * kLargePage + 5}) {
    auto* data = static_cast<char*>(map_large_pages(bytes));
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % kLargePage, 0U);
    EXPECT_TRUE(std::all_of(data, data + bytes, [](char byte) { return byte == 0; }));
    std::memset(data, 1, bytes);
    EXPECT_TRUE(is_mapped(data));
    unmap_large_pages(data, bytes);
    EXPECT_FALSE(is_mapped(data)) << bytes;
  }
}

TEST(LargePages, AreNotThereForMoreThanThereIs) {
  EXPECT_EQ(map_large_pages(SIZE_MAX / 4), nullptr);
  EXPECT_EQ(map_large_pages(SIZE_MAX - 100), nullptr);
  EXPECT_EQ(piece_of_large_pages(SIZE_MAX / 4), nullptr);
  EXPECT_EQ(piece_of_large_pages(SIZE_MAX - 100), nullptr);
}

TEST_F(Pieces, AreAlignedAndDoNotOverlap) {
  std::mt19937 random(5);
  std::vector<std::pair<Piece, std::size_t>> held;
  for (int i = 0; i < 2000; ++i) {
    if (held.size() > 40 || (!held.empty() && random() % 3 == 0)) {
      std::swap(held[random() % held.size()], held.back());
      held.pop_back();
      continue;
    }
    const std::size_t bytes = 1 + random() % (random() % 20 == 0 ? 40 * kMegabyte : kMegabyte);
    Piece piece = piece_of_large_pages(bytes);
    ASSERT_NE(piece, nullptr);
    const auto begin = reinterpret_cast<std::uintptr_t>(piece.get());
    ASSERT_EQ(begin % 64, 0U);
    for (const auto& [other, size] : held) {
      const auto at = reinterpret_cast<std::uintptr_t>(other.get());
      ASSERT_TRUE(begin + bytes <= at || at + size <= begin);
    }
    static_cast<char*>(piece.get())[0] = 1;
    static_cast<char*>(piece.get())[bytes - 1] = 1;
    held.emplace_back(std::move(piece), bytes);
  }
}

// Neighbours that were given back in any order make room for one array of their whole size.
TEST_F(Pieces, ThatAreFreeAndTouchBecomeOne) {
  std::vector<int> order = {0, 1, 2};
  do {
    Piece pieces[3];
    for (Piece& piece : pieces) piece = piece_of_large_pages(3 * kMegabyte);
    const Piece end = piece_of_large_pages(3 * kMegabyte);
    void* const first = pieces[0].get();
    for (const int i : order) pieces[i] = nullptr;
    EXPECT_EQ(piece_of_large_pages(9 * kMegabyte).get(), first);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(Pieces, OfALargeArrayGoBackToTheSystem) {
  Piece piece = piece_of_large_pages(100 * kMegabyte);
  void* const data = piece.get();
  EXPECT_TRUE(is_mapped(data));
  piece = nullptr;
  EXPECT_FALSE(is_mapped(data));
}

// As documents have them that are kept: a place is not looked for among all of them.
TEST_F(Pieces, AreFoundAmongThousands) {
  std::vector<Piece> held(20000);
  for (Piece& piece : held) piece = piece_of_large_pages(kSmallestInLargePages);
  for (std::size_t i = 0; i < held.size(); i += 2) held[i] = nullptr;
  for (std::size_t i = 0; i < held.size(); i += 2) {
    held[i] = piece_of_large_pages(kSmallestInLargePages);
  }
  std::set<void*> places;
  for (const Piece& piece : held) places.insert(piece.get());
  EXPECT_EQ(places.size(), held.size());
}

TEST_F(Pieces, AreTakenByManyThreads) {
  const auto work = [](unsigned char mark) {
    std::mt19937 random(mark);
    for (int i = 0; i < 300; ++i) {
      const std::size_t bytes = kSmallestInLargePages + random() % kMegabyte;
      const Piece piece = piece_of_large_pages(bytes);
      std::memset(piece.get(), mark, bytes);
      const auto* data = static_cast<const unsigned char*>(piece.get());
      ASSERT_TRUE(std::all_of(data, data + bytes, [&](auto byte) { return byte == mark; }));
    }
  };
  std::vector<std::thread> threads;
  for (unsigned char mark = 1; mark <= 4; ++mark) threads.emplace_back(work, mark);
  for (std::thread& thread : threads) thread.join();
}

// The place of a tensor that is gone is the first that is found for a piece of its size.
TEST_F(Pieces, AreWhatLargeTensorsLieIn) {
  Tensor tensor = Tensor::zeros({1 << 15, 1});
  const void* const place = tensor.cview().data;
  tensor = Tensor();
  EXPECT_EQ(piece_of_large_pages((1 << 15) * sizeof(float)).get(), place);
}

// Kilobytes of the heap, and of those in large pages.
std::pair<long, long> heap_pages() {
  std::ifstream maps("/proc/self/smaps");
  std::pair<long, long> kilobytes{0, 0};
  bool is_heap = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find('-') < line.find(' ')) is_heap = line.ends_with("[heap]");
    if (!is_heap) continue;
    if (line.starts_with("Rss:")) kilobytes.first += std::atol(line.c_str() + 4);
    if (line.starts_with("AnonHugePages:")) kilobytes.second += std::atol(line.c_str() + 14);
  }
  return kilobytes;
}

constexpr int kCollapse = 25;  // MADV_COLLAPSE, from Linux 6.1 on

bool moves_pages_together() {
  void* const page = map_large_pages(kLargePage);
  std::memset(page, 1, kLargePage);
  const bool moved = ::madvise(page, kLargePage, kCollapse) == 0;
  unmap_large_pages(page, kLargePage);
  return moved;
}

// From now on this process is refused all advice on its memory, as it is on systems that do not
// know it; these look at the advice before they look at the memory.
bool refuse_advice() {
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_madvise, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(steps)), steps};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 &&
         ::madvise(nullptr, kLargePage, kCollapse) != 0 && errno == EINVAL;
}

TEST(LargePagesDeathTest, ASystemThatCannotLeavesTheHeapAsItIs) {
  constexpr int kNotHere = 77;
  const auto ends = [](int status) {
    return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kNotHere);
  };
  EXPECT_EXIT(
      {
        ::alarm(10);
        if (!refuse_advice()) ::_exit(kNotHere);
        enlarge_heap_pages();
        ::_exit(0);
      },
      ends, "");
}

TEST(LargePages, TheHeapMovesThereWithItsObjectsAsTheyWere) {
  std::vector<std::unique_ptr<std::array<int, 25>>> objects;
  for (int i = 0; i < 300000; ++i) {
    objects.push_back(std::make_unique<std::array<int, 25>>());
    objects.back()->fill(i);
  }
  const auto before = heap_pages();
  enlarge_heap_pages();
  const auto after = heap_pages();
  for (int i = 0; i < 300000; ++i) {
    ASSERT_EQ((*objects[static_cast<std::size_t>(i)])[24], i);
  }
  EXPECT_LE(after.first, before.first + 2 * static_cast<long>(kLargePage >> 10));
  if (before.first < 20000) GTEST_SKIP() << "malloc of this build does not use the heap";
  if (!moves_pages_together()) GTEST_SKIP() << "this system does not move pages together";
  EXPECT_GT(after.second, before.first * 8 / 10);
}

}  // namespace
}  // namespace weft
