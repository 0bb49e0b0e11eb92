// Which value of a block goes to which parameter. Used to check a block and to build it.
#pragma once

#include <string>
#include <vector>

#include "registry/functions/block.h"
#include "registry/functions/signature.h"

namespace weft {

// One parameter with what the block gives for it.
struct Assigned {
  const FunctionParameter* parameter;
  const Object::Entry* named = nullptr;     // by its name
  std::vector<PositionalValue> positional;  // by place: at most one, any number if variadic
};

struct Assignment {
  std::vector<Assigned> parameters;              // all of them, in order
  std::vector<PositionalValue> too_many;         // positional values without a parameter
  std::vector<const Object::Entry*> unexpected;  // keys without a parameter
};

// `skip` is a key that is no argument (the selector of a section), or empty.
Assignment assign(const Signature& signature, const Object& object, std::string_view path,
                  std::string_view skip);

}  // namespace weft
