// Attention of one learnt query over the rows of each sequence of a ragged array. Yang and others
// (2016), "Hierarchical attention networks for document classification"; Thinc 8.3,
// `thinc.layers.parametricattention`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// shares (n, 1) = softmax over each sequence of keys (n, d) times query (d), clipped to
// -20 ... 20 and not shifted.
struct AttentionShares {
  static constexpr std::string_view name = "attention_shares";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, ConstView keys, ConstView query, std::span<const std::int64_t> lengths,
                  View shares);
};

// d_scores (n, 1) = gradient of keys times query, for y = x * shares, row by row, and dy (n, d). As
// if nothing had been clipped.
struct AttentionSharesBackward {
  static constexpr std::string_view name = "attention_shares_backward";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, ConstView dy, ConstView x, ConstView shares,
                  std::span<const std::int64_t> lengths, View d_scores);
};

// y (n, d) = x (n, d) times factor (n, 1), row by row.
struct ScaleRows {
  static constexpr std::string_view name = "scale_rows";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView x, ConstView factor, View y);
};

}  // namespace weft
