// The `cfg` file of a transition-based parser: settings that a saved component brings along, which
// go before those of its config (docs/spacy-formats.md; spaCy 3.8).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "framework/parser/beam_settings.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct ParserCfg {
  int update_with_oracle_cut_size = 100;
  int min_action_freq = 1;
  bool learn_tokens = false;
  BeamSettings beam = {};
  std::optional<std::string> incorrect_spans_key = std::nullopt;
};

// The contents of the file.
WEFT_API Object cfg_of(const ParserCfg& settings);
WEFT_API void write_parser_cfg(const ParserCfg& cfg, const std::filesystem::path& file);
// Keys that are missing or null keep the value of `cfg`. Throws Error(data) for text that is no
// JSON object, and for values of another type or beyond their range.
WEFT_API ParserCfg read_parser_cfg(ParserCfg cfg, const std::filesystem::path& file);

}  // namespace weft
