// A linear layer over counted keys: each key has two places in the weights, and the weights there
// are those of its classes. Source: Thinc 8.3, `thinc.layers.sparselinear`;
// docs/text-classification.md, section 2.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// MurmurHash3_x86_32 (A. Appleby) of the eight little-endian bytes of a key.
constexpr std::uint32_t sparse_hash(std::uint64_t key, std::uint32_t seed) {
  constexpr auto rotate = [](std::uint32_t value, int bits) {
    return value << bits | value >> (32 - bits);
  };
  std::uint32_t h = seed;
  for (const std::uint32_t half :
       {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}) {
    h ^= rotate(half * 0xcc9e2d51U, 15) * 0x1b873593U;
    h = rotate(h, 13) * 5 + 0xe6546b64U;
  }
  h ^= 8;
  h ^= h >> 16;
  h *= 0x85ebca6bU;
  h ^= h >> 13;
  h *= 0xc2b2ae35U;
  return h ^ h >> 16;
}

// How many places a key has.
inline constexpr int kSparsePlaces = 2;

// Where the weight of a class lies, among classes * length of them.
struct SparseLayout {
  std::int64_t classes = 0;
  std::int64_t length = 0;
  // Version 1: the classes of a key lie side by side, and overlap those of other keys.
  bool side_by_side = false;

  // Of class 0. At most 2^31 weights, so that the places fit.
  constexpr std::int64_t first(std::uint64_t key, std::uint32_t seed) const {
    const std::uint32_t h = sparse_hash(key, seed);
    return side_by_side ? h & static_cast<std::uint32_t>(length - 1)
                        : h % static_cast<std::uint32_t>(length);
  }
  // From one class to the next.
  constexpr std::int64_t step() const { return side_by_side ? 1 : length; }
};

// The counted keys of documents, one document after the other, each once and in ascending order.
struct SparseRows {
  std::span<const std::int64_t> lengths;  // keys of each document
  const std::uint64_t* keys;
  const std::int32_t* counts;
};

// y row i = bias + sum over the keys of document i of count * weights at both places, in the order
// of the keys; y (documents, classes), weights (classes * length), bias (classes).
struct SparseLinearForward {
  static constexpr std::string_view name = "sparse_linear_forward";
  static constexpr Category category = Category::f32;
  static constexpr bool any_format = true;
  using Fn = void(Stream&, SparseLayout layout, SparseRows rows, ConstView weights, ConstView bias,
                  View y);
};

// gradient element places[k] += count * dy of its class, for the keys of all documents, both
// places, and the classes: k counts the classes first. The elements are those of a part of the
// weights' gradient in any order.
struct SparseLinearBackward {
  static constexpr std::string_view name = "sparse_linear_backward";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, SparseRows rows, ConstView dy, ConstView places, View gradient);
};

}  // namespace weft
