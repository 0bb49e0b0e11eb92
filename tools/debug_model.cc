#include <iostream>

#include <fmt/format.h>

#include "framework/nn/model.h"
#include "framework/training/train_pipeline.h"
#include "registry/error.h"
#include "registry/json.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

std::int64_t parameters_of(const Model& node) {
  std::int64_t count = 0;
  for (const auto& parameter : node.params()) count += parameter->value.size();
  return count;
}

Node dims_of(const Model& node) {
  Object dims;
  for (const auto& [name, value] : node.dims()) dims.set(name, value ? Node(*value) : Node());
  return dims;
}

// One entry per layer, in the order of the model file.
List layers_of(const Component& component) {
  List layers;
  for (const ModelPtr& root : component.models()) {
    for (const Model* node : root->walk()) {
      Object layer;
      layer.set("number", static_cast<std::int64_t>(layers.size()));
      layer.set("name", node->name());
      layer.set("dims", dims_of(*node));
      layer.set("parameters", parameters_of(*node));
      layers.emplace_back(std::move(layer));
    }
  }
  return layers;
}

void print_layers(const std::string& name, const List& layers) {
  std::int64_t total = 0;
  std::cout << name << '\n';
  for (const Node& node : layers) {
    const Object& layer = node.as_object();
    const std::int64_t count = layer.find("parameters")->as_integer();
    total += count;
    std::cout << fmt::format("  {:>3}  {:>9}  {:<40}  {}\n", layer.find("number")->as_integer(),
                             count, layer.find("name")->as_string(), to_json(*layer.find("dims")));
  }
  std::cout << fmt::format("  {} parameters, {:.1f} MiB in f32\n", total,
                           static_cast<double>(total) * 4 / (1 << 20));
}

}  // namespace

int run_debug_model(const Words& words) {
  CommandLine line("debug model CONFIG [--component NAME]",
                   "Shows the layers of each component: number, parameters, name, dimensions.",
                   "weft debug model ner.cfg --paths.train train.conll");
  line.positional("CONFIG", "the config; its training data gives labels and shapes");
  line.option("component", "NAME", "only this component");
  line.accept_json();
  line.accept_code();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  const auto nlp = initialized_pipeline(config, catalogue);
  const std::string only = line.text("component");
  if (!only.empty() && nlp->find(only) == nullptr) {
    throw Error(ErrorKind::usage, fmt::format("the pipeline has no component '{}'", only));
  }
  Object document;
  for (const NamedComponent& component : nlp->pipeline()) {
    if (!only.empty() && component.name != only) continue;
    document.set(component.name, layers_of(*component.component));
  }
  if (line.has("json")) {
    std::cout << to_json(document) << '\n';
    return 0;
  }
  for (const auto& [name, layers] : document) print_layers(name, layers.as_list());
  return 0;
}

}  // namespace weft::tools
