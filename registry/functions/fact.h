// Facts that a function says of itself where it is registered: see Registration::meta.
#pragma once

#include <string_view>

#include "registry/functions/function.h"
#include "registry/value/config.h"

namespace weft {

// Whether the fact is `true`; false for one that is not given.
inline bool has_fact(const Function& function, std::string_view fact) {
  if (!function.meta().is_object()) return false;
  const Node* value = function.meta().as_object().find(fact);
  return value != nullptr && value->is_bool() && value->as_bool();
}

}  // namespace weft
