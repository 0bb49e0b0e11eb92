// Any bytes as JSON: no crash, and written values read back the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "registry/value/json.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::optional<weft::Node> node = weft::parse_json(text);
  if (!node) return 0;
  for (const weft::JsonText kind : {weft::JsonText::ascii, weft::JsonText::utf8}) {
    const std::string written = weft::to_json(*node, kind);
    const std::optional<weft::Node> again = weft::parse_json(written);
    weft::fuzz::check(again && again->same_value(*node), "JSON reads back differently", written);
  }
  return 0;
}
