// A sentence on each line, with tags behind the words.
#include <memory>

#include "framework/text/converter.h"
#include "framework/text/iob_line_reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter iob() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    const auto open = [&](const std::string& file) {
      const IobLineOptions options{.sents_per_doc = input.sents_per_doc};
      return std::make_unique<IobLineReader>(file, input.vocab, options);
    };
    take_files(input, "iob", open, take);
  }};
}

const Registration registered{"iob", iob, "a sentence on each line: word|tag or word|pos|tag"};

}  // namespace
}  // namespace weft
