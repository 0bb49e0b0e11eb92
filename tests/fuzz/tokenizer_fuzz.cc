// Any bytes through the tokenizers of nine languages: the tokens make up the text, or it is refused
// as invalid UTF-8.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "components/languages/language_data.h"
#include "framework/text/tokenizer.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace {

const std::vector<weft::Tokenizer>& tokenizers() {
  static const auto* made = [] {
    auto* all = new std::vector<weft::Tokenizer>;
    for (const char* code : {"en", "fr", "pt", "nl", "el", "hu", "tr", "ca", "zh"}) {
      all->emplace_back(weft::language_tokenizer_rules(code));
    }
    return all;
  }();
  return *made;
}

std::string joined(const weft::TokenizedText& cut, const std::string& text) {
  std::string out;
  for (const weft::TokenSpan& token : cut.tokens) {
    out += text.substr(token.begin, token.length);
    if (token.space_after) out += ' ';
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  const weft::Tokenizer& tokenizer = tokenizers()[data[0] % tokenizers().size()];
  const bool valid = !weft::find_invalid_utf8(text);
  try {
    const weft::TokenizedText cut = tokenizer.tokenize(text);
    if (!valid || joined(cut, text) != text) std::abort();
  } catch (const weft::Error&) {
    if (valid) std::abort();
  }
  return 0;
}
