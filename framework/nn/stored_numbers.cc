#include "framework/nn/stored_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "framework/precision/element_type.h"

namespace weft {
namespace {

constexpr std::size_t kAtOnce = 4096;

// All bits of the exponent set means a NaN or an infinity, and one more then carries into the sign.
// The count is fixed, for the compiler to take several numbers at a time.
bool block_is_finite(const float* numbers) {
  std::uint32_t carries = 0;
  for (std::size_t i = 0; i < kAtOnce; ++i) {
    carries |= (std::bit_cast<std::uint32_t>(numbers[i]) & 0x7F800000) + 0x00800000;
  }
  return carries < 0x80000000;
}

}  // namespace

std::string_view stored_type_name(DType type) {
  if (type == DType::f16) return "<f2";
  return type == DType::bf16 ? "bf16" : "<f4";
}

std::optional<DType> stored_type_named(std::string_view name) {
  for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
    if (name == stored_type_name(type)) return type;
  }
  return std::nullopt;
}

bool all_finite(const float* numbers, std::size_t count) {
  std::size_t i = 0;
  for (; count - i >= kAtOnce; i += kAtOnce) {
    if (!block_is_finite(numbers + i)) return false;
  }
  return std::all_of(numbers + i, numbers + count, [](float x) { return std::isfinite(x); });
}

bool all_finite(const Tensor& numbers) {
  const Tensor wide = cast_to(DType::f32, numbers);
  return all_finite(wide.data<float>(), static_cast<std::size_t>(wide.size()));
}

// Each block is looked at while it is still in the nearest cache.
bool copy_finite(float* to, std::string_view from) {
  bool finite = true;
  while (!from.empty()) {
    const std::string_view part = from.substr(0, kAtOnce * sizeof(float));
    std::memcpy(to, part.data(), part.size());
    const std::size_t count = part.size() / sizeof(float);
    finite &= all_finite(to, count);
    to += count;
    from.remove_prefix(part.size());
  }
  return finite;
}

}  // namespace weft
