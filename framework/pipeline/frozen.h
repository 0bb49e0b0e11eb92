// The parts of a pipeline that training leaves alone: whole components, and layers of others.
// Source: docs/training.md, "Frozen components and layers".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

class Component;
class Language;

struct Frozen {
  std::vector<std::string> components;  // names
  std::vector<std::string> layers;      // entries "COMPONENT.LAYER", globs
  bool operator==(const Frozen&) const = default;
};

// The names of a model's layers in entries: a part that the model has under a name is called so
// ("embed", "tok2vec.embed"), a layer inside of it by the label that it has in paths
// ("embed.with_array"). The model itself is "".
WEFT_API std::unordered_map<const Model*, std::string> part_names(const Model& root);

// Entries such as "ner", "*_tagger", "tok2vec.embed", "tok2vec.embed.*", where * also runs across
// dots. Throws Error(config), in the name of `setting`, for one that nothing of the pipeline is
// called by.
WEFT_API Frozen frozen_parts(const Language& nlp, std::span<const std::string> entries,
                             std::string_view setting);

// Whether an entry of `layers` names the layer or one that it lies in.
WEFT_API std::vector<const Model*> frozen_layers(const Model& root, std::string_view component,
                                                 std::span<const std::string> layers);

// Whether a component was never initialised, or loaded, as far as it has networks.
bool lacks_weights(const Component& component);
// A fault of frozen_components: that component has nothing to be used as it is.
std::string no_weights_to_keep(const std::string& component);

}  // namespace weft
