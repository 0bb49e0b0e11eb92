#include "framework/pipeline/sourced_component.h"

#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

std::string component_names(const Config& config) {
  std::string names;
  const Node* components = config.find("components");
  if (components == nullptr || !components->is_object()) return "none";
  for (const auto& [name, block] : components->as_object()) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
  }
  return names.empty() ? "none" : names;
}

}  // namespace

std::optional<SourcedComponent> sourced_component(const Config& values, const std::string& name) {
  const Node* block = values.find("components." + name);
  if (block == nullptr || !block->is_object()) return std::nullopt;
  const Node* folder = block->as_object().find("source");
  if (folder == nullptr || !folder->is_string()) return std::nullopt;
  const Node* other = block->as_object().find("component");
  const bool renamed = other != nullptr && other->is_string();
  SourcedComponent source{find_pipeline(folder->as_string()), renamed ? other->as_string() : name,
                          folder->origin};
  const Node* paths = block->as_object().find("replace_listeners");
  if (paths == nullptr || !paths->is_list()) return source;
  source.listeners_place = paths->origin;
  for (const Node& path : paths->as_list()) {
    if (path.is_string()) source.replace_listeners.push_back(path.as_string());
  }
  return source;
}

Config sourced_config(const SourcedComponent& source) {
  if (const auto fault = run_folder_fault(source.folder)) {
    throw Error(ErrorKind::config, *fault, source.place);
  }
  if (!is_there(source.folder / "config.cfg")) {
    throw Error(
        ErrorKind::config,
        fmt::format("there is no pipeline '{}' to take a component from: it has no config.cfg{}",
                    source.folder.string(), where_looked_for(source.folder.string())),
        source.place);
  }
  require_regular(source.folder / "config.cfg");
  Problems problems;
  Config config = read_config_file(source.folder / "config.cfg", problems, {.interpolate = true});
  throw_errors(std::move(problems));
  return config;
}

Node sourced_block(const SourcedComponent& source) {
  const Config config = sourced_config(source);
  const Node* block = config.find("components." + source.component);
  if (block == nullptr) {
    throw Error(ErrorKind::config,
                fmt::format("{} has no component '{}'; it has {}", source.folder.string(),
                            source.component, component_names(config)),
                source.place);
  }
  return *block;
}

void require_same_language(const SourcedComponent& source, const Config& values) {
  const Config config = sourced_config(source);
  const Node *theirs = config.find("nlp.lang"), *own = values.find("nlp.lang");
  if (theirs == nullptr || own == nullptr || !theirs->is_string() || !own->is_string()) return;
  if (theirs->as_string() == own->as_string()) return;
  throw Error(ErrorKind::config,
              fmt::format("'{}' is of a pipeline of the language '{}', and this is one of '{}': "
                          "its words would be cut and normed otherwise (E150)",
                          source.component, printable_brief(theirs->as_string()),
                          printable_brief(own->as_string())),
              source.place);
}

Config with_sources_of(const std::filesystem::path& before, Config config) {
  Problems problems;
  if (!is_there(before)) return config;
  require_regular(before);
  const Config old =
      read_config_file(before, problems, {.interpolate = false, .single_dollars = true});
  const Node* blocks = old.find("components");
  Node* own = config.find("components");
  if (has_errors(problems) || blocks == nullptr || !blocks->is_object()) return config;
  if (own == nullptr || !own->is_object()) return config;
  for (auto& [name, block] : own->as_object()) {
    const Node* began = blocks->as_object().find(name);
    if (began == nullptr || !began->is_object() || !began->as_object().contains("source")) continue;
    block = *began;
  }
  return config;
}

}  // namespace weft
