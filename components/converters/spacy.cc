#include "framework/text/converter.h"
#include "framework/text/doc_bin.h"
#include "registry/registration.h"

namespace weft {
namespace {

Converter spacy() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    for (const std::string& file : doc_bin_files({input.path})) {
      DocBinReader reader(file, input.vocab);
      take_all(reader, take);
    }
  }};
}

const Registration registered{"spacy", spacy, "a .spacy file, or a folder of them"};

}  // namespace
}  // namespace weft
