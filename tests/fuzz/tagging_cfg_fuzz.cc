// Any bytes as the `cfg` file of a component that classifies tokens, which the first one chooses:
// refused, or the component can be written and read again.
#include <array>
#include <string>

#include "framework/text/example.h"
#include "tests/components/small_config.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

namespace {

constexpr std::array kNames = {"tagger", "morphologizer", "senter", "trainable_lemmatizer"};

std::string component(const std::string& name) {
  return "\n[components." + name + "]\nfactory = \"" + name + "\"\n\n[components." + name +
         ".model]\n@architectures = \"spacy.Tagger.v2\"\n\n[components." + name +
         ".model.tok2vec]\n" + weft::small::hash_embed_cnn({.width = 4, .rows = 8, .pieces = 1});
}

// With the classes of two tokens.
std::shared_ptr<weft::Language> initialized() {
  std::string names = "[";
  for (const char* name : kNames) names += "\"" + std::string(name) + "\",";
  names.back() = ']';
  std::string config = weft::small::nlp_section(names, "xx");
  for (const char* name : kNames) config += component(name);
  auto nlp = weft::fuzz::pipeline_of(config);
  weft::Doc doc = weft::Doc::from_words(nlp->vocab(), {"dogs", "dogs", "dogs"}, {});
  const auto column = [&](weft::Attr attr, const char* first, const char* second) {
    auto& strings = nlp->vocab()->strings();
    doc.set_column(attr, {strings.add(first), strings.add(second), strings.add(second)});
  };
  column(weft::Attr::tag, "A", "B");
  column(weft::Attr::pos, "NOUN", "VERB");
  column(weft::Attr::lemma, "dog", "dog");
  const weft::Example examples[] = {weft::Example::from_reference(std::move(doc))};
  nlp->initialize(examples);
  return nlp;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto nlp = weft::fuzz::saved_pipeline(initialized());
  if (size == 0) return 0;
  const std::string name = kNames[data[0] % kNames.size()];
  const weft::fuzz::FuzzFolder& folder = weft::fuzz::fuzz_folder();
  folder.write(name + "/cfg", weft::as_text(data + 1, size - 1));
  weft::Component& one = *nlp->find(name);
  try {
    one.from_disk(folder.path() / name);
  } catch (const weft::Error&) {
    return 0;
  }
  static const weft::fuzz::FuzzFolder copy;
  one.to_disk(copy.path());
  one.from_disk(copy.path());
  return 0;
}
