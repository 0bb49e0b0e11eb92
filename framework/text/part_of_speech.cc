#include "framework/text/part_of_speech.h"

#include <vector>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "framework/text/symbols.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

// Their ids among the reserved names.
constexpr StringId kFirst = 84;
constexpr StringId kLast = 103;

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (StringId known = kFirst; known <= kLast; ++known) names.emplace_back(*symbol_name(known));
  return names;
}

}  // namespace

bool is_part_of_speech(std::string_view name) {
  const StringId known = string_id(name);
  return known == 0 || (known >= kFirst && known <= kLast);
}

std::string no_part_of_speech(std::string_view name) {
  std::string message =
      fmt::format("\"{}\" is no part of speech of Universal Dependencies", printable_brief(name));
  const auto near = nearest(name, all_names());
  if (!near.empty()) message += fmt::format("; did you mean {}?", join_or(near));
  return message;
}

void check_part_of_speech(std::string_view name) {
  if (!is_part_of_speech(name)) throw Error(ErrorKind::data, no_part_of_speech(name));
}

}  // namespace weft
