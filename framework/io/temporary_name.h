// Names of files and folders while they are written, beside the place that they are for. Nobody can
// guess them, so nobody can put a link there before.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

enum class TemporaryKind {
  fresh,  // ".NAME.new-…": becomes NAME
  old,    // ".NAME.old-…": was NAME, until a new one stands there
};

// A temporary name for `name`, the last part of a path; 80 of its bits are random. Throws
// Error(system).
WEFT_API std::string temporary_name(std::string_view name, TemporaryKind kind);

struct TemporaryName {
  std::string name;  // of what it is for
  TemporaryKind kind;
};

// Nothing for a name that `temporary_name` did not make; earlier versions ended it with a number.
WEFT_API std::optional<TemporaryName> parse_temporary_name(std::string_view name);

}  // namespace weft
