// A config to start from: the sections a user will want to see, before filling.
#pragma once

#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct StarterOptions {
  std::string lang = "en";
  std::vector<std::string> pipeline = {"ner"};  // without tok2vec, which is put in front where used
  bool accuracy = false;                        // a wider and deeper network
  bool gpu = false;
};

// Unknown component names become sections with `factory = NAME`; filling says whether that exists.
WEFT_API Config starter_config(const StarterOptions& options);

}  // namespace weft
