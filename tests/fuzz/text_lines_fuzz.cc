// Any bytes as a file of lines of text, each of which a tokenizer cuts.
#include "components/languages/language_data.h"
#include "framework/io/text_lines.h"
#include "framework/text/make_doc.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::Tokenizer tokenizer(weft::language_tokenizer_rules("en"));
  const weft::MemoryFile file(weft::as_text(data, size));
  try {
    const auto vocab = std::make_shared<const weft::Vocab>("xx", 64);
    weft::TextLines lines({file.path()});
    while (const auto line = lines.next()) {
      lines.at_line([&] { return weft::make_doc(tokenizer, vocab, *line); });
    }
  } catch (const weft::Error&) {
  }
  return 0;
}
