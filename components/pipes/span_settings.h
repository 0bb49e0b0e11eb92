// Settings in the file `cfg` of components for spans. One that is missing leaves the setting as it
// is; null takes it away. Errors are Error(data) with the place of the file in front.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "framework/nn/model.h"
#include "registry/value/config.h"

namespace weft {

struct NumberRange {
  double least;
  double most;
};
constexpr NumberRange kWeights{0.0, 1e6};  // of classes in a loss

void read_model_file(Model& model, const std::filesystem::path& file);

void take_spans_key(const Object& cfg, const std::string& source, std::string& key);
void take_number(const Object& cfg, std::string_view key, const std::string& source,
                 NumberRange range, std::optional<double>& number);
// A number of things, 1 at least.
void take_count(const Object& cfg, std::string_view key, const std::string& source,
                std::optional<int>& count);

}  // namespace weft
