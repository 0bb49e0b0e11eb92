#include <memory>

#include "framework/text/converter.h"
#include "framework/text/packed_doc_bin.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter spacy() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    const auto open = [&](const std::string& file) {
      return std::make_unique<PackedDocBin>(file, input.vocab);
    };
    take_files(input, "spacy", open, take);
  }};
}

const Registration registered{"spacy", spacy, "a .spacy file, or a folder of them"};

}  // namespace
}  // namespace weft
