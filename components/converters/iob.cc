// A sentence on each line, with tags behind the words.
#include "framework/text/converter.h"
#include "framework/text/iob_line_reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter iob() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    IobLineReader reader(input.path, input.vocab, {.sents_per_doc = input.sents_per_doc});
    take_all(reader, take);
  }};
}

const Registration registered{"iob", iob, "a sentence on each line: word|tag or word|pos|tag"};

}  // namespace
}  // namespace weft
