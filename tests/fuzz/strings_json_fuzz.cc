// Any bytes as `strings.json`: refused, or the strings can be looked up.
#include "framework/pipeline/vocab_files.h"
#include "framework/text/symbols.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::MemoryFile file(weft::as_text(data, size));
  try {
    const weft::Vocab vocab("xx", 64);
    weft::read_strings(vocab, file.path());
    for (const std::string& text : vocab.strings().sorted()) {
      const auto found = vocab.strings().find(vocab.strings().add(text));
      weft::fuzz::check(found && *found == text, "a string cannot be found", text);
    }
  } catch (const weft::Error&) {
  }
  return 0;
}
