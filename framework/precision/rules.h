// Exceptions to the policy by layer path. Rules are read in order, the last that matches wins.
// Source: docs/precision.md, "Rules".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/precision/notice.h"
#include "framework/precision/precision_settings.h"
#include "registry/base/export.h"

namespace weft {

enum class Compute : unsigned char {
  automatic,  // as the level says; takes back an earlier rule
  f32,
  low,
};

// "auto", "f32", "low".
WEFT_API std::string_view name_of(Compute compute);

struct PrecisionRule {
  std::string match;  // glob over the full path, where * also runs across dots
  Compute compute = Compute::automatic;
  bool operator==(const PrecisionRule&) const = default;
};

// The rules of a config block; rules that do not fit go to `notices`.
WEFT_API std::vector<PrecisionRule> read_rules(const std::vector<PrecisionSettings::Rule>& rules,
                                               Notices& notices);

// The last rule whose glob matches `path` ("components.ner.model.maxout"), or null.
WEFT_API const PrecisionRule* find_rule(const std::vector<PrecisionRule>& rules,
                                        const std::string& path);

}  // namespace weft
