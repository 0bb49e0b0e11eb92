// The numbers of a parameter as a `model` file holds them: the name of their type, and whether all
// are finite. Source: docs/spacy-formats.md, section 6.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "framework/tensor/tensor.h"

namespace weft {

// As NumPy writes it; bf16, which NumPy does not have, is "bf16".
std::string_view stored_type_name(DType type);
std::optional<DType> stored_type_named(std::string_view name);

// Neither a NaN nor an infinity is among them.
bool all_finite(const float* numbers, std::size_t count);
// Of any of the three types of floats.
bool all_finite(const Tensor& numbers);

// Copies all of `from`, whose size is a multiple of four, and tells whether all were finite.
bool copy_finite(float* to, std::string_view from);

}  // namespace weft
