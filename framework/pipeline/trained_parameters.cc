#include "framework/pipeline/trained_parameters.h"

#include <fmt/format.h>

#include "framework/nn/model.h"
#include "framework/pipeline/language.h"

namespace weft {

std::vector<NamedParameter> trained_parameters(const Language& nlp,
                                               std::span<const std::string> frozen) {
  std::vector<NamedParameter> parameters;
  for (const std::string& name : nlp.trainable(frozen)) {
    for (const ModelPtr& root : nlp.find(name)->models()) {
      int number = 0;
      for (Model* node : root->walk()) {
        for (const auto& parameter : node->params()) {
          parameters.push_back(
              {fmt::format("{}/{}/{}/{}", name, number, node->name(), parameter->name),
               parameter.get()});
        }
        ++number;
      }
    }
  }
  return parameters;
}

}  // namespace weft
