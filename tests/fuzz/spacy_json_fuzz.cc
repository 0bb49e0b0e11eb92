// Any bytes as the JSON training format of spaCy 2.
#include "framework/parser/ner_gold.h"
#include "framework/text/biluo.h"
#include "framework/text/example.h"
#include "framework/text/spacy_json.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::MemoryFile file(weft::as_text(data, size));
  try {
    weft::read_spacy_json(file.path(), std::make_shared<weft::Vocab>("xx", 64), [](weft::Doc doc) {
      weft::biluo_strings(doc);
      doc.sents();
      weft::gold_tags(weft::Example::from_reference(std::move(doc)));
    });
  } catch (const weft::Error&) {
  }
  return 0;
}
