// A sentence on each line, with tags behind the words.
#include <memory>

#include "framework/text/converter.h"
#include "framework/text/iob_line_reader.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter iob() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    if (input.sents_per_doc == 0) {
      throw Error(ErrorKind::usage,
                  "a sentence on each line: nothing marks documents, so that 0 sentences to a "
                  "document gives none; say how many sentences one has");
    }
    const auto open = [&](const std::string& file) {
      const IobLineOptions options{.sents_per_doc = input.sents_per_doc};
      return std::make_unique<IobLineReader>(file, input.vocab, options);
    };
    take_files(input, "iob", open, tagged(input, take));
  }};
}

const Registration registered{"iob", iob, "a sentence on each line: word|tag or word|pos|tag"};

}  // namespace
}  // namespace weft
