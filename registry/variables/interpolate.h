// Replaces ${section.key} and ${section} by what they stand for. Source: docs/config.md,
// "Variables".
#pragma once

#include <set>
#include <string>

#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

// Names that a reference may use beside declared sections and their keys.
enum class References {
  sections,  // nothing else: a file that is read expanded
  objects,   // the keys of inline objects too, as in a tree that was read with variables kept
};

// The tree with every variable replaced. All unresolved variables, cycles (the message prints the
// cycle) and section references inside text are reported. Beyond a hundred references in a chain,
// 512 levels or 256 MiB of expanded text it stops with a problem.
WEFT_API Config interpolate(const Config& config, Problems& problems);

// Marks the strings of a value that a program made, so that those with variables are expanded and
// written as such: `${a.b}/x` outside a list is raw text, inside one it is text.
WEFT_API void mark_variables(Node& node);

// The names in the variables of a tree that keeps them: "paths.train", "paths:train".
WEFT_API std::set<std::string> variables_in(const Config& config);

// As interpolate, in place. Values with a problem keep their text.
void expand_variables(Config& config, References references, Problems& problems);

}  // namespace weft
