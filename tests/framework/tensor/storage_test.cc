#include "framework/tensor/storage.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/tensor/tensor.h"
#include "registry/base/error.h"

namespace weft {
namespace {

struct Failing {
  explicit Failing(std::function<bool(std::size_t)> fails) { fail_allocations(std::move(fails)); }
  ~Failing() { fail_allocations({}); }
};

TEST(ArenaTest, PiecesAreAlignedAndApart) {
  Arena arena;
  std::vector<std::pair<char*, std::size_t>> pieces;
  for (const std::size_t bytes : {1u, 63u, 64u, 65u, 5000u, 3u << 20, 0u, 7u}) {
    const Storage piece = arena.allocate(bytes);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(piece.data) % 64, 0u);
    std::memset(piece.data, 7, bytes);
    for (const auto& [data, size] : pieces) {
      auto* start = static_cast<char*>(piece.data);
      EXPECT_TRUE(start >= data + size || start + bytes <= data) << bytes;
    }
    pieces.emplace_back(static_cast<char*>(piece.data), bytes);
  }
}

TEST(ArenaTest, AResetGivesTheSameMemoryAgainInOnePiece) {
  Arena arena;
  for (int i = 0; i < 40; ++i) arena.allocate(100000);  // more than the first block
  const std::size_t peak = arena.peak();
  EXPECT_GE(peak, 4000000u);
  arena.reset();
  const auto* first = static_cast<char*>(arena.allocate(100000).data);
  const char* last = first;
  for (int i = 1; i < 40; ++i) last = static_cast<char*>(arena.allocate(100000).data);
  EXPECT_LE(last - first, static_cast<std::ptrdiff_t>(peak)) << "one block";
  EXPECT_EQ(arena.peak(), peak);
  arena.reset();
  EXPECT_EQ(arena.allocate(5).data, first);
}

TEST(ArenaTest, AReleasedArenaStartsAnewAndRemembersItsPeak) {
  Arena arena;
  arena.allocate(2 << 20);
  const std::size_t peak = arena.peak();
  arena.release();
  const Storage piece = arena.allocate(64);
  std::memset(piece.data, 1, 64);
  EXPECT_EQ(arena.peak(), peak);
  arena.release();
  arena.release();
}

TEST(ArenaTest, WhatTheSystemDoesNotHaveIsAnErrorAndTheArenaLives) {
  Arena arena;
  try {
    arena.allocate(std::size_t{1} << 60);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
  }
  EXPECT_NE(arena.allocate(64).data, nullptr);
}

TEST(FailAllocationsTest, ReachesTensorsAndArenasUntilItEnds) {
  Arena arena;
  std::multiset<std::size_t> asked;
  {
    const Failing large([&](std::size_t bytes) {
      asked.insert(bytes);
      return bytes > 1000;
    });
    EXPECT_THROW(Tensor::zeros({300}), Error);
    EXPECT_THROW(arena.allocate(1200), Error);
    EXPECT_NO_THROW(Tensor::zeros({100}));
    EXPECT_NO_THROW(arena.allocate(80));
  }
  EXPECT_EQ(asked, (std::multiset<std::size_t>{1200, 1200, 400, 80}));
  EXPECT_NO_THROW(Tensor::zeros({300}));
}

}  // namespace
}  // namespace weft
