// Any bytes as the `cfg` file of an entity recognizer: refused, or the component can be written.
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto nlp = weft::fuzz::saved_pipeline(weft::fuzz::recognizer_pipeline());
  const weft::fuzz::FuzzFolder& folder = weft::fuzz::fuzz_folder();
  folder.write("ner/cfg", weft::as_text(data, size));
  weft::Component& component = *nlp->find("ner");
  try {
    component.from_disk(folder.path() / "ner");
  } catch (const weft::Error&) {
    return 0;
  }
  static const weft::fuzz::FuzzFolder copy;
  component.to_disk(copy.path());
  component.from_disk(copy.path());
  return 0;
}
