// The element types of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

enum class DType : std::uint8_t { f32, f16, bf16, f64, i32, i64, u64, u8 };

// Bytes of one element.
constexpr std::size_t size_of(DType type) {
  switch (type) {
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::u8:
      return 1;
    default:
      return 8;
  }
}

// "f32", "f16", ...
WEFT_API std::string_view name_of(DType type);

// The DType of a C++ type.
template <class T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::f32;
};
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::f64;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::i32;
};
template <>
struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::i64;
};
template <>
struct DTypeOf<std::uint64_t> {
  static constexpr DType value = DType::u64;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::u8;
};

}  // namespace weft
