#include "tools/goal.h"

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft::tools {

Goal goal_of(const std::string& word) {
  if (word.empty() || word == "efficiency") return Goal::efficiency;
  if (word == "accuracy") return Goal::accuracy;
  throw Error(ErrorKind::usage,
              fmt::format("--optimize takes efficiency or accuracy, not '{}'", printable(word)));
}

}  // namespace weft::tools
