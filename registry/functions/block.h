// A function block: a section or inline object with a key `@kind` stands for a call of a function.
// Source: docs/config.md, "Function blocks".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"
#include "registry/value/section_path.h"

namespace weft {

inline constexpr std::string_view kPositional = "*";  // the key of positional arguments

// The entries of `object` whose keys start with `@`; more than one is an error of the config.
WEFT_API std::vector<const Object::Entry*> promises_of(const Object& object);

// True for an object with such an entry.
WEFT_API bool is_block(const Node& node);

// The values given through `*`: the elements of a list, or the members of a section in file order.
struct PositionalValue {
  std::string path;
  const Node* value;
  bool in_list;  // an element of a list: a block there is data
};
WEFT_API std::vector<PositionalValue> positional_values(const Object& object,
                                                        std::string_view path);

}  // namespace weft
