// Any bytes as the `cfg` file of a text classifier: refused, or the component can be written.
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

namespace {

constexpr const char* kConfig = R"cfg([nlp]
lang = "xx"
pipeline = ["textcat"]

[components]

[components.textcat]
factory = "textcat"

[components.textcat.model]
@architectures = "spacy.TextCatBOW.v3"
exclusive_classes = true
ngram_size = 1
no_output_layer = false
length = 16
)cfg";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto nlp = weft::fuzz::saved_pipeline(weft::fuzz::pipeline_of(kConfig));
  const weft::fuzz::FuzzFolder& folder = weft::fuzz::fuzz_folder();
  folder.write("textcat/cfg", weft::as_text(data, size));
  weft::Component& component = *nlp->find("textcat");
  try {
    component.from_disk(folder.path() / "textcat");
  } catch (const weft::Error&) {
    return 0;
  }
  static const weft::fuzz::FuzzFolder copy;
  component.to_disk(copy.path());
  component.from_disk(copy.path());
  return 0;
}
