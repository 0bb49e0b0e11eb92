#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "framework/nn/model_summary.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/text/printable.h"
#include "framework/training/prepared_pipeline.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

// Shapes follow from the training data, or are those of a saved pipeline.
std::shared_ptr<Language> pipeline_of(const CommandLine& line, const Catalogue& catalogue) {
  const std::filesystem::path config = line.path("CONFIG");
  const std::filesystem::path folder = find_pipeline(line.text("CONFIG"));
  if (std::filesystem::is_directory(folder)) {
    if (line.override_words().empty()) return load_pipeline(folder, catalogue);
    throw Error(
        ErrorKind::usage,
        fmt::format("'{}' is a saved pipeline, whose layers no setting changes: leave out {}",
                    line.text("CONFIG"), line.override_words().front()));
  }
  return initialized_pipeline(load_config(line, config, catalogue), catalogue);
}

Object params_of(const LayerSummary& layer) {
  Object params;
  for (const ParameterSummary& parameter : layer.params) {
    List shape;
    for (int axis = 0; axis < parameter.shape.rank(); ++axis) {
      shape.emplace_back(parameter.shape[axis]);
    }
    params.set(parameter.name, std::move(shape));
  }
  return params;
}

Object to_object(const LayerSummary& layer) {
  Object dims;
  for (const auto& [name, value] : layer.dims) dims.set(name, value ? Node(*value) : Node());
  Object object;
  object.set("number", layer.number);
  object.set("depth", layer.depth);
  object.set("name", layer.name);
  object.set("dims", std::move(dims));
  object.set("params", params_of(layer));
  object.set("parameters", layer.numbers());
  object.set("bytes", layer.bytes());
  return object;
}

struct Total {
  std::int64_t numbers = 0;
  std::int64_t bytes = 0;
};

Total total_of(const std::vector<LayerSummary>& layers) {
  Total total;
  for (const LayerSummary& layer : layers) {
    total.numbers += layer.numbers();
    total.bytes += layer.bytes();
  }
  return total;
}

Object json_of(const std::vector<LayerSummary>& layers) {
  List list;
  for (const LayerSummary& layer : layers) list.emplace_back(to_object(layer));
  const Total total = total_of(layers);
  Object object;
  object.set("layers", std::move(list));
  object.set("parameters", total.numbers);
  object.set("bytes", total.bytes);
  return object;
}

std::string shapes_of(const LayerSummary& layer) {
  std::string text;
  for (const ParameterSummary& parameter : layer.params) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", parameter.name, parameter.shape.str());
  }
  return text;
}

// Layers made of others are called after all of them; the beginning says enough.
std::string short_name(const std::string& layer) {
  constexpr std::size_t kWidth = 60;
  std::string name = printable_brief(layer);
  if (name.size() <= kWidth) return name;
  name.resize(kWidth - 3);
  name.resize(name.size() - unfinished_bytes(name));
  return name + "...";
}

void print(const std::string& name, const std::vector<LayerSummary>& layers) {
  std::cout << fmt::format("{}\n{:>5}  {:>11}  {:>9}  layer\n", name, "", "parameters", "KiB");
  for (const LayerSummary& layer : layers) {
    const std::string indented = std::string(static_cast<std::size_t>(2 * layer.depth), ' ');
    const std::string shapes = shapes_of(layer);
    std::cout << fmt::format("{:>5}  {:>11}  {:>9.1f}  {}{}{}{}\n", layer.number, layer.numbers(),
                             static_cast<double>(layer.bytes()) / 1024, indented,
                             short_name(layer.name), shapes.empty() ? "" : "  ", shapes);
  }
  const Total total = total_of(layers);
  std::cout << fmt::format("{:>5}  {:>11}  {:>9.1f}  in all\n\n", "", total.numbers,
                           static_cast<double>(total.bytes) / 1024);
}

std::vector<LayerSummary> layers_of(const Component& component) {
  std::vector<LayerSummary> layers;
  for (const ModelPtr& root : component.models()) {
    for (LayerSummary& layer : summarize(*root)) layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace

int run_debug_model(const Words& words) {
  CommandLine line("debug model CONFIG [options]",
                   "Shows the layers of each component: shapes, parameters and their memory.",
                   "weft debug model train.cfg --paths.train train.spacy");
  line.positional("CONFIG", "a config, whose training data gives the shapes; or a saved pipeline");
  line.option("component", "NAME", "only this component");
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = pipeline_of(line, catalogue);
  const std::string only = line.text("component");
  if (!only.empty() && nlp->find(only) == nullptr) {
    throw Error(ErrorKind::usage, fmt::format("the pipeline has no component '{}'", only));
  }
  Object document;
  for (const NamedComponent& component : nlp->pipeline()) {
    const std::vector<LayerSummary> layers = layers_of(*component.component);
    if (layers.empty() || (!only.empty() && component.name != only)) continue;
    document.set(component.name, json_of(layers));
    if (!line.has("json")) print(component.name, layers);
  }
  if (line.has("json")) std::cout << to_standard_json(document) << '\n';
  return 0;
}

}  // namespace weft::tools
