#include "framework/io/json_bounds.h"

#include <cstddef>

#include "registry/value/json_limits.h"

namespace weft {
namespace {

constexpr std::size_t kSmall = std::size_t{64} << 10;
static_assert(kMostJsonValues == 2097152 && kDeepestJson == 512, "as the messages say");

// The place behind the text that begins before `at`.
std::size_t end_of_text(std::string_view json, std::size_t at) {
  for (; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at;
}

}  // namespace

// A list or an object has one value more than commas, so commas and openings bound their number.
const char* beyond_json_bounds(std::string_view text) {
  if (text.size() < kSmall) return nullptr;
  std::size_t values = 1;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_text(text, at + 1);
    } else if (c == ',') {
      ++values;
    } else if (c == '[' || c == '{') {
      ++values;
      if (++depth > kDeepestJson) return "JSON that is nested more than 512 deep";
    } else if (c == ']' || c == '}') {
      if (depth > 0) --depth;
    }
  }
  return values > kMostJsonValues ? "JSON of more than 2097152 values" : nullptr;
}

}  // namespace weft
