// Helpers of layers that contain other layers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/nn/model.h"

namespace weft::layers {

// "maxout>>layernorm>>dropout".
std::string joined_names(const std::vector<ModelPtr>& layers, std::string_view separator);

// Throws Error(config) if there are fewer layers than that.
void require_layers(std::string_view name, const std::vector<ModelPtr>& layers, std::size_t least);

// Gives `model` a dimension that `from` knows by name; sets it if it is set there.
void take_dim_of(Model& model, std::string_view dim, const Model& from);

// Initialises the children, each with what the one before makes of the sample. The sample of the
// output is for the last.
void initialize_in_sequence(Context& ctx, Model& model, const Value& input, const Value& output,
                            InitRandom& random);

// A layer with a layer norm (width `outputs`) and a dropout behind it, as far as asked for.
ModelPtr normalized_and_dropped(ModelPtr layer, std::optional<std::int64_t> outputs, bool normalize,
                                std::optional<double> dropout_rate);

// Makes `to` the sum of both, in new memory; either may be nothing.
void add_value(Context& ctx, Value& to, const Value& from);

}  // namespace weft::layers
