// Shape inference for the init functions of layers.
#pragma once

#include <optional>
#include <string_view>

#include "framework/nn/initializer.h"
#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// The length of the rows of a sample: of an array, a ragged array, or the first array of a list.
// Nothing for other values.
WEFT_API std::optional<std::int64_t> width_of(const Value& sample);

// Declares a dimension; sets it if a size is given.
WEFT_API void declare_dim(Model& model, std::string_view dim, std::optional<std::int64_t> size);
// Sets a dimension from a sample, if the sample has a width. Throws Error(data) if it is set to
// another size.
WEFT_API void infer_dim(Model& model, std::string_view dim, const Value& sample);
// The size, which must be known by now: throws Error(config) naming the layer.
WEFT_API std::int64_t known_dim(const Model& model, std::string_view dim);

// Gives a parameter that has no value yet an f32 array of that shape, filled by `initializer`.
WEFT_API void init_param(Model& model, std::string_view name, Shape shape,
                         const Initializer& initializer, InitRandom& random);

}  // namespace weft
