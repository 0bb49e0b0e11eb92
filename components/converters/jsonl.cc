#include "framework/text/converter.h"
#include "framework/text/jsonl_reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter jsonl() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    JsonlReader reader(input.path, input.vocab, input.make_doc,
                       {.on_misaligned = input.on_misaligned, .tell = input.tell});
    take_all(reader, take);
  }};
}

const Registration registered{"jsonl", jsonl, "JSON lines with text or words, and entities"};

}  // namespace
}  // namespace weft
