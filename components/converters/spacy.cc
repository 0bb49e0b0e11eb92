#include "framework/io/files_below.h"
#include "framework/text/converter.h"
#include "framework/text/doc_bin.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter spacy() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    for (const std::string& file : files_below(input.path, ".spacy")) {
      DocBinReader reader(file, input.vocab);
      take_all(reader, take);
    }
  }};
}

const Registration registered{"spacy", spacy, "a .spacy file, or a folder of them"};

}  // namespace
}  // namespace weft
