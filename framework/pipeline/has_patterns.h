// For components that match token patterns which a config gives them.
#pragma once

#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// A pattern, and how messages call it.
struct GivenPattern {
  std::string place;
  List tokens;
};

// Components with patterns derive from this too.
class WEFT_API HasPatterns {
 public:
  virtual ~HasPatterns() = default;
  // The token patterns that `settings`, those of [initialize.components.NAME], would give it.
  virtual std::vector<GivenPattern> given_patterns(const Object& settings) const = 0;
  // Conditions of the patterns that it has which mean nothing, with their places; the first ones.
  virtual std::vector<std::string> pattern_warnings() const = 0;
};

}  // namespace weft
