#include <memory>

#include "components/languages/language_data.h"
#include "framework/pipeline/tokenizer_factory.h"
#include "framework/text/tokenizer.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

TokenizerFactory spacy_tokenizer() {
  return {.make = [](std::string_view lang) -> std::shared_ptr<const Tokenizer> {
            return std::make_shared<Tokenizer>(language_tokenizer_rules(lang));
          },
          .note = language_note};
}

const Registration registered{"spacy.Tokenizer.v1", spacy_tokenizer,
                              "the rules of the language in [nlp] lang"};

}  // namespace
}  // namespace weft
