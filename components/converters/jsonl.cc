#include "framework/text/converter.h"
#include "framework/text/jsonl_reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter jsonl() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    const JsonlOptions options{.on_misaligned = input.on_misaligned,
                               .tell = input.tell,
                               .left_out = input.left_out,
                               .records = input.records,
                               .text_only = input.text_only};
    each_file(input, "jsonl", take, [&](const ConverterInput& file, const TakeDoc& take_doc) {
      JsonlReader reader(file.path, file.vocab, file.make_doc, options);
      const auto take_with_record = [&](Doc doc) {
        if (file.take_record) file.take_record(reader.record());
        take_doc(std::move(doc));
      };
      take_all(reader, take_with_record, file.bad_row);
    });
  }};
}

const Registration registered{
    "jsonl", jsonl, "JSON lines, or a JSON list, of records of one of the shapes in docs/data.md"};

}  // namespace
}  // namespace weft
