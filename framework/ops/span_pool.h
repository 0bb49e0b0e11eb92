// Rows for spans of a matrix of token vectors, which may overlap: each is four pools of its tokens
// side by side, computed where the tokens lie. Source: spaCy 3.8, `spacy.mean_max_reducer.v1`;
// docs/spans.md, section 2.
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// y row s = [last row, first row, mean, largest of each column] of the rows [start, end) of x that
// row s of `spans` (m, 2; i32) names; no span is empty. y (m, 4 d) for x (n, d). `winners` (m, d;
// i32) receives the row of x that gave each largest number, the first one on ties.
struct SpanPoolForward {
  static constexpr std::string_view name = "span_pool_forward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, ConstView x, ConstView spans, View y, View winners);
};

// dx = gradient of x (every element is written), spans in their order.
struct SpanPoolBackward {
  static constexpr std::string_view name = "span_pool_backward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, ConstView dy, ConstView spans, ConstView winners, View dx);
};

}  // namespace weft
