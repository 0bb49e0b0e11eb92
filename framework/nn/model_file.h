// The `model` file of a component: the parameters, dimensions and attributes of a tree of layers,
// node by node. Source: docs/spacy-formats.md, section 6 (Thinc's Model.to_bytes).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// Weights are written as `root.saved_as()` says: f32, or rounded to f16 or bf16, which is half the
// size and not for the reference. Reading widens them. Throws Error(data), which names the
// parameter, for a NaN or an infinity and for numbers that the format cannot hold (P031 for fp16).
WEFT_API std::string model_to_bytes(const Model& root);
// The same bytes as a file, in one step, without all of them in memory at a time. Throws
// Error(system) too.
WEFT_API void write_model(const std::filesystem::path& file, const Model& root);

// While it lives, these models are saved in that format.
class WEFT_API WeightFormat {
 public:
  WeightFormat(std::vector<ModelPtr> models, DType type);
  ~WeightFormat();
  WeightFormat(const WeightFormat&) = delete;
  WeightFormat& operator=(const WeightFormat&) = delete;

 private:
  std::vector<std::pair<ModelPtr, DType>> before_;
};

// Reads parameters, dimensions and attributes into a tree of the same form; sizes that the file
// leaves open follow from the shapes of its arrays. Throws Error(data) naming `source` and the node
// where the file is damaged, has another number of nodes, lacks some of the parameters, or
// disagrees with a size or an attribute that is set. False where it has none of them: it was
// written before the pipeline was initialised, and the tree keeps its own.
WEFT_API bool model_from_bytes(Model& root, std::string_view bytes, const std::string& source);

}  // namespace weft
