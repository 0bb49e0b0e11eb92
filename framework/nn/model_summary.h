// The layers of a model, as a table for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/nn/model.h"
#include "framework/tensor/shape.h"
#include "registry/base/export.h"

namespace weft {

struct ParameterSummary {
  std::string name;
  Shape shape;               // empty before the model is initialised
  std::int64_t numbers = 0;  // elements
  std::int64_t bytes = 0;
};

struct WEFT_API LayerSummary {
  int number = 0;  // its place in the model file, breadth first
  int depth = 0;   // 0 for the root
  std::string name;
  std::vector<std::pair<std::string, std::optional<std::int64_t>>> dims;  // nothing = not known yet
  std::vector<ParameterSummary> params;  // of this layer alone, not of its children

  std::int64_t numbers() const;
  std::int64_t bytes() const;
};

// Every layer below `root` once, each before its children.
WEFT_API std::vector<LayerSummary> summarize(const Model& root);

}  // namespace weft
