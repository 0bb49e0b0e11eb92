// A word and its tag on each line. spaCy calls the format by two names, `conll` and `ner`.
#include "framework/text/conll.h"

#include "framework/text/converter.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter conll() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    ConllReader reader(input.path, input.vocab,
                       {.sents_per_doc = input.sents_per_doc, .prefer_docstart = true});
    take_all(reader, take);
  }};
}

const Registration registered{"conll", conll,
                              "a word and its entity tag on each line, 2 to 4 columns"};
const Registration registered_as_ner{"ner", conll, "the same as conll"};

}  // namespace
}  // namespace weft
