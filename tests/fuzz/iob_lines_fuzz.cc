// Any bytes as a file with a sentence on each line and tags behind the words.
#include "framework/text/biluo.h"
#include "framework/text/iob_line_reader.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const weft::IobLineOptions options{.scheme = static_cast<weft::TagScheme>(data[0] & 3),
                                     .sents_per_doc = 1 + (data[0] >> 2 & 3)};
  const weft::MemoryFile file(weft::as_text(data + 1, size - 1));
  try {
    (void)weft::looks_like_iob_lines(file.path());
    weft::IobLineReader reader(file.path(), std::make_shared<weft::Vocab>("xx", 64), options);
    while (const auto doc = reader.next()) {
      weft::biluo_strings(*doc);
      const auto sentences = doc->sents().size();
      weft::fuzz::check(sentences > 0, "a document without a sentence", std::string(doc->text()));
    }
  } catch (const weft::Error&) {
  }
  return 0;
}
