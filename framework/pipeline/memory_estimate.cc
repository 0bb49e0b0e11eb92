#include "framework/pipeline/memory_estimate.h"

#include <string_view>
#include <utility>

#include "framework/text/vectors.h"

namespace weft {
namespace {

constexpr double kNumber = 4.0;  // bytes

double dim_or(const Model& node, std::string_view name, double otherwise) {
  const auto value = node.find_dim(name);
  return value ? static_cast<double>(*value) : otherwise;
}

double attr_or(const Model& node, std::string_view name, double otherwise) {
  const Node* value = node.attr(name);
  return value != nullptr && value->is_integer() ? static_cast<double>(value->as_integer())
                                                 : otherwise;
}

// Numbers for each row that goes through a layer, for each document, and the width of its output.
struct Cost {
  double row = 0.0;
  double document = 0.0;
  double width = 0.0;
};

// The lower layer of a parser: rows for each token and their gradient, and for each step of a parse
// hidden vectors with mask, winners and gradient. Pieces of long documents overlap a little.
Cost cost_of_lower(const Model& node, double width) {
  constexpr double kStepsPerToken = 1.5;
  const double hidden = dim_or(node, "nO", 1);
  const double features = dim_or(node, "nF", 1);
  const double step = 3.25 * hidden + features;
  return {2 * features * hidden * dim_or(node, "nP", 1) + width + kStepsPerToken * step, 0, hidden};
}

// A layer without others in it.
Cost cost_of_leaf(const Model& node, double width) {
  const std::string& name = node.name();
  const double in = dim_or(node, "nI", width);
  const double out = dim_or(node, "nO", in);
  const double pieces = dim_or(node, "nP", 1);
  if (name == "precomputable_affine") return cost_of_lower(node, width);
  if (name == "expand_window") {
    const double wide = width * (2 * attr_or(node, "window_size", 1) + 1);
    return {wide + width, 0, wide};
  }
  if (name == "hashembed") return {2 * out + 10, 0, out};
  if (name == "dropout") return {3 * width, 0, width};
  if (pieces > 1) return {(2 * pieces + 1.25) * out + in, 0, out};
  if (name == "layernorm") return {2 * out + 2, 0, out};
  return {2 * out + in, 0, out};
}

// A residual maxout layer over windows, computed as one block: what the maxout, the layer norm and
// the dropout keep; the output and its gradient. Under a precision policy, strip by strip, it takes
// less.
constexpr std::string_view kWindowBlock = "residual(expand_window>>maxout>>layernorm>>dropout)";

Cost cost_of_block(const Model& node, double width) {
  const Model& window = *node.layers()[0]->layers()[0];
  const double seen = 2 * attr_or(window, "window_size", 1) + 1;
  const double numbers_of_rows = seen + 3;
  return {4.25 * width + numbers_of_rows, 0, width};
}

Cost cost_of(const Model& node, double width);

// Names of layers are joined by "|" where they stand side by side on the same input.
bool is_concatenation(const Model& node) {
  return std::string_view(node.name()).substr(node.layers()[0]->name().size()).starts_with('|');
}

// Layers one behind the other, or side by side.
Cost cost_of_parts(const Model& node, double width) {
  const bool is_beside =
      node.name().size() > node.layers()[0]->name().size() && is_concatenation(node);
  Cost sum{0, 0, is_beside ? 0 : width};
  for (const ModelPtr& part : node.layers()) {
    const Cost cost = cost_of(*part, is_beside ? width : sum.width);
    sum.row += cost.row;
    sum.document += cost.document;
    sum.width = is_beside ? sum.width + cost.width : cost.width;
  }
  if (is_beside) sum.row += 2 * sum.width;
  return sum;
}

Cost cost_of(const Model& node, double width) {
  if (node.layers().empty()) return cost_of_leaf(node, width);
  if (node.name() == kWindowBlock) return cost_of_block(node, width);
  Cost cost = cost_of_parts(node, width);
  cost.width = dim_or(node, "nO", cost.width);
  const double pad = attr_or(node, "pad", 0);
  if (node.name().starts_with("residual")) cost.row += 2 * cost.width;
  if (pad == 0) return cost;
  if (node.layers()[0]->name().starts_with(kWindowBlock)) {
    cost.document += pad * cost.row;
    return cost;
  }
  // With copies to and fro, between which there are rows more for each document.
  const double copies = width + cost.width;
  cost.document += pad * (cost.row + copies);
  cost.row += 3 * copies;
  return cost;
}

}  // namespace

TrainingBytes training_bytes(const Model& model) {
  const Cost cost = cost_of(model, 0);
  return {kNumber * cost.row, kNumber * cost.document};
}

TrainingBytes training_bytes(const Language& nlp) {
  TrainingBytes bytes;
  for (const NamedComponent& component : nlp.pipeline()) {
    if (!component.enabled) continue;
    for (const ModelPtr& model : component.component->models()) {
      const TrainingBytes own = training_bytes(*model);
      bytes.per_token += own.per_token;
      bytes.per_document += own.per_document;
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
        // Of a table a shard keeps the rows that it touched.
        const double copies = kCopies + (node->name() == "hashembed" ? 1.0 : kShards);
        for (const auto& parameter : node->params()) {
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
