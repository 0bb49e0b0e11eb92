// A reader for lines like "Ada/PERSON went to Oslo/PLACE .".
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/training/example_streams.h"
#include "framework/training/reader.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace acme {
namespace {

struct SlashCorpusSettings {
  std::filesystem::path path;
};

template <class V>
void fields(V& v, SlashCorpusSettings& c) {
  v.required("path", c.path, "file with a sentence on each line");
}

weft::ExamplePtr example_of(const std::string& line, const weft::Language& nlp) {
  std::istringstream items(line);
  std::vector<std::string> words;
  std::vector<std::string> tags;
  for (std::string item; items >> item;) {
    const auto slash = item.find('/');
    words.push_back(item.substr(0, slash));
    tags.push_back(slash == std::string::npos ? "O" : "U-" + item.substr(slash + 1));
  }
  return std::make_shared<weft::Example>(
      weft::Example::from_tags(weft::Doc::from_words(nlp.vocab(), words), tags));
}

weft::ExampleStreamPtr open(const std::filesystem::path& path, const weft::Language& nlp) {
  auto file = std::make_shared<std::ifstream>(path);
  if (!*file) {
    throw weft::Error(weft::ErrorKind::usage, "there is no file '" + path.string() + "'");
  }
  return weft::stream_of([file, &nlp]() -> weft::ExamplePtr {
    std::string line;
    return std::getline(*file, line) ? example_of(line, nlp) : nullptr;
  });
}

weft::Reader slash_corpus(const SlashCorpusSettings& c) {
  return {[path = c.path](const weft::Language& nlp) { return open(path, nlp); }};
}

const weft::Registration registered{"acme.SlashCorpus.v1", slash_corpus,
                                    "sentences with the label behind a slash"};

}  // namespace
}  // namespace acme
