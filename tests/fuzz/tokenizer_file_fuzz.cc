// Any bytes as a tokenizer file: refused with an Error, or read, written back the same, and, where
// the patterns are valid, used.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "framework/text/tokenizer.h"
#include "framework/text/tokenizer_file.h"
#include "registry/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const weft::TokenizerRules rules = weft::read_tokenizer_rules(bytes);
    const weft::TokenizerRules again =
        weft::read_tokenizer_rules(weft::write_tokenizer_rules(rules));
    if (!(again == rules)) std::abort();
    weft::Tokenizer(rules).tokenize("It's (a.b) 1-2 km, l'\xC3\xA9t\xC3\xA9\xE2\x80\xA6");
  } catch (const weft::Error&) {
  }
  return 0;
}
