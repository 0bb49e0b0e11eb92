#include "framework/pipeline/trained_parameters.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/nn/model.h"
#include "framework/pipeline/frozen.h"
#include "framework/pipeline/language.h"

namespace weft {

std::vector<NamedParameter> trained_parameters(const Language& nlp,
                                               std::span<const std::string> frozen,
                                               std::span<const std::string> frozen_layers) {
  std::vector<NamedParameter> parameters;
  for (const std::string& name : nlp.trainable(frozen)) {
    for (const ModelPtr& root : nlp.find(name)->models()) {
      std::vector<const Model*> left;
      if (!frozen_layers.empty()) left = weft::frozen_layers(*root, name, frozen_layers);
      int number = -1;
      for (Model* node : root->walk()) {
        ++number;
        if (std::find(left.begin(), left.end(), node) != left.end()) continue;
        for (const auto& parameter : node->params()) {
          parameters.push_back(
              {.name = fmt::format("{}/{}/{}/{}", name, number, node->name(), parameter->name),
               .parameter = parameter.get(),
               .component = name,
               .layer = node->name(),
               .layer_number = number});
        }
      }
    }
  }
  return parameters;
}

}  // namespace weft
