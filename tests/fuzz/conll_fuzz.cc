// Any bytes as a file with one token per line.
#include "framework/text/conll.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const weft::ConllOptions options{static_cast<weft::TagScheme>(data[0] & 3), data[0] >> 3 & 3,
                                   (data[0] & 4) != 0};
  try {
    const weft::MemoryFile file(weft::as_text(data + 1, size - 1));
    weft::ConllReader reader(file.path(), std::make_shared<weft::Vocab>("xx", 64), options);
    while (const auto doc = reader.next()) {
      weft::biluo_strings(*doc);
      doc->sents();
    }
  } catch (const weft::Error&) {
  }
  return 0;
}
