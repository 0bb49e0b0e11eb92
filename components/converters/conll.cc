// A word and its tag on each line. spaCy calls the format by two names, `conll` and `ner`.
#include "framework/text/conll.h"

#include <memory>

#include "framework/text/converter.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter conll() {
  return {.read =
              [](const ConverterInput& input, const TakeDoc& take) {
                const ConllOptions options{.sents_per_doc = input.sents_per_doc,
                                           .prefer_docstart = true};
                const auto open = [&](const std::string& file) {
                  return std::make_unique<ConllReader>(file, input.vocab, options);
                };
                take_files(input, "conll", open, take);
              },
          .has_word_lines = true};
}

const Registration registered{"conll", conll,
                              "a word and its entity tag on each line, 2 to 4 columns"};
const Registration registered_as_ner{"ner", conll, "the same as conll"};

}  // namespace
}  // namespace weft
