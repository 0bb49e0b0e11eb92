// A config to start from: the sections a user will want to see, before filling. Each component says
// itself what stands in its block (starter_block.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/starter_block.h"
#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

struct StarterOptions {
  std::string lang = "en";
  // Components by their factories' names; one that others listen to is put in front by itself.
  std::vector<std::string> pipeline = {"ner"};
  Goal goal = Goal::efficiency;
  bool gpu = false;
  std::optional<std::string> vectors = {};  // [paths] vectors; null without
};

// An unknown name becomes a section with `factory = NAME`; filling says whether that exists.
// `reserved` has the blocks of factories that declare none (starter_block.h). Variables are kept.
WEFT_API Config starter_config(const StarterOptions& options, const Catalogue& catalogue,
                               const Object& reserved = {});

}  // namespace weft
