// Any bytes as the `cfg` file of a span categorizer and of a span finder: refused, or the component
// can be written.
#include <string>

#include "registry/base/error.h"
#include "tests/components/small_config.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

namespace {

const std::string kConfig =
    weft::small::nlp_section(R"(["tok2vec", "spancat_singlelabel", "span_finder"])", "xx") +
    weft::small::tok2vec_section(weft::small::hash_embed_cnn({.width = 4, .rows = 10})) +
    R"cfg(
[components.spancat_singlelabel]
factory = "spancat_singlelabel"

[components.spancat_singlelabel.model]
@architectures = "spacy.SpanCategorizer.v1"

[components.spancat_singlelabel.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 4

[components.spancat_singlelabel.model.reducer]
@layers = "spacy.mean_max_reducer.v1"
hidden_size = 4

[components.spancat_singlelabel.model.scorer]
@layers = "Softmax.v2"

[components.span_finder]
factory = "span_finder"

[components.span_finder.model]
@architectures = "spacy.SpanFinder.v1"

[components.span_finder.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 4

[components.span_finder.model.scorer]
@layers = "spacy.LinearLogistic.v1"
nO = 2
)cfg";

void read_and_write(weft::Component& component, const std::string& name, std::string_view cfg) {
  const weft::fuzz::FuzzFolder& folder = weft::fuzz::fuzz_folder();
  folder.write(name + "/cfg", cfg);
  try {
    component.from_disk(folder.path() / name);
  } catch (const weft::Error&) {
    return;
  }
  static const weft::fuzz::FuzzFolder copy;
  component.to_disk(copy.path());
  component.from_disk(copy.path());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto nlp = weft::fuzz::saved_pipeline(weft::fuzz::pipeline_of(kConfig));
  for (const char* name : {"spancat_singlelabel", "span_finder"}) {
    read_and_write(*nlp->find(name), name, weft::as_text(data, size));
  }
  return 0;
}
