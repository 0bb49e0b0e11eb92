// CoNLL-U, under the two names that spaCy's converter has.
#include "framework/text/conllu.h"

#include <memory>

#include "framework/text/converter.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter conllu() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    ConlluOptions options = input.conllu;
    options.sents_per_doc = input.sents_per_doc;
    const auto open = [&](const std::string& file) {
      return std::make_unique<ConlluReader>(file, input.vocab, options);
    };
    take_files(input, "conllu", open, take);
  }};
}

const Registration registered{"conllu", conllu,
                              "CoNLL-U: words with tags, features, lemmas, heads and relations"};
const Registration registered_as_bio{"conllubio", conllu, "the same as conllu"};

}  // namespace
}  // namespace weft
