#include "framework/nn/parameter_block.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(ParameterBlock, GivesAlignedPiecesThatDoNotOverlap) {
  for (const std::size_t total : {std::size_t{5000}, std::size_t{3} << 20}) {
    ParameterBlock block(total);
    std::vector<Storage> pieces;
    for (const std::size_t bytes : {std::size_t{4}, std::size_t{100}, total / 2, std::size_t{64}}) {
      pieces.push_back(block.allocate(bytes));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces.back().data) % 64, 0u);
      EXPECT_EQ(pieces.back().bytes, bytes);
      std::memset(pieces.back().data, static_cast<int>(pieces.size()), bytes);
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const auto* bytes = static_cast<const unsigned char*>(pieces[i].data);
      for (std::size_t k = 0; k < pieces[i].bytes; ++k) ASSERT_EQ(bytes[k], i + 1) << total;
    }
  }
}

TEST(ParameterBlock, WhatDoesNotFitGetsItsOwnMemory) {
  ParameterBlock block(std::size_t{2} << 20);
  const Storage large = block.allocate(std::size_t{5} << 20);
  const Storage small = block.allocate(1000);
  std::memset(large.data, 1, large.bytes);
  std::memset(small.data, 2, small.bytes);
  EXPECT_EQ(static_cast<const char*>(large.data)[large.bytes - 1], 1);
  std::vector<Storage> many;
  for (int i = 0; i < 40; ++i) many.push_back(block.allocate(std::size_t{100} << 10));
  for (const Storage& piece : many) std::memset(piece.data, 3, piece.bytes);
  EXPECT_EQ(static_cast<const char*>(small.data)[999], 2);
}

TEST(ParameterBlock, PiecesOutliveIt) {
  Storage piece;
  {
    ParameterBlock block(std::size_t{2} << 20);
    piece = block.allocate(100);
    block.allocate(100);
  }
  std::memset(piece.data, 7, piece.bytes);
  EXPECT_EQ(static_cast<const char*>(piece.data)[99], 7);
}

}  // namespace
}  // namespace weft
