// Windows of three rows that follow each other, computed together: a window tile of four windows
// sees six rows, and its affine maps take six multiplications of a row by a part of the weights
// instead of twelve. Winograd's minimal filtering F(4, 3): S. Winograd (1980), "Arithmetic
// complexity of computations"; A. Lavin and S. Gray (2016), "Fast algorithms for convolutional
// neural networks". It multiplies polynomials by their values, here at 0, at +-5/8, at +-3/2 and at
// infinity, where rounding costs less than at the usual points, +-1 and +-2. Inlined into functions
// that are compiled for processors with such vectors, and never otherwise (see vector_block.h).
#pragma once

#include <cstdint>

#include "framework/backends/cpu/gemm/vector_block.h"

namespace weft::cpu {

namespace window_points {

// The points and their powers are numbers of f32.
inline constexpr float kNear = 0.625F, kNear2 = kNear * kNear, kNear3 = kNear2 * kNear;
inline constexpr float kFar = 1.5F, kFar2 = kFar * kFar, kFar3 = kFar2 * kFar;
inline constexpr float kSum = kNear2 + kFar2, kNearFar2 = kNear2 * kFar2;
// Of Lagrange's polynomials.
inline constexpr float kOfZero = 1.0F / kNearFar2;
inline constexpr float kOfNear = 0.5F / (kNear2 * (kNear2 - kFar2));
inline constexpr float kOfFar = 0.5F / (kFar2 * (kFar2 - kNear2));

}  // namespace window_points

// In place of a vector where fewer numbers are left.
struct OneNumber {
  static constexpr int kLanes = 1;
  using Vector = float;
  struct InMemory {
    Vector numbers;
  };
};

// The numbers from there on. Vectors are not returned as such: functions for other processors could
// not do so.
template <class V>
[[gnu::always_inline]] inline const typename V::InMemory& at(const float* from) {
  return *reinterpret_cast<const typename V::InMemory*>(from);
}
template <class V>
[[gnu::always_inline]] inline typename V::InMemory& at(float* to) {
  return *reinterpret_cast<typename V::InMemory*>(to);
}

template <class V>
[[gnu::always_inline]] inline void filter_row_numbers(const FilteredRows& s, std::int64_t j) {
  using namespace window_points;
  typename V::Vector x[kRowsOfTile];
  for (int i = 0; i < kRowsOfTile; ++i) x[i] = at<V>(s.rows[i] + j).numbers;
  const typename V::Vector near_even = x[4] - kFar2 * x[2], near_odd = x[3] - kFar2 * x[1];
  const typename V::Vector far_even = x[4] - kNear2 * x[2], far_odd = x[3] - kNear2 * x[1];
  float* to = s.to + j;
  at<V>(to).numbers = x[4] - kSum * x[2] + kNearFar2 * x[0];
  at<V>(to + s.part).numbers = near_even + kNear * near_odd;
  at<V>(to + 2 * s.part).numbers = near_even - kNear * near_odd;
  at<V>(to + 3 * s.part).numbers = far_even + kFar * far_odd;
  at<V>(to + 4 * s.part).numbers = far_even - kFar * far_odd;
  at<V>(to + 5 * s.part).numbers = x[5] - kSum * x[3] + kNearFar2 * x[1];
}

template <class V>
[[gnu::always_inline]] inline void filter_rows(const FilteredRows& s) {
  std::int64_t j = 0;
  for (; j + V::kLanes <= s.width; j += V::kLanes) filter_row_numbers<V>(s, j);
  for (; j < s.width; ++j) filter_row_numbers<OneNumber>(s, j);
}

template <class V>
[[gnu::always_inline]] inline void filter_weight_numbers(float* parts, std::int64_t part) {
  using namespace window_points;
  const typename V::Vector before = at<V>(parts).numbers, own = at<V>(parts + part).numbers;
  const typename V::Vector behind = at<V>(parts + 2 * part).numbers;
  const typename V::Vector near = before + kNear2 * behind, far = before + kFar2 * behind;
  at<V>(parts + part).numbers = near + kNear * own;
  at<V>(parts + 2 * part).numbers = near - kNear * own;
  at<V>(parts + 3 * part).numbers = far + kFar * own;
  at<V>(parts + 4 * part).numbers = far - kFar * own;
  at<V>(parts + 5 * part).numbers = behind;
}

template <class V>
[[gnu::always_inline]] inline void filter_weights(float* parts, std::int64_t part) {
  std::int64_t j = 0;
  for (; j + V::kLanes <= part; j += V::kLanes) filter_weight_numbers<V>(parts + j, part);
  for (; j < part; ++j) filter_weight_numbers<OneNumber>(parts + j, part);
}

template <class V>
[[gnu::always_inline]] inline void filter_sum_numbers(const FilteredSums& s, std::int64_t j) {
  using namespace window_points;
  typename V::Vector m[kRowsOfTile - 1];
  for (int i = 0; i + 1 < kRowsOfTile; ++i) m[i] = at<V>(s.sums + i * s.part + j).numbers;
  const typename V::Vector near_even = kOfNear * (m[1] + m[2]), near_odd = kOfNear * (m[1] - m[2]);
  const typename V::Vector far_even = kOfFar * (m[3] + m[4]), far_odd = kOfFar * (m[3] - m[4]);
  const typename V::Vector bias = at<V>(s.bias + j).numbers;
  float* z = s.z + j;
  at<V>(z).numbers = bias + kOfZero * m[0] + near_even + far_even;
  // The last windows of a tile may be missing: their rows are another's.
  if (s.windows > 1) at<V>(z + s.z_stride).numbers = bias + kNear * near_odd + kFar * far_odd;
  if (s.windows > 2) {
    at<V>(z + 2 * s.z_stride).numbers = bias + kNear2 * near_even + kFar2 * far_even;
  }
  if (s.windows > 3) {
    const typename V::Vector last = at<V>(s.sums + 5 * s.part + j).numbers;
    at<V>(z + 3 * s.z_stride).numbers = bias + last + kNear3 * near_odd + kFar3 * far_odd;
  }
}

template <class V>
[[gnu::always_inline]] inline void filter_sums(const FilteredSums& s) {
  std::int64_t j = 0;
  for (; j + V::kLanes <= s.columns; j += V::kLanes) filter_sum_numbers<V>(s, j);
  for (; j < s.columns; ++j) filter_sum_numbers<OneNumber>(s, j);
}

}  // namespace weft::cpu
