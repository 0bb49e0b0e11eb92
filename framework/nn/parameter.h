// A named array that training changes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "framework/nn/deferred_rows.h"
#include "framework/precision/storage.h"
#include "framework/tensor/tensor.h"

namespace weft {

struct Parameter {
  std::string name;           // "W"
  Tensor value;               // f32; empty until the model is initialised
  std::uint64_t version = 0;  // grows with every write; copies in other formats check it
  // The layer's dimensions that make its shape ("nO", "nI"; "1": always one); empty: not told.
  std::vector<std::string> axes = {};
  ParameterKind kind = ParameterKind::weight;
  // Of a table a pass keeps gradients of those rows alone that it used (see RowGradient).
  bool is_table = false;
  // Whether all layers that read the table ask `deferred` for their rows first.
  bool may_be_deferred = false;
  // Null: every number is as the last step leaves it. Else code that is not such a layer asks for
  // all rows.
  std::shared_ptr<DeferredRows> deferred = {};
};

// A parameter and the name that it has in checkpoints: "ner/3/linear/W".
struct NamedParameter {
  std::string name;
  Parameter* parameter = nullptr;
  // Where a pipeline has it; empty and -1 outside of one.
  std::string component = {};
  std::string layer = {};  // its name, which may hold slashes
  int layer_number = -1;   // in the order of the model file
};

}  // namespace weft
