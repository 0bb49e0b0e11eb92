#include "framework/pipeline/memory_estimate.h"

#include <utility>

#include "framework/text/vectors.h"

namespace weft {
namespace {

constexpr double kNumber = 4.0;  // bytes

}  // namespace

double TrainingBytes::of(std::span<const std::size_t> lengths) const {
  double tokens = 0.0, pairs = 0.0;
  for (const std::size_t length : lengths) {
    const auto rows = static_cast<double>(length);
    tokens += rows;
    pairs += rows * rows;
  }
  return per_token * tokens + per_document * static_cast<double>(lengths.size()) + per_pair * pairs;
}

TrainingBytes training_bytes(const Model& model) {
  const LayerCost cost = model.cost(0);
  return {kNumber * cost.per_row, kNumber * cost.per_document, kNumber * cost.per_pair};
}

TrainingBytes training_bytes(const Language& nlp) {
  TrainingBytes bytes;
  for (const NamedComponent& component : nlp.pipeline()) {
    if (!component.enabled) continue;
    for (const ModelPtr& model : component.component->models()) {
      const TrainingBytes own = training_bytes(*model);
      bytes.per_token += own.per_token;
      bytes.per_document += own.per_document;
      bytes.per_pair += own.per_pair;
    }
  }
  return bytes;
}

double trained_parameter_bytes(const Language& nlp) {
  // Value, two moments, average; the gradient of the step and of a part of it, and of each shard.
  constexpr double kCopies = 6.0;
  constexpr double kShards = 8.0;
  double bytes = 0.0;
  for (const NamedComponent& component : nlp.pipeline()) {
    for (const ModelPtr& model : component.component->models()) {
      for (const Model* node : std::as_const(*model).walk()) {
        for (const auto& parameter : node->params()) {
          const double copies = kCopies + (parameter->is_table ? 1.0 : kShards);
          bytes += copies * static_cast<double>(parameter->value.bytes());
        }
      }
    }
  }
  return bytes;
}

double vector_bytes(const Language& nlp) {
  return static_cast<double>(nlp.vocab()->vectors().table().bytes());
}

}  // namespace weft
