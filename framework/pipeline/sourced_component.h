// A section [components.NAME] that takes a component over from a saved pipeline:
// `source = "FOLDER"`, and `component` where it has another name there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct SourcedComponent {
  std::filesystem::path folder;
  std::string component;                            // its name in the pipeline there
  Origin place;                                     // of `source`
  std::vector<std::string> replace_listeners = {};  // sections of its listeners; empty: they stay
  Origin listeners_place = {};
};

// Nothing where the section is none of that kind. `values` has no variables.
WEFT_API std::optional<SourcedComponent> sourced_component(const Config& values,
                                                           const std::string& name);

// The config of its pipeline, without variables. Throws Error(config) where there is no pipeline
// and where its config is broken.
WEFT_API Config sourced_config(const SourcedComponent& source);

// The config block that the component has in its own pipeline. Throws Error(config) where there
// is no pipeline, where it has no such component, and where its config is broken.
WEFT_API Node sourced_block(const SourcedComponent& source);

// Throws Error(config) where the source is a pipeline of another language than the config `values`:
// its component was trained on other tokens and norms. Source: spaCy 3.8, E150.
WEFT_API void require_same_language(const SourcedComponent& source, const Config& values);

// `config` with those sections of components that name a source in the config file `before`. A
// checkpoint has their real settings; a run that goes on keeps the config that it began with. A
// file that cannot be read changes nothing.
WEFT_API Config with_sources_of(const std::filesystem::path& before, Config config);

}  // namespace weft
