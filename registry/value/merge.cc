#include "registry/value/merge.h"

#include <algorithm>
#include <utility>

namespace weft {
namespace {

// The first `@` key of a block with its value, or null.
const Object::Entry* promise_of(const Object& object) {
  const auto found = std::find_if(object.begin(), object.end(), [](const Object::Entry& entry) {
    return entry.key.starts_with('@');
  });
  return found == object.end() ? nullptr : found;
}

// A block whose function the other does not call: it is taken alone. A plain block over a function
// takes the function in.
bool is_foreign(const Object& updates, const Object& defaults) {
  const auto differs = [](const Object::Entry* promise, const Object& other) {
    const Node* same_key = other.find(promise->key);
    return same_key == nullptr || !same_key->same_value(promise->node);
  };
  const Object::Entry* update = promise_of(updates);
  if (update == nullptr) return false;
  return differs(update, defaults);
}

void drop_unknown(Object& updates, const Object& defaults) {
  Object known;
  for (auto& [key, node] : updates) {
    if (defaults.contains(key)) known.set(key, std::move(node));
  }
  updates = std::move(known);
}

void lay_over(Object& updates, const Object& defaults, bool remove_extra) {
  if (remove_extra) drop_unknown(updates, defaults);
  for (const auto& [key, fallback] : defaults) {
    Node* node = updates.find(key);
    if (node == nullptr) {
      updates.set(key, fallback);
    } else if (node->is_object() && fallback.is_object() &&
               !is_foreign(node->as_object(), fallback.as_object())) {
      lay_over(node->as_object(), fallback.as_object(), remove_extra);
    }
  }
}

}  // namespace

Config merge(const Config& defaults, const Config& updates, bool remove_extra) {
  Config merged = updates;
  lay_over(merged.root(), defaults.root(), remove_extra);
  return merged;
}

}  // namespace weft
