#include "framework/text/converter.h"
#include "framework/text/spacy_json.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter json() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    each_file(input, "json", take, [](const ConverterInput& file, const TakeDoc& take_doc) {
      read_spacy_json(file.path, file.vocab, take_doc);
    });
  }};
}

const Registration registered{"json", json, "the JSON training format of spaCy 2"};

}  // namespace
}  // namespace weft
