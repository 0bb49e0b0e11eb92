// Any bytes as a pattern, up to the first line feed, searched for in the rest.
#include <cstdint>
#include <string>
#include <string_view>

#include "framework/regex/pattern.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = bytes.find('\n');
  if (cut == bytes.npos) return 0;
  const std::string_view text = bytes.substr(cut + 1);
  if (weft::find_invalid_utf8(text)) return 0;
  try {
    weft::MatchScratch scratch;
    weft::Pattern search("the pattern", std::string(bytes.substr(0, cut)),
                         weft::Pattern::Use::search);
    const auto found = search.find(scratch, text);
    if (found && (found->end > text.size() || found->begin > found->end)) __builtin_trap();
  } catch (const weft::Error&) {
  }
  return 0;
}
