// Any bytes as records of annotation tools: a list or lines, and each record as what it looks like.
#include "framework/text/records/file_classes.h"
#include "framework/text/records/parse_record.h"
#include "framework/text/records/record_texts.h"
#include "framework/text/records/shapes.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

void read_one(const std::string& text, weft::ReadBudget& budget) {
  try {
    const weft::Node record = weft::parse_record(text, budget);
    const weft::AnnotatedRecord plain = weft::read_text_of(record);
    const weft::AnnotatedRecord found = weft::read_record(record, {{"O", "B-X", "I-X"}});
    weft::fuzz::check(plain.text == found.text && plain.words == found.words,
                      "text and words do not depend on the annotation", text);
    weft::fuzz::check(found.text || found.words, "a record has a text or words", text);
  } catch (const weft::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::MemoryFile file(weft::as_text(data, size));
  try {
    weft::ReadBudget budget(file.path());
    weft::RecordTexts texts(file.path());
    for (std::string text; texts.next(text);) read_one(text, budget);
    weft::FileClasses classes;
    classes.read(file.path());
  } catch (const weft::Error&) {
  }
  return 0;
}
