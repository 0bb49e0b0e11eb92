// Members of objects that may be missing, or of another kind than is looked for: files that others
// may have changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "registry/value/config.h"

namespace weft {

// "" where there is no text.
inline std::string text_at(const Object& object, std::string_view key) {
  const Node* node = object.find(key);
  return node != nullptr && node->is_string() ? node->as_string() : std::string();
}

// `otherwise` where there is no integer of 64 bits.
inline std::int64_t count_at(const Object& object, std::string_view key,
                             std::int64_t otherwise = 0) {
  const Node* node = object.find(key);
  const auto* count = node == nullptr ? nullptr : std::get_if<std::int64_t>(&node->value());
  return count == nullptr ? otherwise : *count;
}

// Null where there is no object.
inline const Object* object_at(const Object& object, std::string_view key) {
  const Node* node = object.find(key);
  return node != nullptr && node->is_object() ? &node->as_object() : nullptr;
}

}  // namespace weft
