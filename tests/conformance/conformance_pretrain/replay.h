// Repeats the recorded updates of one pretraining network.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "framework/io/safetensors.h"
#include "registry/functions/catalogue.h"

namespace weft::conformance {

// The differences from the record `json` with its `tensors`; NAME.cfg, examples.jsonl and
// vectors.txt lie in `folder`. Throws std::exception for a record that cannot be replayed.
std::vector<std::string> replay_pretraining(const std::filesystem::path& folder,
                                            const std::string& name, const nlohmann::json& json,
                                            const SafeTensors& tensors, const Catalogue& catalogue);

}  // namespace weft::conformance
