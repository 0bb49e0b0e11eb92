#include "framework/text/converter.h"
#include "framework/text/spacy_json.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter json() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    read_spacy_json(input.path, input.vocab, take);
  }};
}

const Registration registered{"json", json, "the JSON training format of spaCy 2"};

}  // namespace
}  // namespace weft
