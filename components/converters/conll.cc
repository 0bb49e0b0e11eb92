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
                const auto open = [&](const std::string& file) {
                  const bool marked = input.sents_per_doc > 0 && marks_documents(file);
                  const ConllOptions options{.sents_per_doc = marked ? 0 : input.sents_per_doc,
                                             .prefer_docstart = true};
                  return std::make_unique<ConllReader>(file, input.vocab, options);
                };
                take_files(input, "conll", open, tagged(input, take));
              },
          .has_token_lines = true};
}

const Registration registered{"conll", conll,
                              "a word and its entity tag on each line, 2 to 4 columns"};
const Registration registered_as_ner{"ner", conll, "the same as conll"};

}  // namespace
}  // namespace weft
