#include "framework/pipeline/pretrained_layer.h"

#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/pipeline/check_listeners.h"
#include "framework/pipeline/setting_error.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

[[noreturn]] void fail(const char* setting, std::string message,
                       const std::vector<std::string>& near = {}) {
  throw setting_error(fmt::format("pretraining.{}", setting), std::move(message), join_or(near));
}

ModelPtr part_of(const Model& model, const LayerChoice& choice) {
  std::vector<std::string> names;
  for (const auto& [name, reference] : model.refs()) {
    ModelPtr node = reference.lock();
    if (node && name == choice.layer) return node;
    if (node) names.push_back(name);
  }
  fail("layer",
       fmt::format("'{}' has no part called '{}'; its parts are {}", choice.component, choice.layer,
                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))),
       nearest(choice.layer, names));
}

// The network behind a listener.
ModelPtr network_behind(const Language& nlp, const Listener& listener, const LayerChoice& choice) {
  std::span<const NamedComponent> before = nlp.pipeline();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].name == choice.component) before = before.first(i);
  }
  if (const NamedComponent* upstream = heard(before, listener)) {
    return vector_source(upstream->component.get())->vector_model();
  }
  fail("component", fmt::format("'{}' listens to \"{}\", which the pipeline lacks before it",
                                choice.component, listener.upstream));
}

}  // namespace

LayerChoice layer_choice(const Config& values) {
  const auto text = [&](const char* key) -> std::string {
    const Node* value = values.find(key);
    return value == nullptr || !value->is_string() ? "" : value->as_string();
  };
  return {text("pretraining.component"), text("pretraining.layer")};
}

ModelPtr pretrained_layer(const Language& nlp, const LayerChoice& choice) {
  const Component* component = nlp.find(choice.component);
  if (component == nullptr || component->models().empty()) {
    std::vector<std::string> names;
    for (const NamedComponent& named : nlp.pipeline()) {
      if (named.component->is_trainable()) names.push_back(named.name);
    }
    fail("component", fmt::format("the pipeline has no '{}' with weights", choice.component),
         nearest(choice.component, names));
  }
  const ModelPtr root = component->models().front();
  ModelPtr layer = choice.layer.empty() ? root : part_of(*root, choice);
  if (const auto* projecting = dynamic_cast<const ProjectsVectors*>(component)) {
    if (ModelPtr network = projecting->projected_network(*layer)) layer = std::move(network);
  }
  if (const Listener* listener = listener_of(*layer)) {
    layer = network_behind(nlp, *listener, choice);
  }
  return layer;
}

}  // namespace weft
