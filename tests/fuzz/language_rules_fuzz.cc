// Any bytes as the rule file of a language: refused, or a tokenizer is made and used.
#include "framework/text/language_rules.h"
#include "framework/text/tokenizer.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = weft::as_text(data, size);
  try {
    const auto rules = weft::build_language_rules("fuzz", [&](std::string_view name) {
      return name == "fuzz" ? text : std::string_view("[lists]\ntwo = a b\n");
    });
    weft::Tokenizer(rules).tokenize("It's (a.b) 1-2 km, l'\xC3\xA9t\xC3\xA9\xE2\x80\xA6");
  } catch (const weft::Error&) {
  }
  return 0;
}
